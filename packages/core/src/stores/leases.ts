import { codeOf } from "../domain/checkout-error.ts";
import type { Job } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { OrderRef } from "../domain/order.ts";
import type { Engine } from "../engine.ts";
import { runWithRenewal } from "../resilience/timers.ts";

export type Fence = { readonly ref: OrderRef; readonly value: number };

/**
 * Runs `work` as the only writer of an order over all processes. Null: another writer holds the lease. The lease lasts seconds and is
 * renewed while `work` runs, so after a crash another process takes over within seconds.
 */
export async function withOrderLease<Value>(
  engine: Engine,
  ref: OrderRef,
  work: (fence: Fence) => Promise<Value>,
): Promise<Value | null> {
  const { ledger, clock, random } = engine;
  // A unique name for each call, because two calls of one process must exclude each other like two processes.
  const worker = `${engine.worker}:${random.uuid()}`;
  const value = await ledger.lockOrder(ref, worker, clock.now(), limits.orderLeaseMs);
  if (value === null) return null;
  const fence = { ref, value };
  try {
    return await runWithRenewal(
      clock,
      limits.orderLeaseMs / 3,
      () => keepOrderLease(engine, fence),
      () => work(fence),
    );
  } finally {
    await ledger.unlockOrder(ref, value);
  }
}

/** Renews the lease right before a write to the store, so the write starts with the whole lease time. false: the lease was lost. */
export async function renewOrderLease(engine: Engine, fence: Fence): Promise<boolean> {
  return await engine.ledger.renewOrder(fence.ref, fence.value, engine.clock.now(), limits.orderLeaseMs);
}

// A lease that was lost meanwhile does no harm: every commit names the fence, and a write intent precedes every write to a store.
async function keepOrderLease(engine: Engine, fence: Fence): Promise<boolean> {
  try {
    return await renewOrderLease(engine, fence);
  } catch (error) {
    engine.log.warn("order.lease_not_renewed", { code: codeOf(error) });
    return true;
  }
}

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
