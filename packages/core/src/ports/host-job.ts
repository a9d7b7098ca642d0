import type { Job, JobError } from "../domain/job.ts";
import type { Language } from "../domain/money.ts";

/** What a host does for its platform: work under a unique key that survives a crash and runs in one process at a time. */
export type HostJob = {
  /** What the operators' pages call the job. */
  readonly names: Readonly<Record<Language, string>>;
  /** Called again after a crash, so it must be idempotent. When it throws, the job is tried again later. */
  run(job: Job): Promise<HostJobResult>;
};

/**
 * `retryAt`: the job goes on at this time, and its attempts count anew. `dead`: a person must act first; the message is a sentence for
 * that person, without personal data. `payload`: what the job knows by now.
 */
export type HostJobResult =
  | "done"
  | { readonly retryAt: number; readonly payload?: string }
  | { readonly dead: JobError; readonly payload?: string };
