import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { StoryLine } from "../domain/story.ts";
import type { Confirmed } from "./confirmed.ts";
import type { Engine } from "./engine.ts";
import { asOnlyWriter, type Fence, stillOnlyWriter } from "./order-lease.ts";
import { standingOf } from "./standing.ts";
import { mustFind, writableAt } from "./store-calls.ts";
import { notePaidWrite, tellStore } from "./store-write.ts";
import { lookAt } from "./verify-payment.ts";

export type Confirm = {
  readonly who: StoryLine["who"];
  /** How long one call to the service may take; 15 s unless set, 5 s while a shopper waits. */
  readonly deadlineMs?: number;
  /** A reading this young is good enough; a signal needs a new one (0). */
  readonly maxAgeMs?: number;
  /** Looks at a second payment of an order too: the first one may have fallen. */
  readonly evenDuplicate?: boolean;
};

/**
 * The only function that tells a store that money arrived: takes the order's lease, verifies, notes the write, writes,
 * records. Safe to call at any time, from any process, as often as one likes.
 *
 * What could not be done now comes back as `retryAt`; a job in the ledger goes on with it even when the caller is gone.
 *
 * @throws CheckoutError `payment_not_found`, `service_unavailable`, `ledger_busy` (retryable: nothing was learned)
 */
export async function confirmPayment(engine: Engine, paymentId: string, confirm: Confirm): Promise<Confirmed> {
  const payment = await mustFind(engine, paymentId);
  const looked = confirm.evenDuplicate === true && payment.state === "duplicate";
  if (isFinal(payment) && !looked) return { ...standingOf(payment), retryAt: null, error: null };
  const confirmed = await asOnlyWriter(engine, payment.ref, (fence) => confirmAlone(engine, paymentId, confirm, fence));
  if (confirmed) return confirmed;
  const busy = await mustFind(engine, paymentId);
  const retryAt = isFinal(busy) ? null : engine.clock.now() + limits.orderBusyMs;
  return { ...standingOf(busy), retryAt, error: null };
}

function isFinal({ state }: Payment): boolean {
  return state === "recorded" || state === "duplicate" || state === "refunding" || state === "refunded";
}

async function confirmAlone(engine: Engine, paymentId: string, confirm: Confirm, fence: Fence): Promise<Confirmed> {
  const store = await engine.store(fence.ref.storeId);
  // Asked before the order is read: a write that lands between the two must find us waiting, not writing.
  const writable = writableAt(store, await engine.ledger.siblings(fence.ref));
  const lookedAt = engine.clock.now();
  const { verdict, payment } = await lookAt(engine, paymentId, {
    who: confirm.who,
    deadlineMs: confirm.deadlineMs ?? limits.serviceCallMs,
    maxAgeMs: confirm.maxAgeMs ?? 0,
    fence,
    confirmAfterMs: limits.confirmAgainMs,
  });
  if (verdict.say === "unreadable" && payment.state === "verified") {
    // Paid, and the store is still owed the news: whoever has it to tell looks again.
    const error = "unreadable: the service answers nothing about a payment that the store is not told of yet.";
    return { ...standingOf(payment), retryAt: lookedAt + limits.retryFirstMs, error };
  }
  if (verdict.say !== "paid") return { ...standingOf(payment), retryAt: null, error: null };
  if (writable > lookedAt) return { ...standingOf(payment), retryAt: writable, error: null };
  const { storeRetryAt } = payment;
  if (storeRetryAt !== null && storeRetryAt > engine.clock.now()) {
    return { ...standingOf(payment), retryAt: storeRetryAt, error: null, scheduled: true };
  }

  const noted = (await stillOnlyWriter(engine, fence)) ? await notePaidWrite(engine, store, payment, fence) : null;
  if (!noted) return { ...standingOf(payment), retryAt: engine.clock.now() + limits.orderBusyMs, error: null };
  return await tellStore(engine, store, noted, { ...verdict.receipt, fence: fence.value });
}
