import { limits } from "@tillkit/core";
import type { CallEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

const SCHEDULED_READS = limits.checksAfterStartMs.length + limits.checksAfterExpiryMs.length;
/** The reads while a shopper waits on our page. */
const WATCH_READS = limits.watchReadsMs.length + Math.floor(limits.watchMs / limits.watchEveryMs);
/** The confirm job that follows every verification, in case the verifying process died. */
const CONFIRM_READS = 1;
/** The read of the previous session before a returning shopper gets a new one, repeated while that read fails. */
const REPLACE_READS = 1;

export const callBudget: Invariant = {
  id: "I7",
  title:
    "A payment costs one session creation and a limited number of reads, and a repeated delivery of a finished payment costs none.",
  findViolations: ({ calls, redeliveryCalls, timeline, stateChanges }) => [
    ...calls.flatMap((call) => {
      const { paymentId } = call;
      // A payment is verified once more after each failed refund, because the shop may have recorded the payment meanwhile.
      const failedRefunds = timeline.filter((entry) => entry.kind === "refund_failed" && entry.paymentId === paymentId);
      const verified = stateChanges.filter((change) => change.to === "verified" && change.paymentId === paymentId);
      return budgetViolations(call, failedRefunds.length + CONFIRM_READS * Math.max(1, verified.length));
    }),
    ...(redeliveryCalls > 0 ? [`repeated deliveries of finished payments cost ${redeliveryCalls} calls`] : []),
  ],
};

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
