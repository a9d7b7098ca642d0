import type { Transport, TransportRequest } from "@tillkit/client";
import { decimalText } from "@tillkit/core";
import { createFakeWooCommerce, type FakeWooCommerce } from "@tillkit/fake-woocommerce";
import type { OpenStore, PlacedOrder, SimulatableStore, WrapPort } from "@tillkit/testkit";
import { createWooCommerceAdapter, createWooStore } from "@tillkit/woocommerce";

const STORE_ID = "boutique";
const LINK_SECRET = "a link secret of the proof, never of a real shop";

/** Opens a fake WooCommerce whose orders are written by the plugin's routes or by its REST API. Every request of the adapter is a step. */
export function openWooCommerce(writeOrdersBy: "plugin" | "rest"): OpenStore<SimulatableStore> {
  return async ({ clock }) => {
    const plugin = { checkoutServerUrl: "https://pay.example", storeId: STORE_ID, linkSecret: LINK_SECRET };
    const fake = await createFakeWooCommerce({ clock, ...(writeOrdersBy === "rest" ? {} : { plugin }) });
    const connect = (wrap: WrapPort) =>
      createWooCommerceAdapter(
        createWooStore({
          ...fake,
          storeId: STORE_ID,
          linkSecret: LINK_SECRET,
          environment: "test",
          writeOrdersBy,
          clock,
          transport: transportTo(fake, wrap),
        }),
      );
    return { storeId: STORE_ID, connect, ...actsOfOwner(fake), probe: probeOf(fake), close: fake.close };
  };
}

/** `what`: a request without its signature, which differs each time. */
type Call = (what: string, sendBy: number | undefined, request: TransportRequest) => ReturnType<Transport>;

function transportTo(fake: FakeWooCommerce, wrap: WrapPort): Transport {
  const answer: Call = async (_what, _sendBy, { method, url, headers, body = new Uint8Array() }) => {
    // A server of Node has all names in lower case.
    const received = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const { status, body: answered, ...rest } = await fake.answer({ method, url, headers: received, bytes: body });
    const text = typeof answered === "string" ? answered : JSON.stringify(answered);
    return { status, headers: rest.headers ?? {}, body: new TextEncoder().encode(text) };
  };
  const calls = wrap<{ read: Call; write: Call }>(
    { read: answer, write: answer },
    { reads: ["read"], sendBy: (_what: string, sendBy: number | undefined) => sendBy },
  );
  return async (request) => {
    const text = Buffer.from(request.body ?? []).toString("utf8");
    const { pathname, searchParams } = new URL(request.url);
    const query = [...searchParams].filter(([name]) => !name.startsWith("oauth_"));
    const what = `${request.method} ${pathname} ${new URLSearchParams(query)} ${text}`;
    const isRead = request.method === "GET" || /"method":"GET"/.test(text);
    return await calls[isRead ? "read" : "write"](what, request.sendBy?.at, request);
  };
}

function actsOfOwner({ shop }: FakeWooCommerce) {
  return {
    async placeOrder({ total, title, language }: Parameters<SimulatableStore["placeOrder"]>[0]): Promise<PlacedOrder> {
      const meta = { _tillkit_language: language };
      const order = shop.placeOrder({ total: decimalText(total), currency: total.currency, itemName: title, meta });
      return { ref: { storeId: STORE_ID, orderId: String(order.id) }, attempt: "" };
    },
    async editTotal(placed: PlacedOrder, total: Parameters<SimulatableStore["placeOrder"]>[0]["total"]) {
      shop.edit(placed.ref.orderId, { total: decimalText(total), currency: total.currency });
      return placed;
    },
    async makeUnpayable({ ref }: PlacedOrder) {
      shop.edit(ref.orderId, { status: "cancelled" });
    },
    async payOutside({ ref }: PlacedOrder) {
      shop.edit(ref.orderId, { status: "processing", paymentMethod: "cod" });
    },
  };
}

function probeOf({ shop }: FakeWooCommerce): SimulatableStore["probe"] {
  const notes = ({ ref }: PlacedOrder, kind: string) =>
    shop.notes(ref.orderId).filter((note) => note.includes(`[tillkit ${kind} `));
  return {
    paidBy: async ({ ref }) => {
      const order = shop.order(ref.orderId);
      return (order?.datePaid && order.meta._tillkit_payment_id) || null;
    },
    timesPaid: async ({ ref }) => shop.effects.filter(({ orderId }) => String(orderId) === ref.orderId).length,
    holds: async (placed) => notes(placed, "hold"),
    notes: async (placed) => notes(placed, "note"),
  };
}
