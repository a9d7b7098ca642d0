import { type Endpoint, endpoints, type OperationId } from "../api/endpoints.ts";
import { ServiceError } from "../errors/service-error.ts";
import { type ListPage, unwrapList } from "../models/unwrap.ts";
import type { OperationOptions, ServiceResponse } from "./call-options.ts";
import { type ListCall, type NextQuery, startList } from "./list-call.ts";
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
