import type { HostJobKind, Job, NewJob, NewPaymentJob } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { Change, PaymentLedger } from "../ports/payment-ledger.ts";
import { createJobKeys } from "./job-keys.ts";
import { createJobTable } from "./job-table.ts";
import { createWaitCorrection } from "./job-waits.ts";

export type MemoryJobs = ReturnType<typeof createMemoryJobs>;

type ClaimRequest = Parameters<PaymentLedger["claim"]>[0];

export function createMemoryJobs(findPayment: (id: string) => Payment | null) {
  const jobs = createJobTable();
  const keys = createJobKeys();
  const shortenWaits = {
    ofPayments: createWaitCorrection(jobs, findPayment),
    ofHosts: createWaitCorrection(jobs, findPayment),
  };
  let added = 0;

  function isQueued({ kind, paymentId, payload, dueAt }: NewJob): boolean {
    return [...jobs.all()].some(
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
    add(newJob: NewJob): void {
      const { once, uniqueKey = null, ...rest } = newJob as NewPaymentJob & { uniqueKey?: string };
      if (once && isQueued(newJob)) return;
      if (uniqueKey !== null && keys.has(rest.storeId ?? "", uniqueKey)) return;
      added += 1;
      const job: Job = Object.freeze({ ...rest, id: String(added), attempts: 0 });
      const queued = { job, uniqueKey, waitMs: 0, position: added, readyAt: job.dueAt, worker: null, error: null };
      keys.add(queued);
      jobs.insert(queued);
    },
    finish(id: string): void {
      const queued = jobs.get(id);
      if (queued === undefined) return;
      jobs.remove(queued);
      keys.done(queued);
    },
    retry(retried: NonNullable<Change["retried"]>[number]): void {
      const { id, dueAt, error, resetAttempts, onlyDead, payload, waitMs } = retried;
      const queued = jobs.get(id);
      if (queued === undefined || (payload !== undefined && payload.from !== queued.job.payload)) return;
      if (onlyDead && queued.readyAt !== null) return;
      const job = Object.freeze({
        ...queued.job,
        attempts: resetAttempts ? 0 : queued.job.attempts,
        dueAt: dueAt ?? queued.job.dueAt,
        payload: payload?.to ?? queued.job.payload,
      });
      jobs.change(queued, { job, readyAt: dueAt, waitMs: waitMs ?? 0, worker: null, error });
    },
    byKey: keys.find,
    forget: keys.forget,
    /** Removes the jobs of hosts of a store, but not those that run. */
    eraseStore(storeId: string): void {
      const ofStore = [...jobs.all()].filter(({ job, uniqueKey }) => job.storeId === storeId && uniqueKey !== null);
      for (const queued of ofStore) if (queued.worker === null) jobs.remove(queued);
      keys.eraseStore(storeId, (id) => jobs.get(id) !== undefined);
    },
    claim(request: ClaimRequest): readonly Job[] {
      shortenWaits[request.hostKinds === undefined ? "ofPayments" : "ofHosts"](request);
      const chosen = jobs.queuesFor(request.hostKinds).due(request, limits.claimedJobsPerStore).slice(0, request.limit);
      return chosen.map((queued) => {
        const job = Object.freeze({ ...queued.job, attempts: queued.job.attempts + 1 });
        jobs.change(queued, { job, readyAt: request.now + request.leaseMs, worker: request.worker });
        return job;
      });
    },
    renew(ids: readonly string[], worker: string, until: number): readonly string[] {
      return ids.filter((id) => {
        const queued = jobs.get(id);
        if (queued?.worker !== worker) return false;
        jobs.change(queued, { readyAt: until });
        return true;
      });
    },
    nextDueAt(hostKinds: readonly HostJobKind[] = []): number | null {
      const times = [jobs.queuesFor().nextReadyAt(), jobs.queuesFor(hostKinds).nextReadyAt(hostKinds)].filter(
        (at) => at !== null,
      );
      return times.length === 0 ? null : Math.min(...times);
    },
    all: jobs.all,
  };
}
