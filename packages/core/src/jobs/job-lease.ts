import { codeOf } from "../domain/checkout-error.ts";
import type { Job } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Engine } from "../engine.ts";
import { runWithRenewal } from "../resilience/renewal.ts";

/** Runs claimed jobs and renews their leases, so that no other worker claims them meanwhile. */
export async function runUnderLease<Value>(
  engine: Engine,
  jobs: readonly Job[],
  work: (job: Job) => Promise<Value>,
): Promise<Value[]> {
  if (jobs.length === 0) return [];
  const running = new Set(jobs.map(({ id }) => id));
  const renew = () => renewLeases(engine, running);
  return await runWithRenewal(engine.clock, limits.jobLeaseMs / 3, renew, async () => {
    // If the commit of one job fails, the leases of the other jobs are still renewed until those jobs end.
    const results = await Promise.allSettled(jobs.map((job) => work(job).finally(() => running.delete(job.id))));
    return results.map((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
  });
}

// Returns true in every case, because the jobs continue without a lease too.
async function renewLeases({ clock, ledger, worker, log }: Engine, running: ReadonlySet<string>): Promise<boolean> {
  try {
    await ledger.renewJobs([...running], worker, clock.now(), limits.jobLeaseMs);
  } catch (error) {
    // Another worker may start the same job. That does no harm, because every step of a job is idempotent.
    log.warn("job.lease_not_renewed", { code: codeOf(error) });
  }
  return true;
}
