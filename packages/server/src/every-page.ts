import type { Page, PageRequest } from "@tillkit/core";

const ROWS_A_PAGE = 200;

/** The rows of a ledger's list, newest first, a page at a time. */
export async function* everyPage<Row>(
  list: (pages: PageRequest) => Promise<Page<Row>>,
): AsyncGenerator<readonly Row[]> {
  let after: string | null = null;
  do {
    const page: Page<Row> = await list(after === null ? { limit: ROWS_A_PAGE } : { limit: ROWS_A_PAGE, after });
    yield page.rows;
    after = page.next;
  } while (after !== null);
}
