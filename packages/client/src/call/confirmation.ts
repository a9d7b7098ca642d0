import { copyServiceError, isServiceError } from "../errors/service-error.ts";
import { isJsonObject, stringField } from "../models/json-fields.ts";
import type { Clock } from "../system/clock.ts";
import type { SendOperation } from "./operation.ts";

/**
 * Confirms a money movement that the service previews first (API.md#confirmation-in-two-steps): repeats the same body with
 * the token of the preview, under the same Idempotency-Key, within the same deadline.
 */
export function withConfirmation(send: SendOperation, clock: Clock, defaultDeadlineMs: number): SendOperation {
  return async function sendConfirmed(operation, parts, options) {
    const endsAt = clock.now() + (options.deadlineMs ?? defaultDeadlineMs);
    const response = await send(operation, parts, options);
    const token = readConfirmationToken(response.json);
    if (token === null) return response;
    const body = { ...bodyFields(parts.body), confirmation_token: token };
    const remaining = { ...options, deadlineMs: Math.max(1, endsAt - clock.now()) };
    return send(operation, { ...parts, body }, remaining).catch((thrown: unknown) => {
      // A refused confirmation does not settle the write when a try before the preview may have moved the money.
      const isOpen = response.earlierTryMayHaveLanded && isServiceError(thrown);
      throw isOpen ? copyServiceError(thrown, { mayHaveLanded: true }) : thrown;
    });
  };
}

function readConfirmationToken(json: unknown): string | null {
  const preview = isJsonObject(json) && isJsonObject(json.data) ? json.data : json;
  if (!isJsonObject(preview) || preview.requires_confirmation !== true) return null;
  return stringField(preview, "confirmation_token") ?? null;
}

function bodyFields(body: object | string | undefined): object {
  return typeof body === "string" ? JSON.parse(body) : (body ?? {});
}
