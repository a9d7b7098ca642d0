import type { RecordRow, Records } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";

/** All records of a kind, of one store or of all stores, ordered by store and key. Reads one page at a time. */
export async function* allRecords(
  records: Records,
  query: { readonly kind: string; readonly storeId?: string },
): AsyncIterable<RecordRow> {
  for (let last: RecordRow | undefined; ; ) {
    const page = await records.list({
      ...query,
      limit: shopifyLimits.recordPageSize,
      ...(last ? { after: last } : {}),
    });
    yield* page;
    last = page.at(-1);
    if (last === undefined || page.length < shopifyLimits.recordPageSize) return;
  }
}
