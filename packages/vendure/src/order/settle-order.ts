import { type NotPayable, type Receipt, type StoreAnswer, StoreError, sameMoney } from "@tillkit/core";
import { Payment, type RequestContext, type Order as VendureOrder } from "@vendure/core";
import { pluginTexts } from "../texts.ts";
import type { VendureAdapterOptions } from "../vendure-adapter.ts";
import { addPayment } from "./add-payment.ts";
import { toMoney } from "./amounts.ts";
import { lockOrder } from "./lock-row.ts";
import { addOrderNote } from "./order-notes.ts";
import { amountDueOf, findVendurePayment, hasAuthorizedPart, PAYMENT_ID, paidByOf } from "./paid-by.ts";
import { readOrder } from "./read-order.ts";
import { refusalOf } from "./refusals.ts";
import { writeInTime } from "./write-in-time.ts";

const readBack = { evidence: "read-back" } as const;

/**
 * Settles the order with this payment, once. Everything happens in one transaction, whose first statement locks the order's row: two
 * payments of one order wait for each other, and an error that is thrown writes nothing.
 */
export async function settleOrder(options: VendureAdapterOptions, receipt: Receipt): Promise<StoreAnswer> {
  if (receipt.ref.storeId !== options.shop.channel) return GONE;
  try {
    const answer = await writeInTime(options, (transaction) => settleInTransaction(options, transaction, receipt));
    if (answer instanceof StoreError) throw answer;
    return answer;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== null) return notPayable(refusal);
    throw error instanceof StoreError ? error : storeErrorOf(error);
  }
}

/** A StoreError that is returned keeps what the transaction wrote; an error that is thrown rolls the transaction back. */
async function settleInTransaction(
  options: VendureAdapterOptions,
  transaction: RequestContext,
  receipt: Receipt,
): Promise<StoreAnswer | StoreError> {
  const { services, shop } = options;
  if (!(await lockOrder(services.connection, transaction, receipt.ref.orderId))) return GONE;
  const order = await readOrder(services, transaction, shop, receipt.ref.orderId);
  if (!order) return GONE;
  const isPaidByOtherMethod = paidByOf(order) === "outside";
  if (receipt.alreadyPaid && isPaidByOtherMethod) return await recordAccepted(options, transaction, order, receipt);
  const answer = answerWithoutWriting(options, order, receipt);
  if (answer?.outcome === "already" && receipt.unanswered) await noteUnanswered(options, transaction, order, receipt);
  return answer ?? (await addPayment(options, transaction, order, receipt));
}

// Vendure reports an order to its subscribers, which send the e-mails, after its transaction. A process that died in between reported
// nothing, and a second report would send what was sent already: a note tells the owner.
async function noteUnanswered(
  { services, language }: VendureAdapterOptions,
  transaction: RequestContext,
  { code }: VendureOrder,
  { paymentId }: Receipt,
): Promise<void> {
  const note = pluginTexts(language).unanswered;
  await addOrderNote({ services, context: async () => transaction }, code, `unanswered:${paymentId}`, note);
}

function answerWithoutWriting(
  options: VendureAdapterOptions,
  order: VendureOrder,
  receipt: Receipt,
): StoreAnswer | null {
  const paidBy = paidByOf(order);
  if (paidBy === receipt.paymentId) return { outcome: "already", ...readBack };
  if (paidBy !== null) return { outcome: "other-payment", paidBy };
  if (order.state !== "ArrangingPayment") return notPayable({ kind: "order_state", state: order.state });
  // The payments by other methods were undone after our payment was verified. `unavailable` makes the engine verify our payment again.
  if (receipt.alreadyPaid) throw new StoreError("unavailable", "The order is no longer paid by another method.");
  if (hasAuthorizedPart(order)) return notPayable({ kind: "part_authorized" });
  const total = toMoney(amountDueOf(order), order.currencyCode, options.services.decimals);
  return sameMoney(total, receipt.total) ? null : notPayable({ kind: "total_changed" });
}

/** Adds our payment's id to an order that its owner marked as paid by another method. The order's state and stock stay as they are. */
async function recordAccepted(
  { services }: VendureAdapterOptions,
  transaction: RequestContext,
  order: VendureOrder,
  { paymentId }: Receipt,
): Promise<StoreAnswer> {
  const row = order.payments.find(({ state }) => state === "Settled");
  if (findVendurePayment(order, paymentId) || !row) return notPayable({ kind: "order_changed" });
  const metadata = { ...row.metadata, [PAYMENT_ID]: paymentId };
  // TypeORM's type of a change does not accept a record with values of any type.
  await services.connection.getRepository(transaction, Payment).update(row.id, { metadata: metadata as never });
  return { outcome: "recorded", ...readBack };
}

// The message of a database error may contain a row, so the StoreError names only the code, such as 40P01 for a deadlock. The
// transaction was rolled back, so `unavailable` is right: nothing was written.
function storeErrorOf(cause: unknown): StoreError {
  const { code, name } = cause as { code?: unknown; name?: unknown };
  return new StoreError("unavailable", `Vendure did not settle the order (${String(code ?? name ?? "error")}).`, {
    cause,
  });
}

const GONE: StoreAnswer = { outcome: "gone" };

function notPayable(why: NotPayable): StoreAnswer {
  return { outcome: "not-payable", why };
}
