import { ServiceError } from "../errors/service-error.ts";
import type { ListPage } from "../models/unwrap.ts";
import { MAX_LIST_PAGES } from "../system/limits.ts";
import type { ServiceResponse } from "./call-options.ts";
import type { Query } from "./prepare-request.ts";

/** The call of a list: await it for the first page, or iterate over it for the items of all pages. Each page has its own deadline. */
export type ListCall<T> = Promise<ServiceResponse<ListPage<T>>> &
  AsyncIterable<T> & {
    /** The first `limit` items of all pages. The limit is required, because a whole list may not fit into memory. */
    toArray(options: { readonly limit: number }): Promise<T[]>;
  };

/** The query of the next page; null after the last page. */
export type NextQuery = (page: ListPage<unknown>, query: Query) => Query | null;

export function startList<T>(
  load: (query: Query) => Promise<ServiceResponse<ListPage<T>>>,
  query: Query,
  nextQuery: NextQuery = byCursorOrOffset,
): ListCall<T> {
  const first = load(query);
  async function* items(): AsyncGenerator<T, void, undefined> {
    let page = (await first).data;
    let current = query;
    for (let pages = 1; ; pages += 1) {
      yield* page.items;
      const next = nextQuery(page, current);
      if (next === null) return;
      if (pages === MAX_LIST_PAGES || isSameQuery(next, current))
        throw new ServiceError("response_unusable", "The service's list does not end.");
      current = next;
      page = (await load(current)).data;
    }
  }
  async function toArray(options: { readonly limit: number }): Promise<T[]> {
    const limit: unknown = options?.limit;
    if (!Number.isSafeInteger(limit) || Number(limit) < 1)
      throw new ServiceError("request_invalid", "toArray needs { limit }: the largest number of items to return.");
    const found: T[] = [];
    for await (const item of items()) {
      found.push(item);
      if (found.length === limit) break;
    }
    return found;
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items, toArray });
}

const byCursorOrOffset: NextQuery = (page, query) => {
  if (page.nextCursor !== null) return { ...query, cursor: page.nextCursor };
  return page.nextOffset === null ? null : { ...query, offset: page.nextOffset };
};

/** For bare arrays with an offset: the first page that is not full is the last page. */
export function byFullPages(defaultLimit: number): NextQuery {
  return ({ received }, query) => {
    const { limit = defaultLimit, offset = 0, ...filters } = query;
    const fullPage = Math.min(Number(limit), MAX_PAGE_SIZE);
    return received < fullPage ? null : { ...filters, limit, offset: Number(offset) + received };
  };
}

/** The service lowers a larger `limit` to this number. */
const MAX_PAGE_SIZE = 100;

function isSameQuery(left: Query, right: Query): boolean {
  return left.cursor === right.cursor && left.offset === right.offset;
}
