import { limits } from "@tillkit/core";
import type { CallEvidence, Evidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

const SCHEDULED_READS = limits.checksAfterStartMs.length + limits.checksAfterExpiryMs.length;
/** The reads while a shopper waits on our page. */
const WATCH_READS = limits.watchReadsMs.length + Math.floor(limits.watchMs / limits.watchEveryMs);
/** The confirm job that follows every verification, in case the verifying process died. */
const CONFIRM_READS = 1;
/** The read of the previous session before a returning shopper gets a new one, repeated while that read fails. */
const REPLACE_READS = 1;
/** What an untouched payment costs that is paid before its first scheduled read, and one that is abandoned: creation and all reads. */
const PAID_CALLS = 5;
const ABANDONED_CALLS = 1 + SCHEDULED_READS;
/** One read of its transaction tells how a payment was paid whose order is marked before an event names that. */
const PROVIDER_READS = 1;
/** The signals of an untouched paid payment: its event, the shopper's return, and the shop's callback. */
const USUAL_SIGNALS = 3;
const HINDRANCES = ["store_unavailable", "unreadable"];

export const callBudget: Invariant = {
  id: "I7",
  title:
    "A payment costs one session creation and a limited number of reads, and a repeated delivery of a finished payment costs none.",
  findViolations: ({ calls, redeliveryCalls, ...evidence }) => [
    ...(evidence.wasClockWrong ? [] : calls.flatMap((call) => untouchedViolations(evidence, call))),
    ...calls.flatMap((call) => {
      const { paymentId } = call;
      const { timeline, stateChanges, payments } = evidence;
      // A payment is verified once more after each failed refund, because the shop may have recorded the payment meanwhile.
      const failedRefunds = timeline.filter((entry) => entry.kind === "refund_failed" && entry.paymentId === paymentId);
      const verified = stateChanges.filter((change) => change.to === "verified" && change.paymentId === paymentId);
      // Another payment of the order that went under review pays it no more, so each of the rest is judged again.
      const order = payments.find(({ id }) => id === paymentId)?.ref.orderId;
      const others = payments.filter(({ id, ref }) => id !== paymentId && ref.orderId === order);
      const held = stateChanges.filter(
        ({ to, paymentId: of }) => to === "review" && others.some(({ id }) => id === of),
      );
      const followUpReads = failedRefunds.length + CONFIRM_READS * Math.max(1, verified.length) + held.length;
      // The counts begin anew with a restored ledger. The starts that were under way then may still be answered, and one whose process died
      // by a request that it had sent.
      const wereUnderWay = evidence.memory.restoredAt === null ? 0 : Math.max(1, call.startsUnderWay ?? 0);
      const starts = call.starts + wereUnderWay;
      return budgetViolations({ ...call, starts }, followUpReads);
    }),
    ...(redeliveryCalls > 0 ? [`repeated deliveries of finished payments cost ${redeliveryCalls} calls`] : []),
  ],
};

// Movements cost no call more: a stranger's sale is never read for a payment that nothing happened to, and its transaction once.
function untouchedViolations(
  {
    payments,
    sessions,
    refunds,
    disputes,
    memory,
    webhooks,
    stateChanges,
    timeline,
    wasAsleep,
    wasUnsteady,
  }: Omit<Evidence, "calls" | "redeliveryCalls">,
  { paymentId, opens, reads, starts, unanswered, watched, signals, retries, transactionReads = 0 }: CallEvidence,
): string[] {
  const payment = payments.find(({ id }) => id === paymentId);
  const session = sessions.find((opened) => opened.paymentId === paymentId);
  const isTouched = [...refunds, ...disputes].some((movement) => movement.paymentId === paymentId);
  const isHeld = stateChanges.some((change) => change.paymentId === paymentId && change.to === "review");
  // An answer that cannot be read, like a refusal of the store, costs one more read later.
  const wasHindered = timeline.some(({ kind, paymentId: of }) => of === paymentId && HINDRANCES.includes(kind));
  const isUntouched =
    !wasHindered && starts === 1 && unanswered === 0 && retries === 0 && !watched && !isTouched && !isHeld;
  if (!payment || !session || !isUntouched || wasAsleep || wasUnsteady || memory.restoredAt !== null) return [];
  const { completedAt } = session;
  const firstReadAt = payment.createdAt + Math.min(...limits.checksAfterStartMs);
  const isReported = webhooks.some(
    ({ paymentId: named, at, status }) =>
      named === paymentId && status === 200 && at >= (completedAt ?? 0) && at < firstReadAt,
  );
  if (completedAt !== null && !isReported) return [];
  const usual = completedAt === null ? ABANDONED_CALLS + signals : PAID_CALLS + Math.max(0, signals - USUAL_SIGNALS);
  const made = opens + reads + Math.max(0, transactionReads - PROVIDER_READS);
  const what = completedAt === null ? "abandoned" : "paid";
  return made > usual ? [`the ${what} payment ${paymentId} cost ${made} calls, ${usual} are usual`] : [];
}

function budgetViolations(call: CallEvidence, followUpReads: number): string[] {
  const { paymentId, opens, reads, starts, unanswered, watched, signals, retries } = call;
  const shopperReads = REPLACE_READS * Math.max(1, starts) + unanswered + (watched ? WATCH_READS : 0);
  const maxReads = SCHEDULED_READS + shopperReads + signals + retries + followUpReads;
  const violations = [];
  // While the request that opens the session is unanswered, every other work on the payment repeats this request: a second tab, or
  // the processing of an event without identifiers. The service still opens one session.
  const otherReasons = signals + retries;
  if (opens > Math.max(1, starts) + otherReasons) {
    violations.push(
      `payment ${paymentId} was opened ${opens} times for ${starts} shoppers and ${otherReasons} other reasons`,
    );
  }
  if (reads > maxReads) violations.push(`payment ${paymentId} was read ${reads} times, ${maxReads} were allowed`);
  return violations;
}
