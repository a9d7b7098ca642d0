import type { Payment } from "../domain/payment.ts";
import { FINAL_STATES } from "../domain/payment-states.ts";
import type { MemoryJobs } from "./jobs.ts";

/** The final payments among `all`: nothing more will be written to their stores, and no job will verify them again. Jobs of hosts do not count. */
export function finalPayments(jobs: MemoryJobs, all: readonly Payment[]): readonly Payment[] {
  const withJobs = new Set(
    [...jobs.all()].flatMap(({ job, uniqueKey }) => (uniqueKey === null ? [job.paymentId] : [])),
  );
  return all.filter(({ id, state }) => FINAL_STATES.has(state) && !withJobs.has(id));
}
