import { type Endpoint, endpoints, type OperationId } from "../api/endpoints.ts";
import { ServiceError } from "../errors/service-error.ts";
import { type ListPage, unwrapList } from "../models/json-fields.ts";
import { MAX_LIST_PAGES } from "../system/limits.ts";
import type { OperationOptions, ServiceResponse } from "./call-options.ts";
import type { ParsedResponse } from "./parse-response.ts";
import type { CallRequest, Query } from "./prepare-request.ts";

/** Sends one operation of the endpoint table. */
export type SendOperation = (
  operation: OperationId,
  request: CallRequest,
  options: OperationOptions,
) => Promise<ParsedResponse>;

/** An operation whose response holds one resource. */
export async function callOne<T>(
  send: SendOperation,
  operation: OperationId,
  parse: (json: unknown) => T | null,
  request: CallRequest,
  options: OperationOptions = {},
): Promise<ServiceResponse<T>> {
  return toServiceResponse(operation, await send(operation, request, options), parse);
}

/** An operation whose response holds a list. */
export function callList<T>(
  send: SendOperation,
  operation: OperationId,
  parse: (json: unknown) => T | null,
  request: CallRequest,
  options: OperationOptions = {},
  nextQuery?: NextQuery,
): ListCall<T> {
  const load = async (query: Query): Promise<ServiceResponse<ListPage<T>>> => {
    const response = await send(operation, { ...request, query }, options);
    return toServiceResponse(operation, response, (json) => unwrapList(json, parse));
  };
  return startList(load, request.query ?? {}, nextQuery);
}

/** @throws ServiceError `response_unusable` with `message`, when `parse` returns null */
export function toServiceResponse<T>(
  operation: OperationId,
  response: ParsedResponse,
  parse: (json: unknown) => T | null,
  message: string = missingResourceMessage(operation),
): ServiceResponse<T> {
  const data = parse(response.json);
  const { json: raw, status, requestId, idempotencyKey, replayed, rateLimit } = response;
  if (data === null) {
    const mayHaveSucceeded = endpoints[operation].method !== "GET";
    throw new ServiceError("response_unusable", message, { status, requestId, idempotencyKey, mayHaveSucceeded });
  }
  return { data, raw, status, requestId, idempotencyKey, replayed, rateLimit };
}

function missingResourceMessage(operation: OperationId): string {
  const { method, path }: Endpoint = endpoints[operation];
  return `The service's response to ${method} ${path} lacks the resource.`;
}

/** The call of a list: await it for the first page, or iterate over it for the items of all pages. Each page has its own deadline. */
export type ListCall<T> = Promise<ServiceResponse<ListPage<T>>> &
  AsyncIterable<T> & {
    /** The first `limit` items of all pages. The limit is required, because a whole list may not fit into memory. */
    toArray(options: { readonly limit: number }): Promise<T[]>;
  };

/** The query of the next page; null after the last page. */
export type NextQuery = (page: ListPage<unknown>, query: Query) => Query | null;

function startList<T>(
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
