import { codeOf } from "../domain/checkout-error.ts";
import { keySendBy, limits } from "../domain/limits.ts";
import { isInDoubt, type Refund, type RefundReading } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { getPayment, updatePayment } from "../payments/stored-payment.ts";
import { unmarkedKeyOf, withoutMark } from "../signing/refund-mark.ts";
import { readRefundEvidence } from "./refund-evidence.ts";
import { identifiedRefund, readAmount, refundContext, withPastRequest } from "./refund-reading.ts";
import { syncRefunds, updateForRefunds } from "./sync-refunds.ts";

/** `again`: this process or another process may have sent the refund before. */
export type Sending = "first" | "again";

/**
 * Sends a refund that has no result yet. The same body under the same key has one effect while the service keeps the key. After
 * that time, and after the service refused to repeat a request whose response was lost, the refund is only read. A refund whose
 * result the service's answers leave open stays in doubt: its job keeps failing, so operators see it.
 */
export async function sendRefund(engine: Engine, refund: Refund, sending: Sending): Promise<Refund> {
  const sent = await sendOrRead(engine, refund, sending);
  // The usual reason for a refusal is another refund, made in the service's dashboard.
  if (!isInDoubt(sent) && (sending === "again" || sent.state === "failed"))
    await syncOtherRefunds(engine, refund.paymentId);
  return sent;
}

async function sendOrRead(
  engine: Engine,
  stored: Refund,
  sending: Sending,
  readAt: number = sending === "first" ? stored.requestedAt : engine.clock.now(),
): Promise<Refund> {
  // Another process may be about to send this refund for the first time. The stored state `unknown` tells that process that its
  // request may be the repeat.
  const refund = sending === "again" ? await recordRefund(engine, await doubtful(engine, stored)) : stored;
  if (!isInDoubt(refund)) return refund;
  if (readOnlyFrom(refund) <= engine.clock.now()) return await settleByReading(engine, refund);
  if (mustBeReadFirst(refund, engine.clock.now())) {
    const evidence = await readRefundEvidence(engine, refund);
    if (evidence.kind === "made") return await recordOutcome(engine, refund, evidence.reading);
    if (evidence.kind !== "absent") return refund;
  }
  try {
    const reading = await postRefund(engine, refund, readAt);
    const other = await otherRefund(engine, refund, reading);
    // An answer that names an earlier refund of ours does not show what became of this one.
    if (other && other.origin !== "service") return await afterRefusedRepeat(engine, refund);
    return await recordOutcome(engine, refund, reading, other);
  } catch (error) {
    return await afterFailedPost(engine, refund, sending, codeOf(error));
  }
}

async function doubtful(engine: Engine, refund: Refund): Promise<Refund> {
  const now = engine.clock.now();
  const past = withPastRequest(await getPayment(engine, refund.paymentId), refund, now);
  const { readOnlySince } = refund;
  const isAhead = readOnlySince !== null && readOnlySince > now + limits.clockSkewMs;
  return { ...past, state: "unknown", readOnlySince: isAhead ? now : readOnlySince };
}

async function postRefund(engine: Engine, refund: Refund, readAt: number): Promise<RefundReading> {
  const { paymentId, request, unmarkedKey, requestedAt } = refund;
  const { credentialId, account } = await getPayment(engine, paymentId);
  const service = await engine.tenants.service(credentialId);
  const sendBy = Math.min(keySendBy(requestedAt, engine.clock.now()), readAt + limits.refundSendMs);
  const call = { deadlineMs: limits.serviceCallMs, sendBy };
  return await service.refund({ paymentId, request, key: unmarkedKey ?? refund.key, account, ...call });
}

async function afterFailedPost(engine: Engine, refund: Refund, sending: Sending, code: string): Promise<Refund> {
  // The refund was sent before with another body, and a restored ledger has forgotten it: nobody knows what became of it.
  if (code === "refund_key_reused") return await afterRefusedRepeat(engine, refund);
  if (code !== "refund_refused" && code !== "refund_reason_refused")
    return await recordRefund(engine, { ...refund, state: "unknown" });
  if (sending === "again" || (await wasSentElsewhere(engine, refund))) return await afterRefusedRepeat(engine, refund);
  const isMarkRefused = code === "refund_reason_refused" && refund.mark !== null;
  return isMarkRefused
    ? await sendUnmarked(engine, refund)
    : await recordRefund(engine, { ...refund, state: "failed" });
}

/**
 * The service refused the mark, so it made no refund. The decision is sent once more without the mark, as a new body under a new key
 * that is stored first.
 */
async function sendUnmarked(engine: Engine, refund: Refund): Promise<Refund> {
  const { reason, ...body } = JSON.parse(refund.request) as { readonly reason: string };
  const request = JSON.stringify({ ...body, reason: withoutMark(reason, refund.mark) });
  const unmarked = { ...refund, request, mark: null, unmarkedKey: unmarkedKeyOf(refund.key) };
  const readAt = engine.clock.now();
  const { status } = await updatePayment(engine, refund.paymentId, async () => {
    const stored = (await engine.ledger.refunds(refund.paymentId)).find(({ key }) => key === refund.key);
    return stored?.state === "requested" && stored.unmarkedKey === null ? { refunds: [unmarked] } : null;
  });
  // Another process continues this refund already.
  return status === "updated" ? await sendOrRead(engine, unmarked, "first", readAt) : refund;
}

