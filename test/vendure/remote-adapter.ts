import { type OrderRef, type Receipt, type StoreAdapter, type StoreAnswer, StoreError } from "@tillkit/core";

/** The settings with which the plugin that the tests add builds the adapter of the default channel. */
const SHOP = {
  channel: "__default_channel__",
  apiKey: "svc_sk_test_adapter",
  endpointId: "ci",
  webhookSecrets: ["whsec_adapter"],
  returnUrl: "https://shop.example/orders/{code}",
};

type CallTestPlugin = <Value>(action: string, body: unknown) => Promise<Value>;

/**
 * The adapter inside the running Vendure: each call is an HTTP request to the plugin that the tests add. `sleepMs`: how long the machine
 * sleeps after the adapter was called.
 */
export function createRemoteAdapter(callTestPlugin: CallTestPlugin, { sleepMs = 0 } = {}) {
  const remote =
    (method: string) =>
    async <Value>(...parameters: unknown[]): Promise<Value> => {
      try {
        return await callTestPlugin<Value>("adapter", { method, parameters, shop: SHOP, language: "en", sleepMs });
      } catch (error) {
        const { code, message } = error as { code?: "unavailable" | "unknown"; message: string };
        throw code === undefined ? error : new StoreError(code, message);
      }
    };
  const listUnsettled = remote("listUnsettled");
  return {
    platform: "vendure",
    writes: { kind: "conditional" },
    findOrder: remote("findOrder"),
    markPaid: (receipt: Receipt) => remote("markPaid")<StoreAnswer>(receipt),
    holdForReview: remote("holdForReview"),
    shopperUrl: remote("shopperUrl"),
    recordRefund: remote("recordRefund"),
    addNote: remote("addNote"),
    async *listUnsettled(since: number) {
      yield* await listUnsettled<{ ref: OrderRef; attempt: string }[]>(since);
    },
  } satisfies StoreAdapter;
}
