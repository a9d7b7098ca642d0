import type { Job } from "../domain/job.ts";

/** `readyAt`: when it may be claimed, which is its due time or the end of a lease; null for a dead letter. */
export type Queued = {
  readonly job: Job;
  readonly place: number;
  readonly readyAt: number | null;
  readonly worker: string | null;
  readonly error: string | null;
};

type Ready = Queued & { readonly readyAt: number };

/** One sorted queue a store, so that a claim looks at the first few of each and at nothing else. */
export function createJobQueues() {
  const queues = new Map<string | null, Ready[]>();

  return {
    insert(queued: Queued): void {
      if (!isReady(queued)) return;
      const queue = queues.get(queued.job.storeId) ?? [];
      queue.splice(placeIn(queue, queued), 0, queued);
      queues.set(queued.job.storeId, queue);
    },
    remove(queued: Queued): void {
      const queue = queues.get(queued.job.storeId);
      if (queue === undefined || !isReady(queued)) return;
      queue.splice(placeIn(queue, queued), 1);
      if (queue.length === 0) queues.delete(queued.job.storeId);
    },
    /** Every store's first before any store's second, at most `perStore` of each, the longest waiting first. */
    waiting(now: number, perStore: number, except: readonly string[] = []): readonly Queued[] {
      const due: { queued: Ready; turn: number }[] = [];
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

function isReady(queued: Queued): queued is Ready {
  return queued.readyAt !== null;
}

function compare(left: Ready, right: Ready): number {
  return left.readyAt - right.readyAt || left.place - right.place;
}

/** Where it stands, or would stand. */
function placeIn(queue: readonly Ready[], wanted: Ready): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = queue[middle];
    if (other !== undefined && compare(other, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
