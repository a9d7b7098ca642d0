import type { AppContext } from "../app-context.ts";
import type { ModificationKind } from "../operations/payments-operations.ts";
import type { Shop } from "../records/shops.ts";
import type { ModificationTask } from "../records/tasks.ts";
import { addTask, taskOf } from "../tasks/add-task.ts";
import { findPaymentOf } from "./decide-modification.ts";
import type { ModificationBody } from "./session-bodies.ts";
import { refuseChangedSession, type SessionResponse } from "./session-response.ts";

/** Stores a refund, capture or void session as a task, once. The task sends the result to Shopify later. */
export async function receiveModification(
  context: AppContext,
  shop: Shop,
  body: ModificationBody,
  kind: ModificationKind,
): Promise<SessionResponse> {
  const { id, gid, payment_id: paymentId, test, amount = null, currency = null } = body;
  const session = { kind, id, gid, paymentId, amount, currency, test };
  const task: ModificationTask = { ...session, result: null, requestedAt: null, readAt: null };
  const payment = await findPaymentOf(context, shop.domain, task);
  const about = { shop: shop.domain, uniqueKey: gid, paymentId: payment?.id ?? null };
  await addTask(context, { kind: "shopify.modification", task, ...about });
  const stored = await context.ledger.jobByKey(shop.domain, gid);
  const known = stored && taskOf<"shopify.modification">(stored);
  if (known === null || !isSameModification(known, task)) return refuseChangedSession();
  return { status: 201, body: {} };
}

function isSameModification(stored: ModificationTask, { paymentId, amount, currency }: ModificationTask): boolean {
  return stored.paymentId === paymentId && stored.amount === amount && stored.currency === currency;
}
