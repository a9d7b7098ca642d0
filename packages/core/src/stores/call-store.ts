import { codeOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Order } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { type StoreAdapter, StoreError, type StoreErrorCode } from "../ports/store-adapter.ts";
import { withDeadline } from "../resilience/deadline.ts";

/**
 * Every call to a store is bounded: what is not answered in time may have landed. One that does not answer anybody is left
 * alone for a while.
 */
export async function callStore<Value>(
  engine: Engine,
  { id, ref }: Pick<Payment, "id" | "ref">,
  call: () => Promise<Value>,
): Promise<Value> {
  const about = `store:${ref.storeId}`;
  if (engine.circuitBreakers.openUntil(about) !== null) {
    throw new StoreError("unavailable", "The store does not answer: it is asked again in a moment.");
  }
  const seconds = limits.storeCallMs / 1_000;
  try {
    const value = await withDeadline(
      engine.clock,
      limits.storeCallMs,
      call(),
      () => new StoreError("unknown", `The store did not answer within ${seconds} seconds.`),
    );
    engine.circuitBreakers.record(about, id, true);
    return value;
  } catch (error) {
    engine.circuitBreakers.record(about, id, isTotalRefused(error));
    throw error;
  }
}

// An order in a currency that we cannot take was answered all the same.
function isTotalRefused(error: unknown): boolean {
  const code = codeOf(error);
  return code === "amount_invalid" || code === "currency_not_supported";
}

export async function readOrder(engine: Engine, payment: Payment): Promise<Order | null> {
  const store = await engine.store(payment.ref.storeId);
  return await callStore(engine, payment, () => store.findOrder(payment.ref, payment.attempt));
}

/** The order as it is now. An owner can edit it into a currency or decimals that the service cannot take: no outage. */
export async function readOrderOrUnreadable(engine: Engine, payment: Payment): Promise<Order | "unreadable" | null> {
  try {
    return await readOrder(engine, payment);
  } catch (error) {
    if (isTotalRefused(error)) return "unreadable";
    throw error;
  }
}

/** An error without one of our codes may have happened after the effect: `unknown`. */
export function storeErrorCode(error: unknown): StoreErrorCode {
  const code = codeOf(error);
  return code === "unavailable" || code === "reconnect" ? code : "unknown";
}

/**
 * When the next write to this order may start. On a read-then-write store a request whose answer was lost may still be
 * under way: an adapter may read before it writes, so the request may have left as late as `storeCallMs` after the call,
 * and lives for `settleAfterMs` from then on, whichever payment of the order it was for. The process that noted the write
 * may have had another clock.
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
 * When a platform that names its own schedule wants to be written again, counted in writes of this payment: a process that
 * dies between two of them neither shortens nor repeats a wait.
 */
export function platformRetryAt({ retryScheduleMs }: StoreAdapter, tries: number, now: number): number | null {
  if (retryScheduleMs === undefined) return null;
  const wait = retryScheduleMs[Math.min(tries, retryScheduleMs.length - 1)];
  return wait === undefined ? null : now + wait;
}
