import { CheckoutError } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type { Change, PaymentLedger } from "../ports/payment-ledger.ts";

export async function getPayment(
  engine: { readonly ledger: Pick<PaymentLedger, "find"> },
  paymentId: string,
): Promise<Payment> {
  const payment = await engine.ledger.find({ id: paymentId });
  if (!payment) throw new CheckoutError("payment_not_found", "There is no such payment: start again from the shop.");
  return payment;
}

/** A change of a payment and the rows that are committed together with it. */
export type PaymentUpdate = Pick<Change, "jobs" | "transactions" | "refunds" | "disputes"> & {
  readonly change?: Partial<Payment>;
  readonly timeline?: readonly TimelineEntry[];
};

/** `conflict`: other processes changed the payment in every round, or the lease was lost. `taken`: a unique rule rejected the change. */
export type UpdateResult = {
  readonly status: "updated" | "unchanged" | "conflict" | "taken";
  readonly payment: Payment;
};

/**
 * Changes one payment under the version that was read. When another process commits first, the payment is read again and the
 * update is computed again, so the other process's change is not overwritten.
 *
 * @param updateFor computes the update; null: nothing to change
 * @param options.payment the payment as it was read last; default: read from the ledger
 * @param options.fence commits only while this lease of the order is held
 * @throws CheckoutError `payment_not_found`
 */
export async function updatePayment(
  engine: { readonly ledger: PaymentLedger },
  paymentId: string,
  updateFor: (payment: Payment) => Promise<PaymentUpdate | null> | PaymentUpdate | null,
  options: { readonly payment?: Payment; readonly fence?: { readonly ref: OrderRef; readonly value: number } } = {},
): Promise<UpdateResult> {
  let payment = options.payment ?? (await getPayment(engine, paymentId));
  let wasTaken = false;
  for (let round = 0; round < limits.maxCommitAttempts; round += 1) {
    const update = await updateFor(payment);
    if (update === null) return { status: "unchanged", payment };
    const { change, timeline = [], ...others } = update;
    const next = { ...payment, ...change, version: payment.version + 1 };
    const answer = await engine.ledger.commit({
      ...(options.fence ? { fence: options.fence } : {}),
      ...others,
      payment: { next, expect: payment.version },
      timeline,
    });
    if (answer === "done") return { status: "updated", payment: next };
    // Another payment of the order may have changed since the update was computed, so it is computed once more.
    if (answer === "taken" && wasTaken) return { status: "taken", payment };
    wasTaken = answer === "taken";
    payment = await getPayment(engine, paymentId);
  }
  return { status: "conflict", payment };
}

/**
 * Repeats `attempt` while it returns null because another process committed first.
 *
 * @param busyMessage the error message after the last round
 * @throws CheckoutError `ledger_busy` (retryable)
 */
export async function retryOnConflict<Value>(
  busyMessage: string,
  attempt: (round: number) => Promise<Value | null>,
): Promise<Value> {
  for (let round = 0; round < limits.maxCommitAttempts; round += 1) {
    const value = await attempt(round);
    if (value !== null) return value;
  }
  throw new CheckoutError("ledger_busy", busyMessage, { retryable: true });
}
