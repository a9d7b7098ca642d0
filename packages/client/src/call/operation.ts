import { type Page, unwrapList } from "../answers/unwrap.ts";
import { type Endpoint, endpoints, type OperationId } from "../endpoints.ts";
import { ServiceError } from "../service-error.ts";
import type { CallOptions, Reply } from "./call-options.ts";
import { type ListCall, type NextQuery, startList } from "./list-call.ts";
import type { CallParts, Query } from "./prepare-request.ts";
import type { Answer } from "./read-answer.ts";

export type OperationOptions = CallOptions & { readonly scenario?: string | undefined };

/** Sends one row of the endpoint table; what the resources of the client are made of. */
export type SendOperation = (operation: OperationId, parts: CallParts, options: OperationOptions) => Promise<Answer>;

/** One row whose answer is an object that `read` finds something to trust in; else `answer_unusable`. */
export async function callOne<T>(
  send: SendOperation,
  operation: OperationId,
  read: (json: unknown) => T | null,
  parts: CallParts,
  options: OperationOptions = {},
): Promise<Reply<T>> {
  return replyWith(operation, await send(operation, parts, options), read);
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
  const load = async (query: Query): Promise<Reply<Page<T>>> => {
    const answer = await send(operation, { ...parts, query }, options);
    return replyWith(operation, answer, (json) => unwrapList(json, read));
  };
  return startList(load, parts.query ?? {}, nextQuery);
}

/** @throws ServiceError `answer_unusable` with `sentence`, when the reader finds nothing to trust */
export function replyWith<T>(
  operation: OperationId,
  answer: Answer,
  read: (json: unknown) => T | null,
  sentence: string = missing(operation),
): Reply<T> {
  const data = read(answer.json);
  const { json: raw, status, requestId, replayed, rateLimit } = answer;
  if (data === null) {
    const mayHaveLanded = endpoints[operation].method !== "GET";
    throw new ServiceError("answer_unusable", sentence, { status, requestId, mayHaveLanded });
  }
  return { data, raw, status, requestId, replayed, rateLimit };
}

function missing(operation: OperationId): string {
  const { method, path }: Endpoint = endpoints[operation];
  return `The service's answer to ${method} ${path} does not hold what it should.`;
}
