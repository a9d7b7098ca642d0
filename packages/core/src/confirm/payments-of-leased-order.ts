import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { Engine } from "../engine.ts";
import { updatePayment } from "../payments/update-payment.ts";
import type { StoreAdapter } from "../ports/store-adapter.ts";
import { platformRetryAt } from "../stores/call-store.ts";
import type { Fence } from "../stores/order-lease.ts";

/**
 * The payments of the leased order. A time of a write that lies ahead, or longer ago than any write stays unanswered, was recorded by a
 * clock that was wrong: the wait that counts from it begins now, and is recorded, so that it ends.
 */
export async function paymentsOfLeasedOrder(
  engine: Engine,
  store: StoreAdapter,
  fence: Fence,
): Promise<readonly Payment[]> {
  const payments: Payment[] = [];
  for (const stored of await engine.ledger.paymentsOfOrder(fence.ref)) {
    const updateFor = (payment: Payment) => correctWriteTimes(store, payment, engine.clock.now());
    payments.push((await updatePayment(engine, stored.id, updateFor, { payment: stored, fence })).payment);
  }
  return payments;
}

/** Null: the times are possible. */
function correctWriteTimes(store: StoreAdapter, payment: Payment, now: number): { change: Partial<Payment> } | null {
  const { storeWriteAt, storeRetryAt, storeTries } = payment;
  const change: { -readonly [Field in "storeWriteAt" | "storeRetryAt"]?: Payment[Field] } = {};
  if (storeWriteAt !== null && !isPossible(storeWriteAt, now)) change.storeWriteAt = now;
  const latestRetryAt = platformRetryAt(store, Math.max(storeTries - 1, 0), now);
  const isTooLate = storeRetryAt !== null && storeRetryAt > (latestRetryAt ?? storeRetryAt) + limits.clockSkewMs;
  if (isTooLate) change.storeRetryAt = latestRetryAt;
  return Object.keys(change).length === 0 ? null : { change };
}

// Where the clock was right and the machine stood still for so long, the wait costs minutes.
function isPossible(writeAt: number, now: number): boolean {
  return now - limits.unansweredWriteMs <= writeAt && writeAt <= now + limits.clockSkewMs;
}
