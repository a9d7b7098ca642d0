/**
 * The kinds of jobs that this version knows. A process claims no other job: a newer version that shares the ledger may have added
 * it. A job whose payload changes its meaning is therefore a new kind.
 */
export const JOB_KINDS = [
  "confirm",
  "delivery",
  "refund",
  "auto-refund",
  "note",
  "hold",
  "pending",
  "refuse",
  "reopen",
  "compare",
] as const;

export type JobKind = (typeof JOB_KINDS)[number];

/** The kind of a job that a host runs: the name of its platform and of the task, such as `shopify.webhook`. */
export type HostJobKind = `${string}.${string}`;

export function isHostJobKind(kind: JobKind | HostJobKind): kind is HostJobKind {
  return kind.includes(".");
}

export function isKnownJobKind(kind: string): kind is JobKind {
  return JOB_KINDS.some((known) => known === kind);
}

/** Work that becomes due at `dueAt`. `payload` holds what the work is about: a task of ours (`job-task.ts`), or a text of the host. */
export type Job = {
  readonly id: string;
  readonly kind: JobKind | HostJobKind;
  readonly storeId: string | null;
  readonly paymentId: string | null;
  readonly payload: string;
  readonly dueAt: number;
  readonly attempts: number;
};

export type NewJob = NewPaymentJob | NewHostJob;

/**
 * `once`: the job is skipped when an unclaimed job of the same kind, payment and payload is due at the same time or earlier.
 * That job will read the same state.
 */
export type NewPaymentJob = Omit<Job, "id" | "attempts" | "kind"> & { readonly kind: JobKind; readonly once?: true };

/**
 * A job that a host runs. It is due at once. `uniqueKey` names what asks for it, such as the id of a platform's webhook: a store gets
 * one job of a key. A job with a known key is skipped, also after that job is done.
 */
export type NewHostJob = Omit<Job, "id" | "attempts" | "kind" | "storeId"> & {
  readonly kind: HostJobKind;
  readonly storeId: string;
  readonly uniqueKey: string;
};

/** Keeps the power in `exponentialBackoff` finite. Every wait has reached its `maxMs` by then. */
const MAX_GROWTH_STEPS = 20;

/** Whole milliseconds until the next attempt: the wait grows by `growth` with each attempt up to `maxMs`. `attempts` counts from 1. */
export function exponentialBackoff(firstMs: number, maxMs: number, attempts: number, growth = 2): number {
  return Math.min(Math.round(firstMs * growth ** Math.min(attempts - 1, MAX_GROWTH_STEPS)), maxMs);
}

/**
 * Why an attempt did not finish its job. `code` is the code of the thrown error, or names what the job waits for: `busy`,
 * `write_in_flight`, `stale`, `scheduled`, or the state of a refund. `message` is a sentence for the log, without personal data: no code reads it.
 */
export type JobError = { readonly code: string; readonly message: string; readonly reason?: JobReason };

/** What an error says besides its code. `platform_error`: `code` is the platform's own, such as Medusa's `not_allowed`. */
export type JobReason = { readonly kind: "platform_error"; readonly code: string };

const WAITING: ReadonlySet<string> = new Set(["busy", "write_in_flight", "stale", "scheduled"]);

/** Whether the error only means that the job waits, and has not failed. */
export function isWaiting({ code }: JobError): boolean {
  return WAITING.has(code);
}

/** The error of a job whose refund was paid and which the store never accepts any more. */
export const REFUND_NOT_RECORDED = "refund_not_recorded";

/** Whether a person ends the job, by recording its refund in the store by hand: another attempt cannot help. */
export function isDoneByHand(error: Pick<JobError, "code"> | null): boolean {
  return error?.code === REFUND_NOT_RECORDED;
}

/** Another worker holds the order's lease. */
export const BUSY: JobError = { code: "busy", message: "Another worker is writing this order." };

/** A request to the store, whose response was lost, may still take effect. */
export const WRITE_IN_FLIGHT: JobError = {
  code: "write_in_flight",
  message: "An earlier write may still take effect.",
};

/** A job of a host goes on later. */
export const SCHEDULED: JobError = { code: "scheduled", message: "The next step comes later." };

/** `code: message`, for logs and lists. */
export function formatJobError({ code, message }: JobError): string {
  return `${code}: ${message}`;
}
