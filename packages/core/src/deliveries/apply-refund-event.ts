import type { ServiceEvent } from "@tillkit/client/webhooks";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { jobOf } from "../payments/payment-jobs.ts";
import { externalRefundKey, syncRefunds } from "../refunds/sync-refunds.ts";

/** Reads a payment's refunds because of a REFUND_* event, unless the event reports a state that is stored already. */
export async function applyRefundEvent(engine: Engine, payment: Payment, event: ServiceEvent): Promise<void> {
  if (await isRefundKnown(engine, payment, event)) return;
  const refunds = await syncRefunds(engine, payment.id);
  const { refundId } = event;
  if (refundId === undefined || refunds.some((refund) => refund.refundId === refundId)) return;
  // The list of the service lags behind its events: a job looks for the refund again.
  const job = jobOf(payment, "refund", externalRefundKey(refundId), engine.clock.now() + limits.retryFirstMs);
  await engine.ledger.commit({ jobs: [{ ...job, once: true }], timeline: [] });
}

// A refund keeps its final state. An event that reports another state is worth a read.
async function isRefundKnown(engine: Engine, payment: Payment, { event, refundId }: ServiceEvent): Promise<boolean> {
  const reported = event === "REFUND_COMPLETED" ? "completed" : event === "REFUND_FAILED" ? "failed" : null;
  const refunds = await engine.ledger.refunds(payment.id);
  return refunds.some(
    (refund) => refund.refundId !== null && refund.refundId === refundId && refund.state === reported,
  );
}
