import { codeOf } from "../domain/checkout-error.ts";
import type { JobError } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Order } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import { safeReason, safeText } from "../domain/safe-text.ts";
import type { Engine } from "../engine.ts";
import {
  type StoreAdapter,
  StoreError,
  type StoreErrorCode,
  type WriteClass,
  type WritingMember,
} from "../ports/store-adapter.ts";
import type { StoreCallKind } from "../resilience/store-blocks.ts";
import { withDeadline } from "../resilience/timers.ts";

/**
 * Calls a store with a deadline and a circuit breaker. A call without a response in time may have had its effect, so it fails
 * with `unknown`.
 */
async function callStore<Value>(
  engine: Engine,
  { id, ref }: Pick<Payment, "id" | "ref">,
  kind: StoreCallKind,
  call: () => Promise<Value>,
): Promise<Value> {
  const target = `store:${ref.storeId}`;
  const openUntil = engine.circuitBreakers.openUntil(target);
  if (openUntil !== null) {
    const retryAt = engine.circuitBreakers.retryAt(target) ?? openUntil;
    throw new StoreError("unavailable", "The store does not respond at the moment; it is tried again soon.", {
      retryAt,
    });
  }
  try {
    const value = await withDeadline(engine.clock, limits.storeCallMs, call(), notInTime);
    engine.circuitBreakers.record(target, id, true);
    await engine.storeBlocks.answered(ref.storeId, kind);
    return value;
  } catch (error) {
    const isRefused = codeOf(error) === "reconnect";
    const hasResponded = isRefused || codeOf(error) === "owner" || isUnsupportedTotal(error);
    engine.circuitBreakers.record(target, id, hasResponded);
    if (isRefused) throw refusedError(error, await engine.storeBlocks.refused(ref.storeId, kind));
    if (hasResponded) await engine.storeBlocks.answered(ref.storeId, kind);
    throw error;
  }
}

function notInTime(): StoreError {
  return new StoreError("unknown", `The store did not respond within ${limits.storeCallMs / 1_000} seconds.`);
}

function refusedError(error: unknown, retryAt: number): StoreError {
  const message = error instanceof Error ? error.message : "The store refuses us.";
  const { platformCode = null } = error as { readonly platformCode?: string | null };
  return new StoreError("reconnect", message, { cause: error, platformCode, retryAt });
}

/**
 * Makes sure that a store that refuses us is tried by one call at a time. Before a write it is asked before the intent is committed.
 * @throws StoreError `reconnect` with the time of the next try
 */
export async function assertNotRefused(engine: Engine, payment: Payment, kind: StoreCallKind): Promise<void> {
  const { id, ref } = payment;
  const waitsUntil = engine.clock.now() + limits.shopperCallMs;
  let answer = await engine.storeBlocks.ask(ref.storeId, kind, id);
  // A shopper is not turned away because another payment probes right now.
  while (typeof answer === "object" && answer.isProbed && engine.clock.now() < waitsUntil) {
    await engine.clock.sleep(limits.breakerProbeMs);
    answer = await engine.storeBlocks.ask(ref.storeId, kind, id);
  }
  if (answer === "call") return;
  if (answer === "probe") return await probeStore(engine, payment, kind);
  const retryAt = answer.askAgainAt;
  throw new StoreError("reconnect", "The store refuses us at the moment; it is tried again soon.", { retryAt });
}

// A read shows by itself whether the store answers. Before a payment is written, a store that can be asked for less is asked.
async function probeStore(engine: Engine, { id, ref }: Payment, kind: StoreCallKind): Promise<void> {
  const store = await engine.store(ref.storeId);
  if (kind !== "pay" || store.assertReachable === undefined) return;
  try {
    await withDeadline(engine.clock, limits.storeCallMs, store.assertReachable(), notInTime);
  } catch (error) {
    if (codeOf(error) === "reconnect") throw refusedError(error, await engine.storeBlocks.refused(ref.storeId, kind));
    engine.circuitBreakers.record(`store:${ref.storeId}`, id, false);
    throw error;
  }
}

/** Whether the last call to the payment's store failed, as far as this process knows. */
export function hasStoreFailed({ circuitBreakers, storeBlocks }: Engine, { ref: { storeId } }: Payment): boolean {
  return circuitBreakers.hasFailed(`store:${storeId}`) || storeBlocks.isKnown(storeId);
}

/**
 * Writes to a store right after the intent was committed. A process that slept in between does not write: the wait of the next writer counts
 * from the intent, and the adapter counts from now.
 */
export async function writeToStore<Value>(
  engine: Engine,
  intent: Payment,
  kind: "pay" | "write",
  call: () => Promise<Value>,
): Promise<Value> {
  const { storeWriteAt } = intent;
  const isLate = storeWriteAt !== null && engine.clock.now() > storeWriteAt + limits.writeStartsMs;
  if (isLate) throw new StoreError("unavailable", "This process was stopped before its write, so nothing was sent.");
  return await callStore(engine, intent, kind, call);
}

