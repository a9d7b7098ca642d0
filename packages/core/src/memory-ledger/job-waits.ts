import { isHostJobKind, isKnownJobKind } from "../domain/job.ts";
import { latestDueAt, limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentLedger } from "../ports/payment-ledger.ts";
import type { QueuedJob } from "./job-queues.ts";
import type { JobTable } from "./job-table.ts";

type ClaimRequest = Parameters<PaymentLedger["claim"]>[0];

/** Shortens the waits that a clock ahead of time has left behind, among the jobs that a claim looks at. */
export function createWaitCorrection(jobs: JobTable, findPayment: (id: string) => Payment | null) {
  let correctedAt: number | null = null;

  return function shortenWaits(request: ClaimRequest): void {
    const { now } = request;
    const isRecent = correctedAt !== null && now >= correctedAt && now < correctedAt + limits.clockCorrectionMs;
    if (isRecent) return;
    correctedAt = now;
    for (const queued of [...jobs.all()]) {
      const latest = latestReadyAt(queued, request);
      // A process whose clock is ahead may have done the check that still lies ahead here, and scheduled the one after it.
      const latestElsewhere = latestReadyAt(queued, { ...request, now: now + limits.clockSkewMs });
      if (queued.readyAt !== null && queued.readyAt > Math.max(latest + limits.clockSkewMs, latestElsewhere))
        jobs.change(queued, { readyAt: latest });
    }
  };

  function latestReadyAt({ job, waitMs, worker }: QueuedJob, { now, leaseMs, hostKinds }: ClaimRequest): number {
    const { kind } = job;
    const isClaimed = hostKinds === undefined ? isKnownJobKind(kind) : hostKinds.some((known) => known === kind);
    if (!isClaimed) return Number.POSITIVE_INFINITY;
    if (worker !== null) return now + Math.max(leaseMs, limits.jobLeaseMs);
    if (isHostJobKind(kind)) return now + waitMs;
    return latestDueAt({ ...job, kind }, job.paymentId === null ? null : findPayment(job.paymentId), now);
  }
}
