import type { Page, PageRequest } from "@tillkit/core/ledger";

const ROWS_PER_PAGE = 200;

/** Yields every page of a ledger's list, newest rows first. */
export async function* allPages<Row>(
  list: (request: PageRequest) => Promise<Page<Row>>,
): AsyncGenerator<readonly Row[]> {
  let after: string | null = null;
  do {
    const page: Page<Row> = await list(after === null ? { limit: ROWS_PER_PAGE } : { limit: ROWS_PER_PAGE, after });
    yield page.rows;
    after = page.next;
  } while (after !== null);
}
