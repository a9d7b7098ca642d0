import { ApiError } from "../domain/api-error.ts";

/** A response to send. `body` is its text, or null. */
export type HttpResponse = { status: number; headers: Record<string, string>; body: string | null };

export function jsonResponse(status: number, value: unknown, headers: Record<string, string> = {}): HttpResponse {
  return jsonTextResponse(status, JSON.stringify(value), headers);
}

/** `text` is JSON already. */
export function jsonTextResponse(status: number, text: string, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers: { "Content-Type": "application/json; charset=utf-8", ...headers }, body: text };
}

/** The error object of the service's API. An error other than {@link ApiError} becomes a 500 without details. */
export function errorResponse(error: unknown, requestId: string, headers: Record<string, string> = {}): HttpResponse {
  const apiError = error instanceof ApiError ? error : new ApiError("internal_error", "Internal server error");
  const { code, message, details } = apiError;
  const body = { error: { code, message, ...(details === undefined ? {} : { details }) }, request_id: requestId };
  return jsonResponse(apiError.status, body, headers);
}

/** What the client receives: a response, or a closed connection. Only a fault cuts a response in the middle or closes the connection. */
export type ResponseToSend = { response: HttpResponse; isCut: boolean } | "reset";
