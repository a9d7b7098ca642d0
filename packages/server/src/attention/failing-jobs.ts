import type { JobError } from "@tillkit/core";
import { isWaiting, type LedgerView, type StoredJob } from "@tillkit/core/ledger";
import { serverLimits } from "../limits.ts";

/**
 * Jobs that are retried and have failed for about ten minutes, newest first. `isComplete`: no older jobs are left out. A job that
 * waits for its turn or for the shopper's payment has not failed.
 */
export async function findFailingJobs(
  ledger: LedgerView,
): Promise<{ readonly jobs: readonly StoredJob[]; readonly isComplete: boolean }> {
  const { failingAfterAttempts: minAttempts, maxAlertRows: limit } = serverLimits;
  const { rows, next } = await ledger.listJobs({ dead: false, minAttempts, limit });
  return { jobs: rows.filter(({ error }) => error !== null && isFailure(error)), isComplete: next === null };
}

/** A job whose refund is `pending` waits for the bank and has not failed. */
function isFailure(error: JobError): boolean {
  return !isWaiting(error) && error.code !== "pending";
}
