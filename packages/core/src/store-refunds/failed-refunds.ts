import { sameMoney } from "../domain/money.ts";
import type { Payment } from "../domain/payment.ts";
import { isPaying } from "../domain/payment-states.ts";
import type { Refund } from "../domain/refund.ts";
import { updatePayment } from "../payments/stored-payment.ts";
import type { PaymentLedger } from "../ports/payment-ledger.ts";
import type { Records } from "../ports/records.ts";
import type { ShownRefund } from "../ports/store-refunds.ts";
import { isNamed, nextTryOf } from "./shown-refund.ts";

/**
 * Failed refunds that the owner settled outside the service, in cash for example. A record holds who decided it, when and why; the payment's
 * timeline contains the same. The record's key is the name of the row that shows the refund, or our key of the refund where there is no such row.
 */
export const SETTLED_KIND = "settled_refund";

export type FailureLedger = Pick<PaymentLedger, "refunds"> & { readonly records: Pick<Records, "get"> };

/** A refund that failed and that nothing replaced. `row`: names the row of the store that still shows it as made; null: there is none. */
export type FailedStoreRefund = { readonly refund: Refund; readonly row: string | null };

/**
 * The refunds of a payment that failed and that nothing replaced, where a store has no state for a failed refund. It keeps counting the amount of
 * a refund that failed after it was shown, so this amount can neither be requested again there nor be recorded a second time. A refund that was
 * sent again, or replaced by one of the service's dashboard, is left out, and so is one that the owner settled outside the service. The owner's
 * own refund of a payment that pays its order counts if it was the last one.
 */
export async function findFailedRefunds(
  ledger: FailureLedger,
  payment: Payment,
  shown: readonly ShownRefund[],
): Promise<readonly FailedStoreRefund[]> {
  const refunds = await ledger.refunds(payment.id);
  const failed = [...failedRows(refunds, shown), ...failedOwnRefund(payment, refunds)];
  const areSettled = await Promise.all(failed.map((one) => isSettled(ledger, payment, one.row ?? one.refund.key)));
  return failed.filter((_, index) => !areSettled[index]);
}

// Several failed tries of one row are one failed refund.
function failedRows(refunds: readonly Refund[], shown: readonly ShownRefund[]): readonly FailedStoreRefund[] {
  return shown.flatMap((row) => {
    if (row.state === "failed") return [];
    const ofRow = refunds.filter((refund) => isNamed(row, refund));
    const last = ofRow.findLast(({ origin }) => origin === "store");
    const isReplaced = ofRow.some(({ state }) => state !== "failed");
    return last && !isReplaced ? [{ refund: last, row: row.names[0] ?? last.key }] : [];
  });
}

function failedOwnRefund(payment: Payment, refunds: readonly Refund[]): readonly FailedStoreRefund[] {
  const last = refunds.findLast(({ origin }) => origin === "tillkit");
  return isPaying(payment) && last?.state === "failed" ? [{ refund: last, row: null }] : [];
}

async function isSettled({ records }: FailureLedger, { ref: { storeId } }: Payment, key: string): Promise<boolean> {
  return (await records.get(storeId, SETTLED_KIND, key)) !== null;
}

/** Whether the owner settled this failed refund outside the service. */
export async function isRefundSettled(
  ledger: FailureLedger,
  payment: Payment,
  shown: readonly ShownRefund[],
  refund: Refund,
): Promise<boolean> {
  if (refund.state !== "failed") return false;
  const row = shown.find((one) => isNamed(one, refund))?.names[0] ?? refund.key;
  return (await isSettled(ledger, payment, row)) || (await isSettled(ledger, payment, refund.key));
}

/**
 * A refund of the service's dashboard, of the amount of a failed one, replaces it: the row of the failed refund then shows a refund that was made.
 * It counts as one more try of that row, so nobody sends another one. False: the payment has no such failed refund.
 */
export async function replaceFailedRefund(
  ledger: PaymentLedger & FailureLedger,
  paymentId: string,
  refundId: string,
  shown: readonly ShownRefund[],
): Promise<boolean> {
  let isShown = false;
  const { status } = await updatePayment({ ledger }, paymentId, async (payment) => {
    const refunds = await ledger.refunds(paymentId);
    const made = refunds.find((refund) => refund.refundId === refundId);
    if (made?.state !== "completed") return null;
    isShown = shown.some((row) => isNamed(row, made));
    const failed = isShown ? [] : await findFailedRefunds(ledger, payment, shown);
    const replaced = failed.find(({ refund, row }) => row !== null && sameMoney(refund.amount, made.amount));
    if (!replaced?.row) return null;
    return { refunds: [{ ...made, otherKeys: [...made.otherKeys, nextTryOf(replaced.row, refunds)] }] };
  });
  return isShown || status === "updated";
}
