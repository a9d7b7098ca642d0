import { WRITE_IN_FLIGHT } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { Engine } from "../engine.ts";
import { paymentStatusOf } from "../payments/payment-status.ts";
import { readProvider } from "../payments/read-provider.ts";
import { getPayment, updatePayment } from "../payments/stored-payment.ts";
import type { StoreAdapter } from "../ports/store-adapter.ts";
import { assertNotRefused, earliestWriteAt, platformRetryAt } from "../stores/call-store.ts";
import { type Fence, renewOrderLease, withOrderLease } from "../stores/leases.ts";
import { verifyAndRecord } from "../verify/verify-payment.ts";
import type { ConfirmResult } from "./confirm-result.ts";
import { commitPaidWriteIntent, writePaid } from "./write-paid.ts";

export type ConfirmOptions = {
  readonly actor: TimelineEntry["actor"];
  /** How long one call to the service may take. Default: `limits.serviceCallMs`. */
  readonly deadlineMs?: number;
  /** How old a reading of the session may be. Default: 0, because a signal needs a new reading. */
  readonly maxAgeMs?: number;
  /** Confirms a duplicate too, because the payment that counted for its order may no longer count. */
  readonly includeDuplicate?: boolean;
  /** The transaction that a signed event of this payment named. Some services name it in no session. */
  readonly transactionId?: string | undefined;
  /** The payment as the caller read it a moment ago, which saves a read. */
  readonly payment?: Payment;
};

/**
 * The only function that marks an order paid. It takes the order's lease, verifies the payment, commits the intent to write,
 * writes to the store and records the answer. It is safe to call at any time, from any process, any number of times.
 *
 * When the store cannot be written now, `retryAt` says when to try again; a job in the ledger does so even if the caller dies.
 *
 * @throws CheckoutError `payment_not_found`, `service_unavailable`, `ledger_busy` (retryable: nothing changed)
 */
export async function confirmPayment(
  engine: Engine,
  paymentId: string,
  options: ConfirmOptions,
): Promise<ConfirmResult> {
  const payment = options.payment ?? (await getPayment(engine, paymentId));
  const isReopened = options.includeDuplicate === true && payment.state === "duplicate";
  if (isConfirmed(payment) && !isReopened) return { ...paymentStatusOf(payment), retryAt: null, error: null };
  const { storeId } = payment.ref;
  const step = { name: "confirm payment", storeId, payment, detail: options.actor } as const;
  const confirmed = await engine.tracing.step(step, () =>
    withOrderLease(engine, payment.ref, (fence) => confirmUnderLease(engine, payment, options, fence)),
  );
  if (confirmed) return confirmed;
  // Another process holds the order's lease.
  const current = await getPayment(engine, paymentId);
  const isStillDuplicate = isReopened && current.state === "duplicate";
  const isDone = isConfirmed(current) && !isStillDuplicate;
  const retryAt = isDone ? null : engine.clock.now() + limits.orderBusyRetryMs;
  return { ...paymentStatusOf(current), retryAt, error: null };
}

/** Whether the payment's outcome is known, so that its session needs no more readings. */
export function isConfirmed({ state }: Payment): boolean {
  return state === "recorded" || state === "duplicate" || state === "refunding" || state === "refunded";
}

/** Verdicts of a reading that does not show a completed session. */
const NOT_SHOWN: ReadonlySet<Verdict["status"]> = new Set(["unreadable", "wait", "expired"]);

async function confirmUnderLease(
  engine: Engine,
  before: Payment,
  options: ConfirmOptions,
  fence: Fence,
): Promise<ConfirmResult> {
  const store = await engine.store(fence.ref.storeId);
  // Computed before the order is read: if an earlier write takes effect in between, this call waits and does not write.
  const writableAt = await earliestWriteAt(
    engine,
    store,
    "markPaid",
    await paymentsOfLeasedOrder(engine, store, fence),
  );
  // While the store refuses payments, a reading is useless.
  if (before.state === "verified") await assertNotRefused(engine, before, "pay");
  const verifiedAt = engine.clock.now();
  const { verdict, payment } = await verifyAndRecord(engine, before.id, {
    actor: options.actor,
    deadlineMs: options.deadlineMs ?? limits.serviceCallMs,
    maxAgeMs: options.maxAgeMs ?? 0,
    fence,
    confirmAfterMs: limits.reconfirmAfterMs,
  });
  if (NOT_SHOWN.has(verdict.status) && (payment.state === "verified" || payment.state === "duplicate")) {
    // Money arrived, and this reading does not show it: the job tries again until the service answers.
    const error = { code: "unreadable", message: "The service does not show a payment that it showed as paid before." };
    return { ...paymentStatusOf(payment), retryAt: verifiedAt + limits.retryFirstMs, error };
  }
  if (verdict.status === "settling") {
    return { ...paymentStatusOf(payment), retryAt: verdict.until, error: WRITE_IN_FLIGHT };
  }
  if (verdict.status !== "paid") return { ...paymentStatusOf(payment), retryAt: null, error: null };
  // An order that shows this payment is written no second time: its store only finishes what follows a payment, and need not wait.
  if (writableAt > verifiedAt && !verdict.isShown)
    return { ...paymentStatusOf(payment), retryAt: writableAt, error: null };
  const { storeRetryAt } = payment;
  if (storeRetryAt !== null && storeRetryAt > engine.clock.now()) {
    return { ...paymentStatusOf(payment), retryAt: storeRetryAt, error: null, isPlatformSchedule: true };
  }

  await assertNotRefused(engine, payment, "pay");
  const provider = await readProvider(engine, payment, options.transactionId);
  const withIntent = (await renewOrderLease(engine, fence))
    ? await commitPaidWriteIntent(engine, store, payment, fence)
    : null;
  if (!withIntent)
    return { ...paymentStatusOf(payment), retryAt: engine.clock.now() + limits.orderBusyRetryMs, error: null };
  const receipt = { ...verdict.receipt, ...(provider === null ? {} : { provider }), fence: fence.value };
  return await writePaid(engine, store, withIntent, receipt, payment.storeWriteAt);
}

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
