import { isDoneByHand, type JobError } from "../domain/job.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ledger } from "../ports/ledger.ts";

/**
 * What became of a person's answer to a dead-letter job. `by_hand`: another attempt cannot help, so nothing was retried. `retryable`: only
 * another attempt can help, so nothing was ended. `under_way`: the job is no dead-letter job any more, so it runs or will run by itself.
 * `gone`: there is no such job, because it is done.
 */
export type DeadJobAnswer = "retried" | "ended" | "by_hand" | "retryable" | "under_way" | "gone";

type JobStore = { readonly ledger: Pick<Ledger, "listJobs" | "commit">; readonly clock: Clock };

const RETRIED: JobError = { code: "retried", message: "A person asked for another attempt." };

/**
 * Makes a dead-letter job due again with zero attempts. A job that is under way is left alone: somebody with an older page must not end the
 * lease of the worker that runs it.
 */
export async function retryDeadJob({ ledger, clock }: JobStore, jobId: string): Promise<DeadJobAnswer> {
  const found = await findDeadJob(ledger, jobId);
  if (found !== "retryable") return found;
  const retry = { id: jobId, dueAt: clock.now(), error: RETRIED, resetAttempts: true, onlyDead: true };
  await ledger.commit({ retried: [retry], timeline: [] });
  return "retried";
}

/** Ends a dead-letter job whose refund a person has recorded in the shop by hand. */
export async function endDeadJob({ ledger }: Pick<JobStore, "ledger">, jobId: string): Promise<DeadJobAnswer> {
  const found = await findDeadJob(ledger, jobId);
  if (found !== "by_hand") return found;
  await ledger.commit({ finished: [jobId], timeline: [] });
  return "ended";
}

async function findDeadJob(
  ledger: JobStore["ledger"],
  jobId: string,
): Promise<Exclude<DeadJobAnswer, "retried" | "ended">> {
  const [job] = (await ledger.listJobs({ id: jobId, limit: 1 })).rows;
  if (job === undefined) return "gone";
  if (job.readyAt !== null) return "under_way";
  return isDoneByHand(job.error) ? "by_hand" : "retryable";
}
