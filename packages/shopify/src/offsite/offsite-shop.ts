import type { Clock, GroupClaims, Log, OrderRef, StoreAnswer } from "@tillkit/core";
import type { Graphql } from "../graphql/graphql.ts";
import type { SessionPayload } from "../graphql/payments-operations.ts";
import type { OwnerLines } from "../shop/owner-lines.ts";
import type { Shops } from "../shop/shops.ts";
import type { PaymentSession, PaymentSessions } from "./payment-sessions.ts";

export type OffsiteParts = {
  readonly sessions: PaymentSessions;
  readonly claims: GroupClaims;
  readonly lines: OwnerLines;
  readonly shops: Pick<Shops, "languageOf">;
  readonly graphql: Graphql;
  readonly originOf: (shop: string) => string;
  readonly clock: Clock;
  readonly log: Log;
};

/** One shop behind the payments extension. */
export type OffsiteShop = OffsiteParts & {
  readonly shop: string;
  /** What Shopify posted of this try; null when it is another shop's, another group's, or nobody's. */
  findSession(ref: OrderRef, attempt: string): Promise<PaymentSession | null>;
  /** Keeps where the buyer goes next: Shopify may say it once only. */
  keepNextUrl(gid: string, payload: SessionPayload): Promise<string | null>;
};

export function openOffsiteShop(shop: string, parts: OffsiteParts): OffsiteShop {
  const { sessions } = parts;
  return {
    ...parts,
    shop,
    async findSession(ref, attempt) {
      if (ref.storeId !== shop) return null;
      const session = await sessions.find(shop, attempt);
      return session?.group === ref.orderId ? session : null;
    },
    async keepNextUrl(gid, { paymentSession }) {
      const nextUrl = paymentSession?.nextAction?.context?.redirectUrl ?? null;
      if (nextUrl !== null) await sessions.change(shop, gid, { nextUrl });
      return nextUrl;
    },
  };
}

export function isState(
  { paymentSession, userErrors }: SessionPayload,
  state: "Resolved" | "Rejected" | "Pending",
): boolean {
  return userErrors.length === 0 && paymentSession?.state.__typename === `PaymentSessionState${state}`;
}

/** There is nothing to read: what Shopify acknowledged is all that is known. */
export function acknowledged(outcome: "recorded" | "already", continueUrl: string | null): StoreAnswer {
  return { outcome, evidence: "acknowledged", ...(continueUrl === null ? {} : { continueUrl }) };
}

export function gone(attempt: string): StoreAnswer {
  return { outcome: "gone", detail: `Shopify never posted the session ${attempt}.` };
}

export function tooLate(why: string): StoreAnswer {
  return { outcome: "not-payable", detail: `The payment session is closed: ${why}.` };
}

export function otherPayment(paymentId: string): StoreAnswer {
  return { outcome: "other-payment", detail: `The checkout is paid, or being paid, by the payment ${paymentId}.` };
}
