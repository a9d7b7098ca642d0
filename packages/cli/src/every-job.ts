import type { LedgerView, StoredJob } from "@tillkit/core";

/** The newest first. */
export async function* everyJob(
  ledger: LedgerView,
  want: { readonly dead?: boolean; readonly storeId?: string },
): AsyncGenerator<StoredJob> {
  const { everyPage } = await import("@tillkit/server");
  for await (const jobs of everyPage((pages) => ledger.listJobs({ ...want, ...pages }))) yield* jobs;
}
