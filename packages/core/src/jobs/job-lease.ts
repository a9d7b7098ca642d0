import { codeOf } from "../domain/checkout-error.ts";
import type { Job } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Engine } from "../engine.ts";
import { setTimer } from "../resilience/deadline.ts";

/** Runs claimed jobs and renews their leases, so that no other worker claims them meanwhile. */
export async function runUnderLease<Value>(
  engine: Engine,
  jobs: readonly Job[],
  work: (job: Job) => Promise<Value>,
): Promise<Value[]> {
  if (jobs.length === 0) return [];
  const running = new Set(jobs.map(({ id }) => id));
  let renewing = Promise.resolve();
  let cancelTimer = scheduleRenewal();

  function scheduleRenewal(): () => void {
    return setTimer(engine.clock, limits.jobLeaseMs / 3, () => {
      renewing = renew(engine, running).then(() => {
        if (running.size > 0) cancelTimer = scheduleRenewal();
      });
    });
  }

  try {
    // If the commit of one job fails, the leases of the other jobs are still renewed until those jobs end.
    const results = await Promise.allSettled(jobs.map((job) => work(job).finally(() => running.delete(job.id))));
    return results.map((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
  } finally {
    running.clear();
    cancelTimer();
    await renewing;
  }
}

async function renew({ clock, ledger, worker, log }: Engine, running: ReadonlySet<string>): Promise<void> {
  try {
    await ledger.renewJobs([...running], worker, clock.now(), limits.jobLeaseMs);
  } catch (error) {
    // Another worker may start the same job. That does no harm, because every step of a job is idempotent.
    log.warn("job.lease_not_renewed", { code: codeOf(error) });
  }
}
