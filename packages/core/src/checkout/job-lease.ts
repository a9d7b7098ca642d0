import { codeOf } from "../domain/checkout-error.ts";
import type { Job } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Engine } from "./engine.ts";

/** Does work on claimed jobs and keeps their leases alive: no other worker starts them while this one is at it. */
export async function whileLeased<Value>(
  engine: Engine,
  jobs: readonly Job[],
  work: (job: Job) => Promise<Value>,
): Promise<Value[]> {
  if (jobs.length === 0) return [];
  const left = new Set(jobs.map(({ id }) => id));
  const over = new AbortController();
  const renewing = renew(engine, left, over.signal);
  try {
    return await Promise.all(jobs.map((job) => work(job).finally(() => left.delete(job.id))));
  } finally {
    over.abort("done");
    await renewing;
  }
}

async function renew(engine: Engine, left: ReadonlySet<string>, over: AbortSignal): Promise<void> {
  const { clock, ledger, worker, log } = engine;
  while (left.size > 0) {
    await clock.sleep(limits.jobLeaseMs / 3, over).catch(() => undefined);
    if (over.aborted || left.size === 0) return;
    try {
      await ledger.renewJobs([...left], worker, clock.now(), limits.jobLeaseMs);
    } catch (error) {
      // Another worker may start the same job: every step of it is safe to do twice.
      log.warn("jobs.not_renewed", { code: codeOf(error) });
    }
  }
}
