import type { Language, Records } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";

const KIND = "shopify-payment";

/** A payment session that Shopify posted and that cannot be read from Shopify again. Times in milliseconds since 1970. */
export type PaymentSession = {
  readonly id: string;
  readonly gid: string;
  /** All payment sessions of one checkout have the same group. */
  readonly group: string;
  /** The decimal amount as Shopify posted it. */
  readonly amount: string;
  readonly currency: string;
  readonly test: boolean;
  readonly language: Language;
  readonly cancelUrl: string;
  /** The URL with which we answer every post of the session. */
  readonly redirectUrl: string;
  /** When Shopify last posted the session. Shopify refuses to resolve the session until it has received our answer. */
  readonly postedAt: number;
  /** Written before the rejection is sent to Shopify. */
  readonly rejectedAt: number | null;
  readonly pendingUntil: number | null;
  /** Where Shopify sends the shopper next, from its answer to our last mutation. */
  readonly nextUrl: string | null;
};

export type PaymentSessions = {
  find(shop: string, gid: string): Promise<PaymentSession | null>;
  /** Stores a new session and returns the stored row, which may be an earlier one. */
  add(shop: string, session: PaymentSession): Promise<PaymentSession>;
  update(
    shop: string,
    gid: string,
    change: Partial<Pick<PaymentSession, "postedAt" | "rejectedAt" | "pendingUntil" | "nextUrl">>,
  ): Promise<void>;
};

export function createPaymentSessions(records: Records): PaymentSessions {
  async function find(shop: string, gid: string): Promise<PaymentSession | null> {
    return ((await records.get(shop, KIND, gid))?.value as PaymentSession | undefined) ?? null;
  }

  return {
    find,
    async add(shop, session) {
      if ((await records.put(shop, KIND, session.gid, session, "new")) === "done") return session;
      return (await find(shop, session.gid)) ?? session;
    },
    async update(shop, gid, change) {
      for (let attempt = 0; attempt < shopifyLimits.writeAttempts; attempt += 1) {
        const row = await records.get(shop, KIND, gid);
        if (!row) return;
        const next = { ...(row.value as PaymentSession), ...change };
        if ((await records.put(shop, KIND, gid, next, row.version)) === "done") return;
      }
      throw new Error("Too many processes are changing this payment session at the same time. Try again.");
    },
  };
}