async function wasSentElsewhere(engine: Engine, { paymentId, key }: Refund): Promise<boolean> {
  const stored = (await engine.ledger.refunds(paymentId)).find((known) => known.key === key);
  return stored?.state !== "requested";
}

/** Whether the refund has been in doubt for so long that reading it again soon would only cost calls. */
export function isLongInDoubt(refund: Refund, now: number): boolean {
  return isInDoubt(refund) && (isSettleable(refund, now) || now >= refund.requestedAt + limits.sendAgainUnreadMs);
}

function isSettleable(refund: Refund, now: number): boolean {
  return now >= readOnlyFrom(refund) + limits.refundSettlesMs;
}

/** Records a refund's new state. A final state that is stored already is kept. */
async function recordRefund(engine: Engine, refund: Refund, others: readonly Refund[] = []): Promise<Refund> {
  let result = refund;
  await updatePayment(engine, refund.paymentId, async (payment) => {
    const known = await engine.ledger.refunds(refund.paymentId);
    const stored = known.find(({ key }) => key === refund.key);
    result = mergeWithStored(refund, stored);
    const isChanged =
      stored?.state !== result.state ||
      stored.refundId !== result.refundId ||
      stored.requestedAt !== result.requestedAt ||
      stored.readOnlySince !== result.readOnlySince;
    return isChanged ? await updateForRefunds(engine, payment, [result, ...others]) : null;
  });
  return result;
}

// Another process may have recorded the result first. That result is kept, and `unknown` never replaces a result. What a person said
// names no refund of the service, so an answer that names one replaces it.
function mergeWithStored(refund: Refund, stored: Refund | undefined): Refund {
  if (stored === undefined) return refund;
  const isPersonsWord = stored.refundId === null && refund.refundId !== null;
  if (!isInDoubt(stored) && !isPersonsWord) return stored;
  const { request, mark, unmarkedKey, otherKeys } = stored;
  return {
    ...refund,
    request,
    mark,
    unmarkedKey,
    otherKeys,
    readOnlySince: earliest(stored.readOnlySince, refund.readOnlySince),
  };
}

function earliest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

async function otherRefund(engine: Engine, { paymentId, key }: Refund, reading: RefundReading): Promise<Refund | null> {
  const identified = identifiedRefund(await refundContext(engine, await getPayment(engine, paymentId)), reading);
  return identified && identified.key !== key ? identified : null;
}

/**
 * Records what the service answered. It may refund another amount than it was asked for; the amount that went back counts.
 *
 * @param external the same refund, which was listed without a mark after the ledger was restored and was taken for one of the dashboard:
 * the answer under our key proves that it is ours, so it no longer counts
 */
async function recordOutcome(
  engine: Engine,
  refund: Refund,
  reading: RefundReading,
  external: Refund | null = null,
): Promise<Refund> {
  const { id: refundId, status: state } = reading;
  const amount = readAmount(await getPayment(engine, refund.paymentId), reading) ?? refund.amount;
  const replaced = external === null ? [] : [{ ...external, state: "failed" as const, refundId: null }];
  return await recordRefund(engine, { ...refund, state, refundId, amount }, replaced);
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

// A clock that was ahead at the request and corrected since makes the key look younger than it is.
function mustBeReadFirst({ requestedAt }: Refund, now: number): boolean {
  return now < requestedAt || now >= requestedAt + limits.sendAgainUnreadMs;
}

// A request that the service does not show within `refundSettlesMs` had no effect. Before that time a failed refund in the list
// proves nothing: it may come from the dashboard while ours is not listed yet.
async function settleByReading(engine: Engine, refund: Refund): Promise<Refund> {
  const evidence = await readRefundEvidence(engine, refund);
  if (evidence.kind === "made") return await recordOutcome(engine, refund, evidence.reading);
  const isSettled = isSettleable(refund, engine.clock.now());
  // Older refunds that were never read make the transaction's refunded amount disagree.
  if (evidence.kind === "unclear" && isSettled) await syncOtherRefunds(engine, refund.paymentId);
  if (evidence.kind !== "absent" || !isSettled) return await recordRefund(engine, { ...refund, state: "unknown" });
  // A failed refund is made again, so nothing may have been overlooked: a clock that was ahead dates the request after its row, and a list
  // that skips the row shows only that one is missing.
  const all = await readRefundEvidence(engine, refund, "payment");
  if (all.kind === "made") return await recordOutcome(engine, refund, all.reading);
  if (all.kind !== "absent") return await recordRefund(engine, { ...refund, state: "unknown" });
  if (evidence.failed) return await recordOutcome(engine, refund, evidence.failed);
  return await recordRefund(engine, { ...refund, state: "failed" });
}

// A failed read does not change the result of the refund that was sent.
async function syncOtherRefunds(engine: Engine, paymentId: string): Promise<void> {
  await syncRefunds(engine, paymentId).catch((error: unknown) => {
    engine.log.info("refund.sync_failed", { paymentId, code: codeOf(error) });
  });
}
