import type { ServiceEvent } from "@tillkit/client/webhooks";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { RefundState } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { jobOf } from "../payments/payment-jobs.ts";
import { externalRefundKey } from "../refunds/external-refund.ts";
import { syncRefunds } from "../refunds/sync-refunds.ts";

/** Reads a payment's refunds because of a REFUND_* event, unless the event reports a state that is stored already. */
export async function applyRefundEvent(engine: Engine, payment: Payment, event: ServiceEvent): Promise<void> {
  if (await isRefundKnown(engine, payment, event)) return;
  const refunds = await syncRefunds(engine, payment.id);
  const { refundId } = event;
  if (refundId === undefined || refunds.some((refund) => refund.refundId === refundId)) return;
  // The service's list of refunds lags behind the events: a job looks for the refund again.
  const task = { kind: "refund", key: externalRefundKey(refundId) } as const;
  const job = jobOf(payment, task, engine.clock.now() + limits.retryFirstMs);
  await engine.ledger.commit({ jobs: [{ ...job, once: true }], timeline: [] });
}

/** The final state that an event reports. A refund keeps its final state, so a repeated event needs no read. */
const REPORTED_STATES: Readonly<Record<string, RefundState>> = {
  REFUND_COMPLETED: "completed",
  REFUND_FAILED: "failed",
};

async function isRefundKnown(engine: Engine, payment: Payment, { event, refundId }: ServiceEvent): Promise<boolean> {
  const refunds = await engine.ledger.refunds(payment.id);
  return refunds.some((refund) => refund.refundId === refundId && refund.state === REPORTED_STATES[String(event)]);
}
