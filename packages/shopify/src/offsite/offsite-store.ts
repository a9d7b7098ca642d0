import { createSendBy } from "@tillkit/client";
import { type Clock, type Log, limits, type OrderRef } from "@tillkit/core";
import type { GroupClaims } from "@tillkit/core/payment-groups";
import type { SessionPayload } from "../operations/payments-operations.ts";
import type { OwnerNotices } from "../records/owner-notices.ts";
import type { PaymentSession, PaymentSessions } from "../records/payment-sessions.ts";
import type { SessionCustomers } from "../records/session-customers.ts";
import type { Shops } from "../records/shops.ts";
import type { Graphql } from "../shopify-api/graphql.ts";

export type OffsiteStoreParts = {
  readonly sessions: PaymentSessions;
  readonly customers: Pick<SessionCustomers, "find">;
  /** Which payment was written to each group, because Shopify cannot be asked. */
  readonly claims: GroupClaims;
  readonly notices: OwnerNotices;
  readonly shops: Pick<Shops, "find" | "languageOf">;
  readonly graphql: Graphql;
  readonly shopUrl: (shop: string) => string;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * One shop with the payments extension. The order is the group of a checkout, the attempt is the gid of a Shopify
 * payment session.
 */
export type OffsiteStore = OffsiteStoreParts & {
  readonly shop: string;
  /** The same shop for one adapter call that starts now: it sends nothing after the engine's time limit for a call. */
  forOneCall(): OffsiteStore;
  /** The payment session that Shopify posted for an attempt. Null when it is unknown, or belongs to another shop or group. */
  findSession(ref: OrderRef, attempt: string): Promise<PaymentSession | null>;
  /** Stores the URL to which Shopify sends the shopper next, and returns it. Shopify may answer with the URL only once. */
  saveNextUrl(gid: string, payload: SessionPayload): Promise<string | null>;
};

export function createOffsiteStore(shop: string, parts: OffsiteStoreParts): OffsiteStore {
  const { sessions, graphql, clock } = parts;
  return {
    ...parts,
    shop,
    forOneCall() {
      const sendBy = createSendBy(clock.now() + limits.storeCallMs, clock);
      return createOffsiteStore(shop, { ...parts, graphql: graphql.withSendBy(sendBy) });
    },
    async findSession(ref, attempt) {
      if (ref.storeId !== shop) return null;
      const session = await sessions.find(shop, attempt);
      return session?.group === ref.orderId ? session : null;
    },
    async saveNextUrl(gid, { paymentSession }) {
      const nextUrl = paymentSession?.nextAction?.context?.redirectUrl ?? null;
      if (nextUrl !== null) await sessions.update(shop, gid, { nextUrl });
      return nextUrl;
    },
  };
}
