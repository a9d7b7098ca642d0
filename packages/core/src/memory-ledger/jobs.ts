import type { Delivery } from "../domain/delivery.ts";
import type { Job, NewJob } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Change, PaymentLedger } from "../ports/payment-ledger.ts";
import { createJobQueues, type QueuedJob } from "./job-queues.ts";

export type MemoryJobs = ReturnType<typeof createMemoryJobs>;

export function createMemoryJobs() {
  const jobs = new Map<string, QueuedJob>();
  const queues = createJobQueues();
  let added = 0;

  function move(queued: QueuedJob, change: Partial<QueuedJob>): void {
    queues.remove(queued);
    const moved = { ...queued, ...change };
    jobs.set(moved.job.id, moved);
    queues.insert(moved);
  }

  function isQueued({ kind, paymentId, payload, dueAt }: NewJob): boolean {
    return [...jobs.values()].some(
      ({ job, readyAt, worker }) =>
        job.kind === kind &&
        job.paymentId === paymentId &&
        job.payload === payload &&
        worker === null &&
        readyAt !== null &&
        readyAt <= dueAt,
    );
  }

  return {
    add({ once, ...newJob }: NewJob): void {
      if (once && isQueued(newJob)) return;
      added += 1;
      const job: Job = Object.freeze({ ...newJob, id: String(added), attempts: 0 });
      const queued = { job, position: added, readyAt: job.dueAt, worker: null, error: null };
      jobs.set(job.id, queued);
      queues.insert(queued);
    },
    finish(id: string): void {
      const queued = jobs.get(id);
      if (queued === undefined) return;
      queues.remove(queued);
      jobs.delete(id);
    },
    retry({ id, dueAt, error, resetAttempts = false }: NonNullable<Change["retried"]>[number]): void {
      const queued = jobs.get(id);
      if (queued === undefined) return;
      const attempts = resetAttempts ? 0 : queued.job.attempts;
      const job = Object.freeze({ ...queued.job, attempts, dueAt: dueAt ?? queued.job.dueAt });
      move(queued, { job, readyAt: dueAt, worker: null, error });
    },
    claim(request: Parameters<PaymentLedger["claim"]>[0]): readonly Job[] {
      const chosen = queues.due(request.now, limits.claimedJobsPerStore, request.except).slice(0, request.limit);
      return chosen.map((queued) => {
        const job = Object.freeze({ ...queued.job, attempts: queued.job.attempts + 1 });
        move(queued, { job, readyAt: request.now + request.leaseMs, worker: request.worker });
        return job;
      });
    },
    renew(ids: readonly string[], worker: string, until: number): readonly string[] {
      return ids.filter((id) => {
        const queued = jobs.get(id);
        if (queued?.worker !== worker) return false;
        move(queued, { readyAt: until });
        return true;
      });
    },
    nextDueAt: (): number | null => queues.nextReadyAt(),
    /** Oldest first. */
    all: (): Iterable<QueuedJob> => jobs.values(),
  };
}

/** The job that processes a new delivery. */
export function deliveryJob({ endpointId, digest, receivedAt }: Delivery): NewJob {
  const payload = JSON.stringify({ endpointId, digest });
  return { kind: "delivery", storeId: null, paymentId: null, payload, dueAt: receivedAt };
}
