import type { RecordRow, Records } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";

/** All rows of a kind, of one shop or of all, in the order of shop and key. */
export async function* everyRow(
  records: Records,
  want: { readonly kind: string; readonly storeId?: string },
): AsyncIterable<RecordRow> {
  for (let last: RecordRow | undefined; ; ) {
    const page = await records.list({ ...want, limit: shopifyLimits.rows, ...(last ? { after: last } : {}) });
    yield* page;
    last = page.at(-1);
    if (last === undefined || page.length < shopifyLimits.rows) return;
  }
}
