export type JobKind =
  | "confirm"
  | "delivery"
  | "refund"
  | "auto-refund"
  | "note"
  | "hold"
  | "pending"
  | "refuse"
  | "reopen";

/** Work that is due at a time. `payload` is JSON or `""`. */
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
 * `once`: left out when the same work (kind, payment, payload) waits already, is due no later and nobody has it: whoever
 * takes that one sees what this one is about.
 */
export type NewJob = Omit<Job, "id" | "attempts"> & { readonly once?: true };

/** Milliseconds until the next try: twice as long after each, and never longer than the longest. `attempts` counts from 1. */
export function exponentialBackoff(firstMs: number, longestMs: number, attempts: number): number {
  return Math.min(firstMs * 2 ** Math.min(attempts - 1, 20), longestMs);
}

/** Whether a job's error says that it waited its turn, and nothing failed. */
export function isWaiting(error: string): boolean {
  return /^(busy|settling|stale):/.test(error);
}
