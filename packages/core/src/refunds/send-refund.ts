import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { amountUnitOf } from "../domain/payment.ts";
import type { Refund, RefundReading } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { updatePayment } from "../payments/update-payment.ts";
import { couldBeSameRefund, syncRefunds, updateForRefunds } from "./sync-refunds.ts";

/** `again`: this process or another process may have sent the refund before. */
export type Sending = "first" | "again";

/**
 * Sends a refund that has no result yet. The same body under the same key has one effect while the service keeps the key. After
 * that time, and after the service refused to repeat a request whose response was lost, the refund is only read.
 */
export async function sendRefund(engine: Engine, refund: Refund, sending: Sending): Promise<Refund> {
  const sent = await sendOrRead(engine, refund, sending);
  // The usual reason for a refusal is another refund, made in the service's dashboard. Refunds of the dashboard are read only while
  // none of our refunds is in doubt, because the list does not show which of the two was made.
  if (!isInDoubt(sent) && (sending === "again" || sent.state === "failed"))
    await syncOtherRefunds(engine, refund.paymentId);
  return sent;
}

async function sendOrRead(engine: Engine, stored: Refund, sending: Sending): Promise<Refund> {
  // Another process may be about to send this refund for the first time. The stored state `unknown` tells that process that its
  // request may be the repeat.
  const refund = sending === "again" ? await recordRefund(engine, { ...stored, state: "unknown" }) : stored;
  if (!isInDoubt(refund)) return refund;
  if (readOnlyFrom(refund) <= engine.clock.now()) return await settleByReading(engine, refund);
  const { paymentId, key, request } = refund;
  const { credentialId, account } = await getPayment(engine, paymentId);
  const service = await engine.tenants.service(credentialId);
  try {
    const reading = await service.refund({ paymentId, request, key, account, deadlineMs: limits.serviceCallMs });
    return await recordRefund(engine, { ...refund, ...outcomeOf(reading) });
  } catch (error) {
    if (codeOf(error) !== "refund_refused") return await recordRefund(engine, { ...refund, state: "unknown" });
    if (sending === "again" || (await wasSentElsewhere(engine, refund)))
      return await afterRefusedRepeat(engine, refund);
    return await recordRefund(engine, { ...refund, state: "failed" });
  }
}

async function wasSentElsewhere(engine: Engine, { paymentId, key }: Refund): Promise<boolean> {
  const stored = (await engine.ledger.refunds(paymentId)).find((known) => known.key === key);
  return stored?.state !== "requested";
}

/** Whether the refund may have been sent and its result is unknown. */
export function isInDoubt({ state }: Refund): boolean {
  return state === "requested" || state === "unknown";
}

/** Records a refund's new state. A final state that is stored already is kept. */
async function recordRefund(engine: Engine, refund: Refund): Promise<Refund> {
  let result = refund;
  await updatePayment(engine, refund.paymentId, async (payment) => {
    const known = await engine.ledger.refunds(refund.paymentId);
    const stored = known.find(({ key }) => key === refund.key);
    result = mergeWithStored(refund, stored);
    const isChanged = stored?.state !== result.state || stored.readOnlySince !== result.readOnlySince;
    return isChanged ? updateForRefunds(engine, payment, known, [result]) : null;
  });
  return result;
}

// Another process may have recorded the result first. That result is kept, and `unknown` never replaces a result.
function mergeWithStored(refund: Refund, stored: Refund | undefined): Refund {
  if (stored === undefined) return refund;
  if (!isInDoubt(stored)) return stored;
  return { ...refund, readOnlySince: stored.readOnlySince ?? refund.readOnlySince, otherKeys: stored.otherKeys };
}

function outcomeOf({ id, status }: RefundReading): Pick<Refund, "state" | "refundId"> {
  return { state: status, refundId: id };
}

// The refusal of a repeat proves nothing about the first request, whose response was lost.
async function afterRefusedRepeat(engine: Engine, refund: Refund): Promise<Refund> {
  const doubtful = { ...refund, state: "unknown", readOnlySince: engine.clock.now() } as const;
  const recorded = await recordRefund(engine, doubtful);
  return isInDoubt(recorded) ? await settleByReading(engine, recorded) : recorded;
}

function readOnlyFrom({ requestedAt, readOnlySince }: Refund): number {
  const keyExpiresAt = requestedAt + limits.keyLifeMs;
  return readOnlySince === null ? keyExpiresAt : Math.min(readOnlySince, keyExpiresAt);
}

// A request that the service's list does not show within `refundSettlesMs` had no effect. Before that time a failed refund in the
// list proves nothing: it may come from the dashboard while ours is not listed yet.
async function settleByReading(engine: Engine, refund: Refund): Promise<Refund> {
  const found = await findMatchingRefund(engine, refund);
  if (found === "unreadable") return refund;
  const isSettled = engine.clock.now() >= readOnlyFrom(refund) + limits.refundSettlesMs;
  if (found && (found.status !== "failed" || isSettled)) {
    return await recordRefund(engine, { ...refund, ...outcomeOf(found) });
  }
  return await recordRefund(engine, { ...refund, state: isSettled ? "failed" : "unknown" });
}

/**
 * The service's refund that matches `refund`: it was made after our request, has the same amount, and its id is not stored yet.
 * The oldest refund that did not fail is preferred, so that refunded money is never reported as failed.
 */
async function findMatchingRefund(engine: Engine, refund: Refund): Promise<RefundReading | "unreadable" | null> {
  const payment = await getPayment(engine, refund.paymentId);
  const service = await engine.tenants.service(payment.credentialId);
  const since = refund.requestedAt - limits.clockSkewMs;
  const query = { transactionId: refund.transactionId, since, deadlineMs: limits.serviceCallMs };
  try {
    const readings = await service.readRefunds(payment, query);
    const known = await engine.ledger.refunds(payment.id);
    const ids = new Set(known.map(({ refundId }) => refundId));
    const unit = amountUnitOf(payment);
    // A refund without a creation time may be an older refund from the dashboard.
    const candidates = readings.filter(
      (reading) => reading.createdAt !== undefined && !ids.has(reading.id) && couldBeSameRefund(refund, reading, unit),
    );
    const oldestFirst = candidates.toSorted((left, right) => (left.createdAt ?? 0) - (right.createdAt ?? 0));
    return oldestFirst.find(({ status }) => status !== "failed") ?? oldestFirst[0] ?? null;
  } catch (error) {
    engine.log.info("refund.read_failed", { paymentId: payment.id, code: codeOf(error) });
    return "unreadable";
  }
}

// A failed read does not change the result of the refund that was sent.
async function syncOtherRefunds(engine: Engine, paymentId: string): Promise<void> {
  await syncRefunds(engine, paymentId).catch((error: unknown) => {
    engine.log.info("refund.sync_failed", { paymentId, code: codeOf(error) });
  });
}
