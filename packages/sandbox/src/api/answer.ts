import { Refusal } from "../service/refusal.ts";

/** An answer on its way out; `body` is the text to send, null for none. */
export type Answer = { status: number; headers: Record<string, string>; body: string | null };

export function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value),
  };
}

/** The error object of the service's API. Anything that is no Refusal is our own fault, and says nothing about itself. */
export function errorAnswer(error: unknown, requestId: string, headers: Record<string, string> = {}): Answer {
  const refusal = error instanceof Refusal ? error : new Refusal("internal_error", "Internal server error");
  const { code, message, details } = refusal;
  const body = { error: { code, message, ...(details === undefined ? {} : { details }) }, request_id: requestId };
  return jsonAnswer(refusal.status, body, headers);
}
