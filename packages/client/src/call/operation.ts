import type { OperationId } from "../endpoints.ts";
import { ServiceError } from "../service-error.ts";
import type { CallOptions, Reply } from "./call-options.ts";
import type { CallParts } from "./prepare-request.ts";
import type { Answer } from "./read-answer.ts";

/** Sends one row of the endpoint table; what the resources of the client are made of. */
export type SendOperation = (operation: OperationId, parts: CallParts, options: CallOptions) => Promise<Answer>;

/** @throws ServiceError `answer_unusable` with `missing` as its sentence, when the reader finds nothing to trust */
export function replyWith<T>(answer: Answer, read: (json: unknown) => T | null, missing: string): Reply<T> {
  const data = read(answer.json);
  const { json: raw, status, requestId, replayed } = answer;
  if (data === null) throw new ServiceError("answer_unusable", missing, { status, requestId });
  return { data, raw, status, requestId, replayed };
}
