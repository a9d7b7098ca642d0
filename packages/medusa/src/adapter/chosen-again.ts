import { type Order, type Payment, type Receipt, StoreError, sameMoney } from "@tillkit/core";
import type { WriteBound } from "@tillkit/runtime";
import { readCartSummary } from "../store/cart.ts";
import { createCartSession } from "../store/cart-session.ts";
import { isTillkitProvider } from "../store/paid-by.ts";
import { type PaymentCollection, totalOf } from "../store/payment-collection.ts";
import { changeAttempt, runReattaching } from "../store/reattached-payment.ts";
import { isSoldOut } from "../store/stock.ts";
import type { MedusaAdapterOptions } from "./adapter-options.ts";
import { runInTime } from "./write-in-time.ts";

/**
 * Whether an attempt lost its session only because the shopper chose our method again: the cart still waits for a payment of ours, costs
 * what this attempt's page asked, and has the items that this page named. What was paid on the first page then pays the cart, without
 * its owner. After a sale of the last item the owner decides: Medusa would refund the payment.
 */
export async function isChosenAgain(
  { container, ledger, storeId, language }: MedusaAdapterOptions,
  collection: PaymentCollection,
  attempt: string,
): Promise<boolean> {
  const { cartId, orderId, sessions, payments } = collection;
  const isWaiting = cartId !== null && orderId === null && payments.every(({ isCanceled }) => isCanceled);
  if (!isWaiting || !sessions.some(({ providerId }) => isTillkitProvider(providerId))) return false;
  const payment = (await ledger?.find({ attempt, storeId })) ?? null;
  if (payment?.ref.orderId !== collection.id || !sameMoney(payment.amountDue, totalOf(collection))) return false;
  const named = await readCartSummary(container, cartId, language);
  return isNamedBy(payment, named) && !(await isSoldOut(container, cartId));
}

// The page named the items up to a length. A payment that was recovered has no request, so nothing shows what its page named.
function isNamedBy({ request }: Payment, named: Pick<Order, "title" | "description">): boolean {
  if (request === "") return false;
  const { title = "", description = "" }: { title?: string; description?: string } = JSON.parse(request);
  return title !== "" && named.title.startsWith(title) && (named.description ?? "").startsWith(description);
}

/** Ties the payment to a new session of its cart, in place of the one that was chosen again. Returns Medusa's id of the session. */
export async function attachAgain(
  { container, ledger, clock }: MedusaAdapterOptions,
  collection: PaymentCollection,
  { paymentId, attempt: lost }: Receipt,
  bound: WriteBound,
): Promise<string> {
  const payment = (await ledger?.find({ id: paymentId })) ?? null;
  if (!ledger || !payment) throw notAttached();
  const attempt = await runInTime(bound, () => runReattaching(payment, () => createCartSession(container, collection)));
  if (attempt === null) throw notAttached();
  const at = clock?.now() ?? Date.now();
  const entry = { paymentId, at, actor: "store", kind: "reattached", by: "tillkit" } as const;
  const changed = { attempt, timeline: [entry] };
  const attached = await changeAttempt(ledger, payment, changed, (current) => current.attempt === lost);
  if (attached === null) throw notAttached();
  return attempt;
}

// The cart may have a session of the payment by now, which the next try reads.
function notAttached(): StoreError {
  return new StoreError("unavailable", "The payment was not attached to its cart again: it is tried again.");
}
