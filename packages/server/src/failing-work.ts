import { isWaiting, type LedgerView, type StoredJob } from "@tillkit/core";
import { hostLimits } from "./limits.ts";

/**
 * What goes on by itself and has failed for about ten minutes, the newest first; `whole`: this is all. What only waits for
 * its turn, or for the money, is no failure.
 */
export async function failingWork(
  ledger: LedgerView,
): Promise<{ readonly jobs: readonly StoredJob[]; readonly whole: boolean }> {
  const { failingTries: tries, alertRows: limit } = hostLimits;
  const { rows, next } = await ledger.listJobs({ dead: false, tries, limit });
  return { jobs: rows.filter(({ error }) => error !== null && isFailure(error)), whole: next === null };
}

function isFailure(error: string): boolean {
  return !isWaiting(error) && !error.startsWith("pending:");
}
