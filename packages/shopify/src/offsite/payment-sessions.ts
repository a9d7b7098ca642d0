import type { Language, Records } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";

const KIND = "shopify-payment";

/** A payment session that Shopify posted. Nothing of it can be read from Shopify again. Times in milliseconds since 1970. */
export type PaymentSession = {
  readonly id: string;
  readonly gid: string;
  /** All tabs of one checkout share it. */
  readonly group: string;
  /** As it was posted. */
  readonly amount: string;
  readonly currency: string;
  readonly test: boolean;
  readonly language: Language;
  readonly cancelUrl: string;
  /** What was answered, and is answered to the same post for ever. */
  readonly redirectUrl: string;
  /** Until our answer arrived, Shopify refuses to resolve it. */
  readonly postedAt: number;
  /** Written before Shopify is told. */
  readonly rejectedAt: number | null;
  readonly pendingUntil: number | null;
  /** Where Shopify wants the buyer, since it was told something. */
  readonly nextUrl: string | null;
};

export type PaymentSessions = {
  find(shop: string, gid: string): Promise<PaymentSession | null>;
  /** The row that stands, this one or an earlier one. */
  keep(shop: string, session: PaymentSession): Promise<PaymentSession>;
  change(
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
    async keep(shop, session) {
      if ((await records.put(shop, KIND, session.gid, session, "new")) === "done") return session;
      return (await find(shop, session.gid)) ?? session;
    },
    async change(shop, gid, change) {
      for (let round = 0; round < shopifyLimits.writeRounds; round += 1) {
        const row = await records.get(shop, KIND, gid);
        if (!row) return;
        const next = { ...(row.value as PaymentSession), ...change };
        if ((await records.put(shop, KIND, gid, next, row.version)) === "done") return;
      }
      throw new Error("This payment session is being changed by too many at once: try again.");
    },
  };
}
