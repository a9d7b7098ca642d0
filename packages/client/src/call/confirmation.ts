import { copyServiceError, isServiceError } from "../errors/service-error.ts";
import { stringField, unwrapObject } from "../models/json-fields.ts";
import type { Clock } from "../system/clock.ts";
import type { SendOperation } from "./operation.ts";

/**
 * Confirms an operation that moves money, for which the service first returns a preview
 * (API.md#confirmation-in-two-steps): repeats the same body with the token of the preview, under the same
 * Idempotency-Key, before the same deadline.
 */
export function withConfirmation(send: SendOperation, clock: Clock, defaultDeadlineMs: number): SendOperation {
  return async function sendConfirmed(operation, request, options) {
    const deadline = clock.now() + (options?.deadlineMs ?? defaultDeadlineMs);
    const response = await send(operation, request, options);
    const token = findConfirmationToken(response.json);
    if (token === null) return response;
    const body = { ...bodyFields(request.body), confirmation_token: token };
    const idempotencyKey = response.idempotencyKey ?? undefined;
    const confirmationOptions = { ...options, idempotencyKey, deadlineMs: Math.max(1, deadline - clock.now()) };
    return send(operation, { ...request, body }, confirmationOptions).catch((thrown: unknown) => {
      // Even if the confirmation is refused, an attempt before the preview may already have moved the money.
      const isOutcomeUnknown = response.earlierAttemptMayHaveSucceeded && isServiceError(thrown);
      throw isOutcomeUnknown ? copyServiceError(thrown, { mayHaveSucceeded: true }) : thrown;
    });
  };
}

function findConfirmationToken(json: unknown): string | null {
  const preview = unwrapObject(json, ["requires_confirmation"]);
  return preview?.requires_confirmation === true ? (stringField(preview, "confirmation_token") ?? null) : null;
}

function bodyFields(body: object | string | undefined): object {
  return typeof body === "string" ? JSON.parse(body) : (body ?? {});
}
