import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { amountUnitOf } from "../domain/payment.ts";
import type { Refund, RefundReading } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { updatePayment } from "../payments/update-payment.ts";
import { couldBeSameRefund, refundsUpdate, syncRefunds } from "./sync-refunds.ts";

/** `again`: it may have been sent before, by this process or another. */
export type Sending = "first" | "again";

/**
 * Sends a refund that has no answer yet: the same body under the same key has one effect as long as the service keeps the key.
 * After that, and after the service refused to repeat a request whose answer was lost, the outcome is only read.
 */
export async function sendRefund(engine: Engine, refund: Refund, sending: Sending): Promise<Refund> {
  const sent = await send(engine, refund, sending);
  // A refusal has its reason in refunds of the dashboard, most often; beside one in doubt they could not be told apart.
  if (!isInDoubt(sent) && (sending === "again" || sent.state === "failed"))
    await syncOtherRefunds(engine, refund.paymentId);
  return sent;
}

async function send(engine: Engine, asked: Refund, sending: Sending): Promise<Refund> {
  // Whoever asked first may still be about to send it: from now on a refusal that it gets may be that of a repeat.
  const refund = sending === "again" ? await recordRefund(engine, { ...asked, state: "unknown" }) : asked;
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
  const stored = (await engine.ledger.refunds(paymentId)).find((one) => one.key === key);
  return stored?.state !== "asked";
}

/** Whether it may have been sent and its outcome is not known. */
export function isInDoubt({ state }: Refund): boolean {
  return state === "asked" || state === "unknown";
}

/** Records what was learned of a refund; an outcome that is known already stands. */
async function recordRefund(engine: Engine, refund: Refund): Promise<Refund> {
  let result = refund;
  await updatePayment(engine, refund.paymentId, async (payment) => {
    const known = await engine.ledger.refunds(refund.paymentId);
    const stored = known.find(({ key }) => key === refund.key);
    result = merged(refund, stored);
    const isNews =
      result !== stored && !(stored?.state === result.state && stored.readOnlySince === result.readOnlySince);
    return isNews ? refundsUpdate(engine, payment, known, [result]) : null;
  });
  return result;
}

// Another process may have been faster: the outcome that it read stands, and a doubt never replaces an answer.
function merged(refund: Refund, stored: Refund | undefined): Refund {
  if (stored === undefined) return refund;
  if (!isInDoubt(stored)) return stored;
  return { ...refund, readOnlySince: stored.readOnlySince ?? refund.readOnlySince, otherKeys: stored.otherKeys };
}

function outcomeOf({ id, status }: RefundReading): Pick<Refund, "state" | "refundId"> {
  return { state: status, refundId: id };
}

// Refusing to repeat a request says nothing about the request itself, whose answer was lost.
async function afterRefusedRepeat(engine: Engine, refund: Refund): Promise<Refund> {
  const doubtful = { ...refund, state: "unknown", readOnlySince: engine.clock.now() } as const;
  const kept = await recordRefund(engine, doubtful);
  return isInDoubt(kept) ? await settleByReading(engine, kept) : kept;
}

function readOnlyFrom({ askedAt, readOnlySince }: Refund): number {
  return Math.min(readOnlySince ?? Number.POSITIVE_INFINITY, askedAt + limits.keyLifeMs);
}

// A request that the service's list does not show some minutes after it was sent last had no effect. A failed refund in the list
// proves no more than that before then: it may be one of the dashboard, while ours is not listed yet.
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
 * The refund of the service that must be this one: made since this one was requested, of its amount, and not known by its id.
 * The oldest one that did not fail comes first, so that money which went back is never called failed.
 */
async function findMatchingRefund(engine: Engine, refund: Refund): Promise<RefundReading | "unreadable" | null> {
  const payment = await getPayment(engine, refund.paymentId);
  const service = await engine.tenants.service(payment.credentialId);
  const since = refund.askedAt - limits.clockSkewMs;
  const want = { transactionId: refund.transactionId, since, deadlineMs: limits.serviceCallMs };
  try {
    const readings = await service.readRefunds(payment, want);
    const known = await engine.ledger.refunds(payment.id);
    const ids = new Set(known.map(({ refundId }) => refundId));
    const unit = amountUnitOf(payment);
    // One of which nobody says when it was made may be an older one of the dashboard.
    const made = readings.filter(
      (one) => one.createdAt !== undefined && !ids.has(one.id) && couldBeSameRefund(refund, one, unit),
    );
    const oldestFirst = made.toSorted((left, right) => (left.createdAt ?? 0) - (right.createdAt ?? 0));
    return oldestFirst.find(({ status }) => status !== "failed") ?? oldestFirst[0] ?? null;
  } catch (error) {
    engine.log.info("refund.not_read", { paymentId: payment.id, code: codeOf(error) });
    return "unreadable";
  }
}

// That they cannot be read now changes nothing.
async function syncOtherRefunds(engine: Engine, paymentId: string): Promise<void> {
  await syncRefunds(engine, paymentId).catch((error: unknown) => {
    engine.log.info("refund.not_looked_up", { paymentId, code: codeOf(error) });
  });
}
