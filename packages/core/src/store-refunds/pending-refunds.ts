import { codeOf } from "../domain/checkout-error.ts";
import type { Refund } from "../domain/refund.ts";
import type { Log } from "../ports/log.ts";
import type { PaymentLedger } from "../ports/payment-ledger.ts";
import type { ShownRefund } from "../ports/store-refunds.ts";
import { isNamed } from "./shown-refund.ts";

/** A refund that the store shows as pending. */
export type PendingRefund = Pick<ShownRefund, "names"> & { readonly paymentId: string };
export type EndedAs = "made" | "failed";

type RefundLedger = Pick<PaymentLedger, "refunds">;

/** Ends the pending refunds of a store as they ended at the service. */
export async function endPendingRefunds<Row extends PendingRefund>(
  { ledger, log }: { readonly ledger: RefundLedger; readonly log: Pick<Log, "warn"> },
  pending: AsyncIterable<Row>,
  end: (row: Row, as: EndedAs, refundId: string | null) => Promise<void>,
): Promise<void> {
  for await (const row of pending) {
    const refund = await findRefund(ledger, row);
    const as = refund && endOf(refund);
    if (!as) continue;
    await end(row, as, refund.refundId).catch((error: unknown) =>
      log.warn("refund.not_updated", { paymentId: row.paymentId, code: codeOf(error) }),
    );
  }
}

/**
 * Whether the refund ended so at the service. A store whose person may end a pending refund by hand asks first: a refund that is ended as made
 * and fails later could not be refunded again.
 */
export async function hasEndedAs(ledger: RefundLedger, row: PendingRefund, as: EndedAs): Promise<boolean> {
  const refund = await findRefund(ledger, row);
  return refund !== undefined && endOf(refund) === as;
}

async function findRefund(ledger: RefundLedger, row: PendingRefund): Promise<Refund | undefined> {
  return (await ledger.refunds(row.paymentId)).find((refund) => isNamed(row, refund));
}

function endOf({ state }: Refund): EndedAs | null {
  if (state === "completed") return "made";
  return state === "failed" ? "failed" : null;
}
