import type { LedgerView, StoredJob } from "@tillkit/core";

/** The newest first. */
export async function* everyJob(
  ledger: LedgerView,
  want: { readonly dead?: boolean; readonly storeId?: string },
): AsyncGenerator<StoredJob> {
  const { allPages } = await import("@tillkit/runtime");
  for await (const jobs of allPages((pages) => ledger.listJobs({ ...want, ...pages }))) yield* jobs;
}
