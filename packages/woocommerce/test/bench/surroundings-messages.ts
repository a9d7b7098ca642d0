import type { Effect } from "@tillkit/fake-woocommerce";

/** The messages between the two processes of the benchmark: the checkout server, and the service with the shop. */
export type Addresses = {
  readonly serviceUrl: string;
  readonly apiKey: string;
  readonly shopUrl: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
};

export type BenchRequest =
  | {
      readonly kind: "connect";
      readonly checkoutServerUrl: string;
      readonly storeId: string;
      readonly linkSecret: string;
      /** Once this many webhooks have arrived, they are delivered together; with 0 each webhook is delivered immediately. */
      readonly webhookBatch: number;
    }
  | { readonly kind: "place"; readonly orders: number; readonly latencyMs: number }
  | { readonly kind: "pay"; readonly sessions: readonly string[] }
  | { readonly kind: "report" };

export type BenchResponse = {
  readonly connect: { readonly webhookSecret: string };
  readonly place: { readonly orderIds: readonly number[]; readonly payLinks: readonly string[] };
  readonly pay: { readonly paid: number };
  /**
   * When each order was marked paid, when the batch of webhooks was forwarded (milliseconds since 1970), and how many orders are
   * not paid exactly once.
   */
  readonly report: { readonly effects: readonly Effect[]; readonly forwardedAt: number | null; readonly wrong: number };
};
