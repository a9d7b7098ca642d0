import type { Delivery } from "../domain/delivery.ts";
import { isKnownJobKind, type Job, type NewJob } from "../domain/job.ts";
import { latestDueAt, limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { Change, PaymentLedger } from "../ports/payment-ledger.ts";
import { createJobQueues, type QueuedJob } from "./job-queues.ts";

export type MemoryJobs = ReturnType<typeof createMemoryJobs>;

type ClaimRequest = Parameters<PaymentLedger["claim"]>[0];

export function createMemoryJobs(findPayment: (id: string) => Payment | null) {
  const jobs = new Map<string, QueuedJob>();
  const queues = createJobQueues();
  let added = 0;
  let correctedAt: number | null = null;

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

  function shortenWaits({ now, leaseMs }: ClaimRequest): void {
    const isRecent = correctedAt !== null && now >= correctedAt && now < correctedAt + limits.clockCorrectionMs;
    if (isRecent) return;
    correctedAt = now;
    for (const queued of [...jobs.values()]) {
      const latest = latestReadyAt(queued, now, leaseMs);
      if (queued.readyAt !== null && queued.readyAt > latest + limits.clockSkewMs) move(queued, { readyAt: latest });
    }
  }

  function latestReadyAt({ job, worker }: QueuedJob, now: number, leaseMs: number): number {
    if (!isKnownJobKind(job.kind)) return Number.POSITIVE_INFINITY;
    if (worker !== null) return now + Math.max(leaseMs, limits.jobLeaseMs);
    return latestDueAt(job, job.paymentId === null ? null : findPayment(job.paymentId), now);
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
    claim(request: ClaimRequest): readonly Job[] {
      shortenWaits(request);
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
