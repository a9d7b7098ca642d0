import type { Job, JobError } from "../domain/job.ts";

/** `readyAt` is when the job can be claimed: its due time, or the end of its lease. It is null for a dead-letter job. */
export type QueuedJob = {
  readonly job: Job;
  readonly position: number;
  readonly readyAt: number | null;
  readonly worker: string | null;
  readonly error: JobError | null;
};

type ReadyJob = QueuedJob & { readonly readyAt: number };

/** One sorted queue per store, so that a claim reads only the first few jobs of each. */
export function createJobQueues() {
  const queues = new Map<string | null, ReadyJob[]>();

  return {
    insert(queued: QueuedJob): void {
      if (!isReady(queued)) return;
      const queue = queues.get(queued.job.storeId) ?? [];
      queue.splice(indexIn(queue, queued), 0, queued);
      queues.set(queued.job.storeId, queue);
    },
    remove(queued: QueuedJob): void {
      const queue = queues.get(queued.job.storeId);
      if (queue === undefined || !isReady(queued)) return;
      queue.splice(indexIn(queue, queued), 1);
      if (queue.length === 0) queues.delete(queued.job.storeId);
    },
    /** Every store's first job before any store's second, at most `perStore` jobs of each store, longest waiting first. */
    waiting(now: number, perStore: number, except: readonly string[] = []): readonly QueuedJob[] {
      const due: { queued: ReadyJob; turn: number }[] = [];
      for (const [storeId, queue] of queues) {
        if (storeId !== null && except.includes(storeId)) continue;
        for (const [turn, queued] of queue.slice(0, perStore).entries()) {
          if (queued.readyAt <= now) due.push({ queued, turn });
        }
      }
      due.sort((left, right) => left.turn - right.turn || compare(left.queued, right.queued));
      return due.map(({ queued }) => queued);
    },
    next(): number | null {
      let next: number | null = null;
      for (const [first] of queues.values()) {
        if (first !== undefined && (next === null || first.readyAt < next)) next = first.readyAt;
      }
      return next;
    },
  };
}

function isReady(queued: QueuedJob): queued is ReadyJob {
  return queued.readyAt !== null;
}

function compare(left: ReadyJob, right: ReadyJob): number {
  return left.readyAt - right.readyAt || left.position - right.position;
}

/** The index of a queued job, or the index where it belongs. */
function indexIn(queue: readonly ReadyJob[], queued: ReadyJob): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = queue[middle];
    if (other !== undefined && compare(other, queued) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
