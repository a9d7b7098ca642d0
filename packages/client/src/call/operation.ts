import { type Endpoint, endpoints, type OperationId } from "../api/endpoints.ts";
import { ServiceError } from "../errors/service-error.ts";
import { type ListPage, unwrapList } from "../models/unwrap.ts";
import type { CallOptions, ServiceResponse } from "./call-options.ts";
import { type ListCall, type NextQuery, startList } from "./list-call.ts";
import type { ParsedResponse } from "./parse-response.ts";
import type { CallParts, Query } from "./prepare-request.ts";

export type OperationOptions = CallOptions & { readonly scenario?: string | undefined };

/** Sends one row of the endpoint table; what the resources of the client are made of. */
export type SendOperation = (
  operation: OperationId,
  parts: CallParts,
  options: OperationOptions,
) => Promise<ParsedResponse>;

/** One row whose answer is an object that `read` finds something to trust in; else `response_unusable`. */
export async function callOne<T>(
  send: SendOperation,
  operation: OperationId,
  read: (json: unknown) => T | null,
  parts: CallParts,
  options: OperationOptions = {},
): Promise<ServiceResponse<T>> {
  return toServiceResponse(operation, await send(operation, parts, options), read);
}

/** One row whose answer is a list, in any of its forms. */
export function callList<T>(
  send: SendOperation,
  operation: OperationId,
  read: (json: unknown) => T | null,
  parts: CallParts,
  options: OperationOptions = {},
  nextQuery?: NextQuery,
): ListCall<T> {
  const load = async (query: Query): Promise<ServiceResponse<ListPage<T>>> => {
    const answer = await send(operation, { ...parts, query }, options);
    return toServiceResponse(operation, answer, (json) => unwrapList(json, read));
  };
  return startList(load, parts.query ?? {}, nextQuery);
}

/** @throws ServiceError `response_unusable` with `sentence`, when the reader finds nothing to trust */
export function toServiceResponse<T>(
  operation: OperationId,
  answer: ParsedResponse,
  read: (json: unknown) => T | null,
  sentence: string = missing(operation),
): ServiceResponse<T> {
  const data = read(answer.json);
  const { json: raw, status, requestId, replayed, rateLimit } = answer;
  if (data === null) {
    const mayHaveLanded = endpoints[operation].method !== "GET";
    throw new ServiceError("response_unusable", sentence, { status, requestId, mayHaveLanded });
  }
  return { data, raw, status, requestId, replayed, rateLimit };
}

function missing(operation: OperationId): string {
  const { method, path }: Endpoint = endpoints[operation];
  return `The service's answer to ${method} ${path} does not hold what it should.`;
}
