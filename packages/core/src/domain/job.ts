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

export function isKnownJobKind(kind: string): kind is JobKind {
  return JOB_KINDS.some((known) => known === kind);
}

/**
 * Work that becomes due at `dueAt`. `payload` says what the work is about: JSON, a short text such as a refund's key, or `""` where
 * kind and payment say everything.
 */
export type Job = {
  readonly id: string;
  readonly kind: JobKind;
  readonly storeId: string | null;
  readonly paymentId: string | null;
  readonly payload: string;
  readonly dueAt: number;
  readonly attempts: number;
};

/**
 * `once`: the job is skipped when an unclaimed job of the same kind, payment and payload is due at the same time or earlier.
 * That job will read the same state.
 */
export type NewJob = Omit<Job, "id" | "attempts"> & { readonly once?: true };

/** Keeps the power in `exponentialBackoff` finite. Every wait has reached its `maxMs` by then. */
const MAX_GROWTH_STEPS = 20;

/** Whole milliseconds until the next attempt: the wait grows by `growth` with each attempt up to `maxMs`. `attempts` counts from 1. */
export function exponentialBackoff(firstMs: number, maxMs: number, attempts: number, growth = 2): number {
  return Math.min(Math.round(firstMs * growth ** Math.min(attempts - 1, MAX_GROWTH_STEPS)), maxMs);
}

/**
 * Why an attempt did not finish its job. `code` is the code of the thrown error, or names what the job waits for: `busy`,
 * `write_in_flight`, `stale`, or the state of a refund. `message` is a sentence for the log, without personal data: no code reads it.
 */
export type JobError = { readonly code: string; readonly message: string; readonly reason?: JobReason };

/** What an error says besides its code. `platform_error`: `code` is the platform's own, such as Medusa's `not_allowed`. */
export type JobReason = { readonly kind: "platform_error"; readonly code: string };

const WAITING: ReadonlySet<string> = new Set(["busy", "write_in_flight", "stale"]);

/** Whether the error only means that the job waits, and has not failed. */
export function isWaiting({ code }: JobError): boolean {
  return WAITING.has(code);
}

/** Another worker holds the order's lease. */
export const BUSY: JobError = { code: "busy", message: "Another worker is writing this order." };

/** A request to the store, whose response was lost, may still take effect. */
export const WRITE_IN_FLIGHT: JobError = {
  code: "write_in_flight",
  message: "An earlier write may still take effect.",
};

/** `code: message`, for logs and lists. */
export function formatJobError({ code, message }: JobError): string {
  return `${code}: ${message}`;
}
