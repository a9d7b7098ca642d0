import type { HostJobKind, Job, JobError } from "../domain/job.ts";
import type { PaymentLedger } from "../ports/payment-ledger.ts";

/** `readyAt` is when the job can be claimed: its due time, or the end of its lease. It is null for a dead-letter job. */
export type QueuedJob = {
  readonly job: Job;
  /** Null for a job about a payment. */
  readonly uniqueKey: string | null;
  readonly waitMs: number;
  readonly position: number;
  readonly readyAt: number | null;
  readonly worker: string | null;
  readonly error: JobError | null;
};

type ClaimRequest = Parameters<PaymentLedger["claim"]>[0];

type ScheduledJob = QueuedJob & { readonly readyAt: number };

/**
 * One sorted queue per store, so that a claim reads only the first few jobs of each queue. `hostKinds`: jobs of other kinds are
 * passed over.
 */
export function createJobQueues() {
  const queues = new Map<string | null, ScheduledJob[]>();

  return {
    insert(queued: QueuedJob): void {
      if (!isScheduled(queued)) return;
      const queue = queues.get(queued.job.storeId) ?? [];
      queue.splice(indexIn(queue, queued), 0, queued);
      queues.set(queued.job.storeId, queue);
    },
    remove(queued: QueuedJob): void {
      const queue = queues.get(queued.job.storeId);
      if (queue === undefined || !isScheduled(queued)) return;
      queue.splice(indexIn(queue, queued), 1);
      if (queue.length === 0) queues.delete(queued.job.storeId);
    },
    /**
     * Due jobs in rounds, at most `perStore` of each store: the first job of every store, then the second job of every store, and
     * so on. Within a round the job that has been due longest comes first.
     */
    due({ now, except = [], hostKinds }: ClaimRequest, perStore: number): readonly QueuedJob[] {
      const dueJobs: { queued: ScheduledJob; rank: number }[] = [];
      for (const [storeId, queue] of queues) {
        if (storeId !== null && except.includes(storeId)) continue;
        for (const [rank, queued] of ofKinds(queue, hostKinds).slice(0, perStore).entries()) {
          if (queued.readyAt <= now) dueJobs.push({ queued, rank });
        }
      }
      dueJobs.sort((left, right) => left.rank - right.rank || compare(left.queued, right.queued));
      return dueJobs.map(({ queued }) => queued);
    },
    nextReadyAt(hostKinds?: readonly HostJobKind[]): number | null {
      const times = [...queues.values()].flatMap((queue) => ofKinds(queue, hostKinds)[0]?.readyAt ?? []);
      return times.length === 0 ? null : Math.min(...times);
    },
  };
}

function ofKinds(queue: readonly ScheduledJob[], hostKinds?: readonly string[]): readonly ScheduledJob[] {
  return hostKinds === undefined ? queue : queue.filter(({ job }) => hostKinds.includes(job.kind));
}

function isScheduled(queued: QueuedJob): queued is ScheduledJob {
  return queued.readyAt !== null;
}

function compare(left: ScheduledJob, right: ScheduledJob): number {
  return left.readyAt - right.readyAt || left.position - right.position;
}

/** The index of a queued job, or the index where it belongs. */
function indexIn(queue: readonly ScheduledJob[], queued: ScheduledJob): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const other = queue[middle];
    if (other !== undefined && compare(other, queued) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
