import type { AppContext } from "../app-context.ts";
import type { ModificationKind } from "../operations/payments-operations.ts";
import type { Shop } from "../records/shops.ts";
import type { ModificationTask } from "../records/tasks.ts";
import type { ModificationBody } from "./session-bodies.ts";
import { refuseChangedSession, type SessionResponse } from "./session-response.ts";

/** Stores a refund, capture or void session as a task. The task sends the result to Shopify later. */
export async function receiveModification(
  { outbox }: AppContext,
  shop: Shop,
  body: ModificationBody,
  kind: ModificationKind,
): Promise<SessionResponse> {
  const { id, gid, payment_id: paymentId, test, amount = null, currency = null } = body;
  const session = { kind, id, gid, paymentId, amount, currency, test };
  const task: ModificationTask = { ...session, result: null, requestedAt: null, readAt: null };
  if ((await outbox.modifications.add(shop.domain, gid, task)) === "exists") {
    const stored = await outbox.modifications.find(shop.domain, gid);
    if (!stored || !isSameModification(stored.state, task)) return refuseChangedSession();
  }
  return { status: 201, body: {} };
}

function isSameModification(stored: ModificationTask, { paymentId, amount, currency }: ModificationTask): boolean {
  return stored.paymentId === paymentId && stored.amount === amount && stored.currency === currency;
}
