import type { Finding } from "../domain/finding.ts";
import type { NewJob } from "../domain/job.ts";
import { paidOutside } from "../domain/judge.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import { afterFact } from "../domain/payment-states.ts";
import type { Receipt } from "../domain/receipt.ts";
import { safeReason } from "../domain/safe-text.ts";
import type { StoryLine } from "../domain/story.ts";
import type { StoreAdapter, StoreAnswer } from "../ports/store-adapter.ts";
import type { Confirmed } from "./confirmed.ts";
import type { Engine } from "./engine.ts";
import { confirmJob, duplicateJobs, holdJobs, rivalJobs } from "./follow-up.ts";
import type { Fence } from "./order-lease.ts";
import { standingOf } from "./standing.ts";
import { askStore, findOrder, mustFind, scheduledRetry, storeErrorCode, writableAt } from "./store-calls.ts";

/** Committed before a store is written: whoever comes later knows that a request may be under way. Null: the lease was lost. */
export async function noteWrite(engine: Engine, payment: Payment, fence: Fence): Promise<Payment | null> {
  const next = { ...payment, storeWriteAt: engine.clock.now(), version: payment.version + 1 };
  return (await commitNote(engine, next, fence)) ? next : null;
}

/** The same for `markPaid`, which counts towards the platform's own retry schedule. */
export async function notePaidWrite(
  engine: Engine,
  store: StoreAdapter,
  payment: Payment,
  fence: Fence,
): Promise<Payment | null> {
  const now = engine.clock.now();
  const next = {
    ...payment,
    storeWriteAt: now,
    storeRetryAt: scheduledRetry(store, payment.storeTries, now),
    storeTries: payment.storeTries + 1,
    version: payment.version + 1,
  };
  return (await commitNote(engine, next, fence)) ? next : null;
}

async function commitNote(engine: Engine, next: Payment, fence: Fence): Promise<boolean> {
  const answer = await engine.ledger.commit({ fence, payment: { next, expect: next.version - 1 }, story: [] });
  return answer === "done";
}

/** Tells the store and records what it answered. */
export async function tellStore(
  engine: Engine,
  store: StoreAdapter,
  payment: Payment,
  receipt: Receipt,
): Promise<Confirmed> {
  const fence = { ref: receipt.ref, value: receipt.fence };
  try {
    const answer = await askStore(engine, payment, () => store.markPaid(receipt));
    // The owner may have set the order to paid while we were on our way: that is no other payment.
    const order = answer.outcome === "other-payment" ? await findOrder(engine, payment) : null;
    const outside = paidOutside(order);
    return await record(engine, payment, fence, (now) =>
      outside ? afterRefusal(engine, now, outside) : afterAnswer(engine, now, answer),
    );
  } catch (error) {
    return await afterError(engine, store, payment, fence, error);
  }
}

type Learned = {
  readonly change: Partial<Payment>;
  readonly jobs?: NewJob[];
  readonly line: Omit<StoryLine, "paymentId" | "at">;
};

function afterAnswer(engine: Engine, payment: Payment, answer: StoreAnswer): Learned {
  const now = engine.clock.now();
  if ("evidence" in answer) {
    const { continueUrl = payment.continueUrl, evidence } = answer;
    const state = afterFact(payment.state, "storeHasIt");
    return {
      change: { state, continueUrl, storeWriteAt: null, nextCheckAt: null, finding: null },
      line: { who: "store", what: "recorded", detail: evidence },
    };
  }
  if (answer.outcome === "other-payment") {
    return {
      change: { state: afterFact(payment.state, "duplicate"), storeWriteAt: null, nextCheckAt: null },
      jobs: duplicateJobs(engine, payment, now),
      line: { who: "store", what: "duplicate", detail: answer.detail },
    };
  }
  return afterRefusal(engine, payment, {
    code: answer.outcome === "gone" ? "order_gone" : "order_not_payable",
    expected: "an order that can be paid",
    found: answer.detail,
  });
}

function afterRefusal(engine: Engine, payment: Payment, finding: Finding): Learned {
  const now = engine.clock.now();
  return {
    change: { state: afterFact(payment.state, "storeRefuses"), storeWriteAt: null, finding },
    jobs: [...holdJobs(engine, payment, finding, now), ...rivalJobs(payment, now)],
    line: { who: "store", what: "held", detail: JSON.stringify(finding) },
  };
}

async function afterError(
  engine: Engine,
  store: StoreAdapter,
  payment: Payment,
  fence: Fence,
  error: unknown,
): Promise<Confirmed> {
  const code = storeErrorCode(error);
  const reason = safeReason(error);
  engine.log.warn("store.write_failed", { paymentId: payment.id, code, reason });
  // Only a write that certainly did not happen frees the order at once.
  const change = code === "unknown" ? {} : { storeWriteAt: null };
  // Whoever made this first write may not come again: from here on one job keeps the platform's schedule.
  const { storeRetryAt: dueAt, storeTries } = payment;
  const jobs = dueAt !== null && storeTries === 1 && code !== "reconnect" ? [confirmJob(payment, dueAt)] : [];
  const confirmed = await record(engine, payment, fence, () => ({
    change,
    jobs,
    line: { who: "store", what: `store_${code}`, detail: "" },
  }));
  if (code === "reconnect") return { ...confirmed, retryAt: null, error: reason };
  const { storeRetryAt } = confirmed.payment;
  const retryAt = Math.max(storeRetryAt ?? engine.clock.now(), writableAt(store, [confirmed.payment]));
  return { ...confirmed, retryAt, error: reason, scheduled: storeRetryAt !== null };
}

// The answer of a store must not be lost because somebody read the payment meanwhile: on a conflict it is applied again.
async function record(
  engine: Engine,
  written: Payment,
  fence: Fence,
  learn: (payment: Payment) => Learned,
): Promise<Confirmed> {
  let payment = written;
  for (let round = 0; round < limits.commitRounds; round += 1) {
    const { change, jobs, line } = learn(payment);
    const next = { ...payment, ...change, version: payment.version + 1 };
    const answer = await engine.ledger.commit({
      fence,
      payment: { next, expect: payment.version },
      jobs: jobs ?? [],
      story: [{ ...line, paymentId: payment.id, at: engine.clock.now() }],
    });
    if (answer === "done") return { ...standingOf(next), retryAt: null, error: null };
    payment = await mustFind(engine, written.id);
  }
  // The lease was lost. The write stays noted, so the next writer waits, looks, and finds what landed.
  return { ...standingOf(payment), retryAt: engine.clock.now() + limits.orderBusyMs, error: null };
}
