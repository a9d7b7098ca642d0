import type { Effect } from "@tillkit/woocommerce/fake";

/** What the companion and its surroundings, two processes of the bench, say to each other. */
export type Addresses = {
  readonly serviceUrl: string;
  readonly apiKey: string;
  readonly shopUrl: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
};

export type Asked =
  | {
      readonly ask: "connect";
      readonly companionUrl: string;
      readonly storeId: string;
      readonly linkSecret: string;
      /** Webhooks reach the companion all at once, when so many are there; 0: each at its own time. */
      readonly holdBack: number;
    }
  | { readonly ask: "place"; readonly orders: number; readonly latencyMs: number }
  | { readonly ask: "pay"; readonly sessions: readonly string[] }
  | { readonly ask: "look" };

export type Told = {
  readonly connect: { readonly webhookSecret: string };
  readonly place: { readonly orderIds: readonly number[]; readonly payLinks: readonly string[] };
  readonly pay: { readonly paid: number };
  /**
   * When which order was marked paid and when the webhooks that were held back were handed on (milliseconds since 1970), and
   * how many orders are not paid as they should be.
   */
  readonly look: { readonly effects: readonly Effect[]; readonly handedOnAt: number | null; readonly wrong: number };
};
