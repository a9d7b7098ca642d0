import type { Payment } from "@tillkit/core";
import { userError } from "../errors/user-error.ts";
import { recordSettlement, type Settlement } from "../refunds/settled-refunds.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { findProblems } from "./payment-problems.ts";

/**
 * Takes a failed refund that the owner settled outside the service off the admin page. Nothing is sent for it afterwards, and the
 * reason is kept.
 *
 * @param key the key of the failed refund, as the admin shows it
 * @throws Error with a text for the person who clicked
 */
export async function settleRefund(
  runtime: CheckoutRuntime,
  payment: Payment,
  { key, ...settlement }: Settlement & { readonly key: string },
): Promise<void> {
  // A refund must not be sent again and settled at the same time.
  await runtime.refundMutex.runExclusive(payment.id, async () => {
    const { failedRefunds, failedOwnRefund } = await findProblems(runtime, payment);
    const failed = failedRefunds.find(({ refund }) => refund.key === key);
    if (failed) return await recordSettlement(runtime, payment, { ...failed.refund, key: failed.row }, settlement);
    if (failedOwnRefund?.key !== key) throw userError("refundNotFailed");
    await recordSettlement(runtime, payment, failedOwnRefund, settlement);
  });
}
