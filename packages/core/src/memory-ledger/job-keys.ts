import type { Job } from "../domain/job.ts";
import type { KeyedJob } from "../ports/payment-ledger.ts";
import type { QueuedJob } from "./job-queues.ts";
import { pairKey } from "./pair-key.ts";

/** `job` as it was added. `doneSince`: its last due time; null until it is done. */
type JobKey = { readonly job: Job; readonly doneSince: number | null };

/** The unique keys of the jobs of hosts, also of those that are done. */
export function createJobKeys() {
  const keys = new Map<string, JobKey>();
  const keyOf = ({ job, uniqueKey }: Pick<QueuedJob, "job" | "uniqueKey">) =>
    uniqueKey === null ? null : pairKey(job.storeId ?? "", uniqueKey);

  return {
    has: (storeId: string, uniqueKey: string): boolean => keys.has(pairKey(storeId, uniqueKey)),
    add(queued: QueuedJob): void {
      const key = keyOf(queued);
      if (key !== null) keys.set(key, { job: queued.job, doneSince: null });
    },
    done(queued: QueuedJob): void {
      const key = keyOf(queued);
      const known = key === null ? undefined : keys.get(key);
      if (key !== null && known !== undefined) keys.set(key, { ...known, doneSince: queued.job.dueAt });
    },
    find(storeId: string, uniqueKey: string): KeyedJob | null {
      const known = keys.get(pairKey(storeId, uniqueKey));
      return known === undefined ? null : { payload: known.job.payload, isDone: known.doneSince !== null };
    },
    forget(before: number): number {
      const old = [...keys].filter(([, { doneSince }]) => doneSince !== null && doneSince < before);
      for (const [key] of old) keys.delete(key);
      return old.length;
    },
    /** Removes the keys of a store, except those of jobs that are left. */
    eraseStore(storeId: string, isLeft: (jobId: string) => boolean): void {
      for (const [key, { job }] of keys) if (job.storeId === storeId && !isLeft(job.id)) keys.delete(key);
    },
  };
}
