import type { LedgerView, StoredJob } from "@tillkit/core/ledger";

/** Reads all pages of the list, newest jobs first. */
export async function* listAllJobs(
  ledger: LedgerView,
  query: { readonly dead?: boolean; readonly storeId?: string },
): AsyncGenerator<StoredJob> {
  const { allPages } = await import("@tillkit/runtime");
  for await (const jobs of allPages((page) => ledger.listJobs({ ...query, ...page }))) yield* jobs;
}
