import type { Payment, Refund } from "@tillkit/core";
import { type RefundContext, rowShowing, showInRow } from "./refund-rows.ts";
import { isSettled } from "./settled-refunds.ts";

/** A refund that failed while a row of Medusa still shows it as made. `row` is Medusa's id of the refund, `ref_…`. */
export type FailedRefund = { readonly refund: Refund; readonly row: string };

/**
 * The refunds of a payment that failed after Medusa had shown them. Medusa has no state for a failed refund: it keeps counting the
 * amount as refunded, so this amount can neither be requested again there nor be recorded a second time. A refund that was sent again, or
 * replaced by one from the service's dashboard, is left out, and so is one that the owner settled outside the service.
 */
export async function findFailedRefunds(
  context: RefundContext,
  { id }: Pick<Payment, "id">,
): Promise<readonly FailedRefund[]> {
  const refunds = await context.ledger.refunds(id);
  const failed = refunds.filter(({ origin, state }) => origin === "store" && state === "failed");
  if (failed.length === 0) return [];
  const others = refunds.filter(({ state }) => state !== "failed");
  const replaced = new Set(await Promise.all(others.map((refund) => rowShowing(context, refund))));
  const byRow = new Map<string, Refund>();
  for (const refund of failed) {
    const row = await rowShowing(context, refund);
    // Several failed tries of one row are one failed refund.
    if (row !== null && !replaced.has(row) && !(await isSettled(context, row))) byRow.set(row, refund);
  }
  return [...byRow].map(([row, refund]) => ({ row, refund }));
}

/** Whether the owner settled this failed refund outside the service: under Medusa's id of it, or under our key. */
export async function isRefundSettled(context: RefundContext, refund: Refund): Promise<boolean> {
  if (refund.state !== "failed") return false;
  const row = await rowShowing(context, refund);
  return (row !== null && (await isSettled(context, row))) || (await isSettled(context, refund.key));
}

/**
 * A refund made in the service's dashboard, of the amount of a failed one, replaces it: Medusa's row then shows a refund that was
 * made. Returns false when the payment has no such failed refund.
 */
export async function replaceFailedRefund(
  context: RefundContext,
  paymentId: string,
  refundId: string,
): Promise<boolean> {
  const made = (await context.ledger.refunds(paymentId)).find((refund) => refund.refundId === refundId);
  if (made?.state !== "completed") return false;
  // A repeated call finds the row that shows this refund already.
  if ((await rowShowing(context, made)) !== null) return true;
  const failed = await findFailedRefunds(context, { id: paymentId });
  const replaced = failed.find(({ refund }) => refund.amount.minor === made.amount.minor);
  return replaced !== undefined && (await showInRow(context, made, replaced.row));
}
