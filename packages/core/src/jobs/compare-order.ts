import { confirmPayment } from "../confirm/confirm-payment.ts";
import type { ConfirmResult } from "../confirm/confirm-result.ts";
import type { Finding } from "../domain/finding.ts";
import { type Job, WRITE_IN_FLIGHT } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import { wasRecorded } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { recordEntry } from "../payments/record-entry.ts";
import { readOrderOrUnreadable } from "../stores/call-store.ts";
import type { JobResult } from "./job-result.ts";
import { writeUnderLease } from "./write-under-lease.ts";

/** The states of a payment that may count for its order after all, once the order shows it. */
const MAY_COUNT: ReadonlySet<PaymentState> = new Set(["verified", "review", "duplicate"]);

/**
 * Compares an order with the ledger after a write whose answer was lost. An order that shows the payment is recorded where the payment
 * may still count. Where its money has gone back, the order is marked and the job waits for a person, so that alerts, pages and
 * commands show it.
 */
export async function compareOrder(
  engine: Engine,
  payment: Payment,
  { attempts }: Pick<Job, "attempts">,
  resultOf: (results: readonly ConfirmResult[]) => JobResult,
): Promise<JobResult> {
  const order = await readOrderOrUnreadable(engine, payment);
  const timeline = await engine.ledger.timeline({ paymentId: payment.id });
  if (order === null || order === "unreadable" || order.paidBy !== payment.id) {
    // A shop may take a request later than it declares. To a clock that is months ahead, everything happened long ago.
    const now = engine.clock.now();
    const isOver = timeline.every(({ at }) => at + limits.comparedForMs <= now);
    const isOften = attempts * limits.compareAgainMs >= limits.comparedForMs;
    return isOver && isOften ? "done" : { retryAt: now + limits.compareAgainMs, error: WRITE_IN_FLIGHT };
  }
  if (MAY_COUNT.has(payment.state)) {
    return resultOf([await confirmPayment(engine, payment.id, { actor: "timer", includeDuplicate: true })]);
  }
  // A payment that was recorded and refunded later stays on its order.
  if (payment.state === "recorded" || wasRecorded(timeline)) return "done";
  const amount = payment.amountReceived ?? payment.amountDue;
  const finding: Finding = { code: "refunded_but_shown", amount };
  const isMoneyBack = (current: Payment) => !MAY_COUNT.has(current.state);
  let isMarked = false;
  const write = await writeUnderLease(
    engine,
    payment,
    "holdForReview",
    isMoneyBack,
    async (store, { ref, attempt }) => {
      await store.holdForReview(ref, attempt, finding);
      isMarked = true;
    },
  );
  if (!isMarked) return write;
  await recordEntry(engine, payment.id, "store", { kind: "held", finding });
  const message = "The order shows this payment as paid, but its money went back: correct the order.";
  return { retryAt: null, error: { code: "refunded_but_shown", message } };
}
