import { copyServiceError, isServiceError } from "../errors/service-error.ts";
import { isJsonObject, stringField } from "../models/json-fields.ts";
import type { Clock } from "../system/clock.ts";
import type { SendOperation } from "./operation.ts";

/**
 * Newer deployments answer the first call of a money movement by a preview. The same body is then sent again with the
 * preview's token, under the same Idempotency-Key, within the same deadline.
 */
export function withConfirmation(send: SendOperation, clock: Clock, usualDeadlineMs: number): SendOperation {
  return async function sendConfirmed(operation, parts, options) {
    const endsAt = clock.now() + (options.deadlineMs ?? usualDeadlineMs);
    const answer = await send(operation, parts, options);
    const token = readConfirmationToken(answer.json);
    if (token === null) return answer;
    const body = { ...bodyFields(parts.body), confirmation_token: token };
    const rest = { ...options, deadlineMs: Math.max(1, endsAt - clock.now()) };
    return send(operation, { ...parts, body }, rest).catch((thrown: unknown) => {
      // A try before the preview may have moved the money: a refusal of the confirmation does not settle it.
      throw answer.earlierTryMayHaveLanded && isServiceError(thrown)
        ? copyServiceError(thrown, { mayHaveLanded: true })
        : thrown;
    });
  };
}

function readConfirmationToken(answer: unknown): string | null {
  const preview = isJsonObject(answer) && isJsonObject(answer.data) ? answer.data : answer;
  if (!isJsonObject(preview) || preview.requires_confirmation !== true) return null;
  return stringField(preview, "confirmation_token") ?? null;
}

function bodyFields(body: object | string | undefined): object {
  return typeof body === "string" ? JSON.parse(body) : (body ?? {});
}
