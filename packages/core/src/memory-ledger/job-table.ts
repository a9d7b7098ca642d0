import { type HostJobKind, isKnownJobKind } from "../domain/job.ts";
import { createJobQueues, type QueuedJob } from "./job-queues.ts";

export type JobTable = ReturnType<typeof createJobTable>;

/** The jobs by id, and the queues in which jobs about payments and jobs of hosts wait. */
export function createJobTable() {
  const jobs = new Map<string, QueuedJob>();
  const ofPayments = createJobQueues();
  const ofHosts = createJobQueues();

  // A job about a payment whose kind this version does not know is in no queue.
  function queuesOf({ job, uniqueKey }: QueuedJob) {
    if (uniqueKey !== null) return ofHosts;
    return isKnownJobKind(job.kind) ? ofPayments : null;
  }

  function insert(queued: QueuedJob): void {
    jobs.set(queued.job.id, queued);
    queuesOf(queued)?.insert(queued);
  }

  return {
    insert,
    get: (id: string): QueuedJob | undefined => jobs.get(id),
    /** Oldest first. */
    all: (): Iterable<QueuedJob> => jobs.values(),
    remove(queued: QueuedJob): void {
      queuesOf(queued)?.remove(queued);
      jobs.delete(queued.job.id);
    },
    change(queued: QueuedJob, change: Partial<QueuedJob>): void {
      queuesOf(queued)?.remove(queued);
      insert({ ...queued, ...change });
    },
    queuesFor: (hostKinds?: readonly HostJobKind[]) => (hostKinds === undefined ? ofPayments : ofHosts),
  };
}
