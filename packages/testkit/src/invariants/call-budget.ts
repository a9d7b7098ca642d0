import { limits } from "@tillkit/core";
import type { CallEvidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

const SCHEDULED_READS = limits.checksAfterStartMs.length + limits.checksAfterExpiryMs.length;
const WATCH_READS = limits.watchReadsMs.length + Math.floor(limits.watchMs / limits.watchEveryMs);
/** The confirm that follows whenever a payment is verified, in case whoever verified it died. */
const CONFIRM_READS = 1;
/** The look before a shopper who comes again gets a new session: each time, while nobody can read the one before. */
const REPLACE_READS = 1;

export const callBudget: Invariant = {
  id: "I7",
  title: "A payment costs one creation and a counted number of reads; what was processed already costs nothing.",
  findViolations: ({ calls, redeliveryCalls, timeline, stateChanges }) => [
    ...calls.flatMap((call) => {
      const { paymentId } = call;
      // After a refund that failed, a payment that the shop had been told of meanwhile is looked at once.
      const failedRefunds = timeline.filter((line) => line.kind === "refund_failed" && line.paymentId === paymentId);
      const verified = stateChanges.filter((move) => move.to === "verified" && move.paymentId === paymentId);
      return budgetViolations(call, failedRefunds.length + CONFIRM_READS * Math.max(1, verified.length));
    }),
    ...(redeliveryCalls > 0 ? [`bodies that were processed already cost ${redeliveryCalls} calls`] : []),
  ],
};

function budgetViolations(call: CallEvidence, followUps: number): string[] {
  const { paymentId, opens, reads, starts, unanswered, watched, signals, retries } = call;
  const expectedReads = REPLACE_READS * Math.max(1, starts) + unanswered + (watched ? WATCH_READS : 0);
  const maxReads = SCHEDULED_READS + expectedReads + signals + retries + followUps;
  const violations = [];
  // Whoever finds the POST unanswered repeats it, two tabs and an event that names nothing included: one session all the same.
  const again = signals + retries;
  if (opens > Math.max(1, starts) + again) {
    violations.push(`payment ${paymentId} was opened ${opens} times for ${starts} shoppers and ${again} other reasons`);
  }
  if (reads > maxReads) violations.push(`payment ${paymentId} was read ${reads} times, ${maxReads} were allowed`);
  return violations;
}
