import { limits } from "@tillkit/core";
import type { CallEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

const SCHEDULED_READS = limits.checksAfterStartMs.length + limits.checksAfterExpiryMs.length;
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
      // After a failed refund, a payment that was recorded in the shop meanwhile is verified once.
      const failedRefunds = timeline.filter((line) => line.kind === "refund_failed" && line.paymentId === paymentId);
      const verified = stateChanges.filter((move) => move.to === "verified" && move.paymentId === paymentId);
      return budgetViolations(call, failedRefunds.length + CONFIRM_READS * Math.max(1, verified.length));
    }),
    ...(redeliveryCalls > 0 ? [`repeated deliveries of finished payments cost ${redeliveryCalls} calls`] : []),
  ],
};

function budgetViolations(call: CallEvidence, followUps: number): string[] {
  const { paymentId, opens, reads, starts, unanswered, watched, signals, retries } = call;
  const expectedReads = REPLACE_READS * Math.max(1, starts) + unanswered + (watched ? WATCH_READS : 0);
  const maxReads = SCHEDULED_READS + expectedReads + signals + retries + followUps;
  const violations = [];
  // Every caller that finds the POST unanswered repeats the POST: a second tab does, and so does the processing of an event without
  // identifiers. The service still opens one session.
  const otherReasons = signals + retries;
  if (opens > Math.max(1, starts) + otherReasons) {
    violations.push(
      `payment ${paymentId} was opened ${opens} times for ${starts} shoppers and ${otherReasons} other reasons`,
    );
  }
  if (reads > maxReads) violations.push(`payment ${paymentId} was read ${reads} times, ${maxReads} were allowed`);
  return violations;
}
