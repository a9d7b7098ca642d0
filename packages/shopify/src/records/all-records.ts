import type { RecordRow, Records } from "@tillkit/core/ledger";
import { shopifyLimits } from "../limits.ts";

/** All records of a kind, of one store or of all stores, ordered by store and key. Reads one page at a time. */
export async function* allRecords(
  records: Records,
  query: { readonly kind: string; readonly storeId?: string },
): AsyncIterable<RecordRow> {
  let last: RecordRow | undefined;
  let isLastPage = false;
  while (!isLastPage) {
    const page = await records.list({
      ...query,
      limit: shopifyLimits.recordPageSize,
      ...(last ? { after: last } : {}),
    });
    yield* page;
    last = page.at(-1);
    isLastPage = page.length < shopifyLimits.recordPageSize;
  }
}
