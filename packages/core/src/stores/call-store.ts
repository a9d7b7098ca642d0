import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Order } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { type StoreAdapter, StoreError, type StoreErrorCode } from "../ports/store-adapter.ts";
import { withDeadline } from "../resilience/deadline.ts";

/**
 * Calls a store with a deadline and a circuit breaker. A call without a response in time may have had its effect, so it fails
 * with `unknown`.
 */
export async function callStore<Value>(
  engine: Engine,
  { id, ref }: Pick<Payment, "id" | "ref">,
  call: () => Promise<Value>,
): Promise<Value> {
  const target = `store:${ref.storeId}`;
  if (engine.circuitBreakers.openUntil(target) !== null) {
    throw new StoreError("unavailable", "The store does not respond at the moment; the call is tried again soon.");
  }
  const seconds = limits.storeCallMs / 1_000;
  try {
    const value = await withDeadline(
      engine.clock,
      limits.storeCallMs,
      call(),
      () => new StoreError("unknown", `The store did not respond within ${seconds} seconds.`),
    );
    engine.circuitBreakers.record(target, id, true);
    return value;
  } catch (error) {
    const hasResponded = isUnsupportedTotal(error);
    engine.circuitBreakers.record(target, id, hasResponded);
    throw error;
  }
}

// The store's response shows a total that the service cannot accept.
function isUnsupportedTotal(error: unknown): boolean {
  const code = codeOf(error);
  return code === "amount_invalid" || code === "currency_not_supported";
}

export async function readOrder(engine: Engine, payment: Payment): Promise<Order | null> {
  const store = await engine.store(payment.ref.storeId);
  return await callStore(engine, payment, () => store.findOrder(payment.ref, payment.attempt));
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
  return code === "unavailable" || code === "reconnect" ? code : "unknown";
}

/**
 * When the next write to this order may start. On a read-then-write store a request whose response was lost may still be in
 * flight. An adapter may read before it writes, so it sends the request at most `storeCallMs` after `storeWriteAt`, and the
 * platform processes the request for at most `settleAfterMs`. `clockSkewMs` covers the clock of the process that recorded the
 * write. The payments of an order share this wait.
 */
export function earliestWriteAt(store: StoreAdapter, payments: readonly Payment[]): number {
  const { writes } = store;
  if (writes.kind === "conditional") return 0;
  return Math.max(
    0,
    ...payments.map(({ storeWriteAt }) =>
      storeWriteAt === null ? 0 : storeWriteAt + limits.storeCallMs + writes.settleAfterMs + limits.clockSkewMs,
    ),
  );
}

/**
 * Until when the last write of this payment may still take effect; null when none is under way. Until then a reading of the order may
 * be older than our own write. A conditional store refuses a stale write, and may still accept the newest one late.
 */
export function writeSettlesAt(store: StoreAdapter, payment: Payment): number | null {
  const { storeWriteAt } = payment;
  if (storeWriteAt === null) return null;
  return store.writes.kind === "conditional" ? storeWriteAt + limits.lateWriteMs : earliestWriteAt(store, [payment]);
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
