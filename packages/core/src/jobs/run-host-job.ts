import { type HostJobKind, type Job, SCHEDULED } from "../domain/job.ts";
import type { Engine } from "../engine.ts";
import type { JobResult } from "./job-result.ts";

export async function runHostJob({ hostJobs }: Engine, job: Job, kind: HostJobKind): Promise<JobResult> {
  const hostJob = hostJobs[kind];
  // Only jobs of these kinds are claimed.
  if (hostJob === undefined) throw new RangeError(`No host runs jobs of the kind ${kind}.`);
  const result = await hostJob.run(job);
  if (result === "done") return "done";
  const { payload = job.payload } = result;
  const replaced = payload === job.payload ? {} : { payload };
  return "dead" in result
    ? { retryAt: null, error: result.dead, ...replaced }
    : { retryAt: result.retryAt, error: SCHEDULED, isExactTime: true, resetAttempts: true, ...replaced };
}
