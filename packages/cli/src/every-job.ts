import type { KeptJob, LedgerView } from "@tillkit/core";

const ROWS = 200;

/** The newest first, page by page. */
export async function* everyJob(
  ledger: LedgerView,
  want: { readonly dead?: boolean; readonly storeId?: string },
): AsyncGenerator<KeptJob> {
  let after: string | null = null;
  do {
    const pages = after === null ? { limit: ROWS } : { limit: ROWS, after };
    const page = await ledger.listJobs({ ...want, ...pages });
    yield* page.rows;
    after = page.next;
  } while (after !== null);
}
