import { codeOf } from "../domain/checkout-error.ts";
import type { Job } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Engine } from "../engine.ts";
import { setTimer } from "../resilience/deadline.ts";

/** Does work on claimed jobs and keeps their leases alive: no other worker starts them while this one is at it. */
export async function runUnderLease<Value>(
  engine: Engine,
  jobs: readonly Job[],
  work: (job: Job) => Promise<Value>,
): Promise<Value[]> {
  if (jobs.length === 0) return [];
  const left = new Set(jobs.map(({ id }) => id));
  let renewing = Promise.resolve();
  let takeBack = keepWaiting();

  function keepWaiting(): () => void {
    return setTimer(engine.clock, limits.jobLeaseMs / 3, () => {
      renewing = renew(engine, left).then(() => {
        if (left.size > 0) takeBack = keepWaiting();
      });
    });
  }

  try {
    return await Promise.all(jobs.map((job) => work(job).finally(() => left.delete(job.id))));
  } finally {
    left.clear();
    takeBack();
    await renewing;
  }
}

async function renew({ clock, ledger, worker, log }: Engine, left: ReadonlySet<string>): Promise<void> {
  try {
    await ledger.renewJobs([...left], worker, clock.now(), limits.jobLeaseMs);
  } catch (error) {
    // Another worker may start the same job: every step of it is safe to do twice.
    log.warn("jobs.not_renewed", { code: codeOf(error) });
  }
}
