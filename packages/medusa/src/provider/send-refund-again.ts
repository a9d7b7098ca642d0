import { type HostDecision, type Payment, type Refund, refundPayment } from "@tillkit/core";
import { changedError } from "../errors/changed-error.ts";
import { findFailedRefunds } from "../refunds/failed-refunds.ts";
import { countRepeats, repeatedRefundKeyOf } from "../refunds/refund-rows.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { waitWhilePending } from "./refund.ts";

/**
 * Sends a new refund in place of one that failed after Medusa had shown it, with the same amount. Medusa's row of the failed refund
 * stays and then shows the new one. Repeated calls send one refund; a call after another failure sends the next.
 *
 * @param key the key of the failed refund, as the admin shows it
 * @throws CheckoutError `ledger_busy` when the payment is not as the person saw it; as `refundPayment` does
 */
export async function sendRefundAgain(
  runtime: CheckoutRuntime,
  payment: Payment,
  { key, by, stillApplies }: HostDecision & { readonly key: string },
): Promise<Refund> {
  // Read before the failed refund is looked up: a try that somebody else sends in between gets the same number here.
  const known = await runtime.ledger.refunds(payment.id);
  const failed = (await findFailedRefunds(runtime, payment)).find(({ refund }) => refund.key === key);
  if (!failed) throw changedError();
  const { row, refund } = failed;
  // Every earlier try of this row failed, so their number names the next one, in every process.
  const tries = countRepeats(known, row);
  const request = {
    paymentId: payment.id,
    key: repeatedRefundKeyOf(row, tries + 1),
    amount: refund.amount,
    origin: "store",
    // Another refund of this amount belongs to another row of Medusa and is another decision.
    reusesKeys: true,
    by,
    stillApplies,
  } as const;
  return await waitWhilePending(runtime, await refundPayment(runtime.engine, request));
}
