import { ServiceError } from "../errors/service-error.ts";
import type { ListPage } from "../models/unwrap.ts";
import { MAX_LIST_PAGES } from "../system/limits.ts";
import type { ServiceResponse } from "./call-options.ts";
import type { Query } from "./prepare-request.ts";

/** Await it for the first page, or iterate over it for every item of every page; each page has its own deadline. */
export type ListCall<T> = Promise<ServiceResponse<ListPage<T>>> & AsyncIterable<T>;

/** The query of the page after this one; null after the last. */
export type NextQuery = (page: ListPage<unknown>, query: Query) => Query | null;

export function startList<T>(
  load: (query: Query) => Promise<ServiceResponse<ListPage<T>>>,
  query: Query,
  nextQuery: NextQuery = byCursorOrOffset,
): ListCall<T> {
  const first = load(query);
  async function* items(): AsyncGenerator<T, void, undefined> {
    let page = (await first).data;
    let here = query;
    for (let pages = 1; ; pages += 1) {
      yield* page.items;
      const next = nextQuery(page, here);
      if (next === null) return;
      if (pages === MAX_LIST_PAGES || sameQuery(next, here))
        throw new ServiceError("response_unusable", "The service's list does not come to an end.");
      here = next;
      page = (await load(here)).data;
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}

const byCursorOrOffset: NextQuery = (page, query) => {
  if (page.nextCursor !== null) return { ...query, cursor: page.nextCursor };
  return page.nextOffset === null ? null : { ...query, offset: page.nextOffset };
};

/** For bare arrays that are counted by offset: a page that is not full is the last one. */
export function byFullPages(usualLimit: number): NextQuery {
  return ({ received }, { limit = usualLimit, offset = 0, ...query }) =>
    received < Math.min(Number(limit), LARGEST_PAGE) ? null : { ...query, limit, offset: Number(offset) + received };
}

/** The service lowers a larger `limit` to this. */
const LARGEST_PAGE = 100;

function sameQuery(one: Query, other: Query): boolean {
  return one.cursor === other.cursor && one.offset === other.offset;
}
