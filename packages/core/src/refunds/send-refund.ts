import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { amountUnitOf } from "../domain/payment.ts";
import type { Refund, RefundReading } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { getPayment } from "../payments/get-payment.ts";
import { couldBeSameRefund, recordRefunds, syncRefunds } from "./sync-refunds.ts";

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
  for (let round = 0; round < limits.commitRounds; round += 1) {
    const payment = await getPayment(engine, refund.paymentId);
    const known = await engine.ledger.refunds(refund.paymentId);
    const stored = known.find(({ key }) => key === refund.key);
    // Another process was faster: what it read stands, and doubt never replaces an answer.
    if (stored && !isInDoubt(stored)) return stored;
    const readOnlySince = stored?.readOnlySince ?? refund.readOnlySince;
    const next = { ...refund, readOnlySince, otherKeys: stored?.otherKeys ?? refund.otherKeys };
    if (stored?.state === next.state && stored.readOnlySince === readOnlySince) return next;
    if (await recordRefunds(engine, payment, known, [next])) return next;
  }
  return refund;
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

// A request that is nowhere to be seen some minutes after the last one was sent has had no effect.
async function settleByReading(engine: Engine, refund: Refund): Promise<Refund> {
  const found = await findMatchingRefund(engine, refund);
  if (found === "unreadable") return refund;
  if (found) return await recordRefund(engine, { ...refund, ...outcomeOf(found) });
  const isSettled = engine.clock.now() >= readOnlyFrom(refund) + limits.refundSettlesMs;
  return await recordRefund(engine, { ...refund, state: isSettled ? "failed" : "unknown" });
}

/** The refund of the service that must be this one: made since it was asked for, of its amount, and no other that we know. */
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
    return made.sort((left, right) => (left.createdAt ?? 0) - (right.createdAt ?? 0))[0] ?? null;
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
