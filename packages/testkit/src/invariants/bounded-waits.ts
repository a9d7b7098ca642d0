import { isKnownJobKind, type StoredJob } from "@tillkit/core/ledger";
import type { Evidence } from "./evidence.ts";
import type { Invariant } from "./invariant.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** No job waits longer than the last scheduled read of a session that was opened a moment ago. */
const LONGEST_WAIT_MS = 73 * HOUR;
/** A due job of a known kind is claimed within this time. */
const CLAIMED_WITHIN_MS = 10 * MINUTE;
/** Workers are woken by new jobs and at the time of the next one, so few of their runs find none. An outage of days has thousands. */
export const MANY_EMPTY_RUNS = 30_000;

export const waitsAreBounded: Invariant = {
  id: "M5",
  title:
    "No job waits beyond its limit, what is due is done within ten minutes, a job of a newer version is left to it, and no worker is busy without work.",
  findViolations: (evidence) => [
    ...evidence.jobs.flatMap((job) => jobViolations(evidence, job)),
    ...busyWithoutWork(evidence),
  ],
};

function busyWithoutWork({ emptyRuns = 0 }: Evidence): string[] {
  return emptyRuns < MANY_EMPTY_RUNS ? [] : [`the workers looked for due jobs ${emptyRuns} times and found none`];
}

function jobViolations(
  { gatheredAt }: Evidence,
  { kind, paymentId, payload, dueAt, readyAt, attempts }: StoredJob,
): string[] {
  const name = `the ${kind} job "${payload}" of payment ${paymentId ?? "none"}`;
  if (!isKnownJobKind(kind)) {
    return attempts > 0 || readyAt !== dueAt ? [`${name} of a newer version was touched`] : [];
  }
  if (readyAt === null) return [];
  if (readyAt > gatheredAt + LONGEST_WAIT_MS)
    return [`${name} waits for ${Math.round((readyAt - gatheredAt) / HOUR)} h`];
  return readyAt < gatheredAt - CLAIMED_WITHIN_MS ? [`${name} is due and was not claimed`] : [];
}