// The store's response shows a total that the service cannot accept.
function isUnsupportedTotal(error: unknown): boolean {
  const code = codeOf(error);
  return code === "amount_invalid" || code === "currency_not_supported";
}

export async function readOrder(engine: Engine, payment: Payment): Promise<Order | null> {
  const store = await engine.store(payment.ref.storeId);
  await assertNotRefused(engine, payment, "read");
  return await callStore(engine, payment, "read", () => store.findOrder(payment.ref, payment.attempt));
}

/**
 * The order as its store shows it now; `unreadable` after a merchant edited it to a total that the service cannot accept, which is
 * no outage of the store.
 */
export async function readOrderOrUnreadable(engine: Engine, payment: Payment): Promise<Order | "unreadable" | null> {
  try {
    return await readOrder(engine, payment);
  } catch (error) {
    if (isUnsupportedTotal(error)) return "unreadable";
    throw error;
  }
}

/** An error without one of the store codes counts as `unknown`, because the call may have had its effect. */
export function storeErrorCode(error: unknown): StoreErrorCode {
  const code = codeOf(error);
  return code === "unavailable" || code === "reconnect" || code === "owner" ? code : "unknown";
}

/** Why a call to the store failed, for the job that tries again. */
export function storeJobError(error: unknown): JobError & { readonly code: StoreErrorCode } {
  // An adapter may come with a core of its own, so its error is known by its fields.
  const { platformCode } = (error ?? {}) as { readonly platformCode?: unknown };
  const hasCode = typeof platformCode === "string";
  const reason = hasCode ? { reason: { kind: "platform_error", code: safeText(platformCode) } as const } : {};
  return { code: storeErrorCode(error), message: safeReason(error), ...reason };
}

/** What the store does with a second or late call of this member. */
export function writeClassOf({ writes, memberWrites }: StoreAdapter, member: WritingMember): WriteClass {
  return (member === "markPaid" ? undefined : memberWrites?.[member]) ?? writes;
}

/**
 * When this member may write to the order. A request whose response was lost may still be in flight, and the ledger does not say of
 * which member it is. The write waits if its own class demands it, because it relies on what it reads, and if the store would
 * carry out the request in flight however late. The payments of an order share this wait.
 */
export async function earliestWriteAt(
  engine: Engine,
  store: StoreAdapter,
  member: WritingMember,
  payments: readonly Payment[],
): Promise<number> {
  let earliest = 0;
  for (const payment of payments) {
    const { storeWriteAt } = payment;
    if (storeWriteAt === null) continue;
    const members = [member, ...(await membersUnderWay(engine, store, payment))];
    earliest = Math.max(earliest, ...members.map((one) => settledAt(storeWriteAt, writeClassOf(store, one))));
  }
  return earliest;
}

// The members that may have made the payment's unanswered write. A refund is stored in the ledger before it is written to a store.
async function membersUnderWay(
  { ledger }: Engine,
  { recordRefund }: StoreAdapter,
  { id }: Payment,
): Promise<readonly WritingMember[]> {
  const mayBeRefund = recordRefund !== undefined && (await ledger.refunds(id)).length > 0;
  return [
    ...(["markPaid", "holdForReview", "markPending", "markRefused", "addNote"] as const),
    ...(mayBeRefund ? (["recordRefund"] as const) : []),
  ];
}

function settledAt(storeWriteAt: number, writes: WriteClass): number {
  return writes.kind === "conditional" ? 0 : tookEffectBy(storeWriteAt, writes.settleAfterMs);
}

/**
 * An adapter may read before it writes, so it sends the request at most `storeCallMs` after `storeWriteAt`, and the platform processes
 * the request for at most `workMs`. `clockSkewMs` covers the clock of the process that recorded the write.
 */
function tookEffectBy(storeWriteAt: number, workMs: number): number {
  return storeWriteAt + limits.storeCallMs + workMs + limits.clockSkewMs;
}

/**
 * Until when a write of this payment may still mark the order paid; null when none is under way. Until then a reading of the order may
 * be older than our own write. A conditional store refuses a stale write, and may still accept the newest one late.
 */
export function writeSettlesAt(
  { writes }: StoreAdapter,
  { storeWriteAt }: Pick<Payment, "storeWriteAt">,
): number | null {
  if (storeWriteAt === null) return null;
  return tookEffectBy(storeWriteAt, writes.kind === "conditional" ? limits.lateWriteMs : writes.settleAfterMs);
}

/**
 * The time of the next write on a platform that prescribes its own retry schedule. The schedule counts the writes of the payment,
 * so a process that dies between two writes neither shortens nor repeats a wait.
 */
export function platformRetryAt({ retryScheduleMs }: StoreAdapter, tries: number, now: number): number | null {
  if (retryScheduleMs === undefined) return null;
  const waitMs = retryScheduleMs[Math.min(tries, retryScheduleMs.length - 1)];
  return waitMs === undefined ? null : now + waitMs;
}
