import type { RecordRow, Records } from "../ports/records.ts";

const PAGE_ROWS = 200;

/** All records of a kind, of one store or of all stores, ordered by store and key. Reads one page at a time. */
export async function* allRecords(
  records: Pick<Records, "list">,
  query: { readonly kind: string; readonly storeId?: string },
): AsyncIterable<RecordRow> {
  let last: RecordRow | undefined;
  let isLastPage = false;
  while (!isLastPage) {
    const page = await records.list({ ...query, limit: PAGE_ROWS, ...(last ? { after: last } : {}) });
    yield* page;
    last = page.at(-1);
    isLastPage = page.length < PAGE_ROWS;
  }
}
