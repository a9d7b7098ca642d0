import type { Endpoint } from "../api/endpoints.ts";
import { connectionFix, wasNeverSent } from "../errors/connection-fault.ts";
import { redactedCause, systemErrorCode } from "../errors/redact.ts";
import { isServiceError, ServiceError } from "../errors/service-error.ts";
import type { Budget } from "../rate-limits/budget.ts";
import { parseRateLimit, type RateLimit } from "../rate-limits/rate-limit.ts";
import type { Clock, Random } from "../system/clock.ts";
import { MAX_RESPONSE_BYTES } from "../system/limits.ts";
import { notSent, type SendBy } from "../transport/send-by.ts";
import type { Transport, TransportResponse } from "../transport/transport.ts";
import type { Deadline } from "./deadline.ts";
import type { Hooks, RequestEvent } from "./hooks.ts";
import { type ParsedResponse, parseResponse } from "./parse-response.ts";
import type { PreparedRequest } from "./prepare-request.ts";

/** What all calls of one client share. */
export type CallEngine = {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: Budget | null;
  readonly hooks: Hooks;
  readonly recordRateLimit: (rate: Endpoint["rateLimit"], reported: RateLimit) => void;
  readonly nextCallId: () => number;
  /** Adds the API key. No other part of the engine knows the key. */
  readonly authorize: (headers: Readonly<Record<string, string>>) => Record<string, string>;
};

/** One call with all its attempts. */
export type Call = {
  readonly id: number;
  readonly engine: CallEngine;
  readonly request: PreparedRequest;
  readonly deadline: Deadline;
  readonly sendBy: SendBy | undefined;
};

export type Outcome =
  | { readonly response: ParsedResponse }
  | { readonly error: ServiceError; readonly mayHaveSucceeded: boolean };

/** Sends one attempt and reports it to the hooks. */
export async function sendAttempt(call: Call, event: RequestEvent, lastError: ServiceError | null): Promise<Outcome> {
  const { engine, request, deadline, sendBy } = call;
  const { transport, clock, hooks, recordRateLimit, authorize } = engine;
  const startedAt = clock.now();
  hooks.request?.(event);
  let received: TransportResponse | undefined;
  let outcome: Outcome;
  try {
    if (sendBy?.isOver()) throw notSent();
    received = await transport({
      method: request.endpoint.method,
      url: request.url,
      headers: authorize(request.headers),
      body: request.body,
      // A getter, because the signal is created when it is first read.
      get signal() {
        return deadline.signal;
      },
      onAbort: (run) => deadline.onAbort(run),
      maxBytes: MAX_RESPONSE_BYTES,
      reuseConnection: request.repeatable,
      sendBy,
    });
    const reported = parseRateLimit(received.headers);
    if (reported !== null) recordRateLimit(request.endpoint.rateLimit, reported);
    outcome = { response: parseResponse(received, clock.now()) };
  } catch (thrown) {
    const error = deadline.failure(lastError) ?? toServiceError(thrown);
    outcome = { error, mayHaveSucceeded: mayHaveSucceeded(request, thrown, received) };
    const { code, retryAfterMs } = outcome.error;
    if (code === "rate_limit_exceeded" && retryAfterMs !== undefined) engine.budget?.pause?.(retryAfterMs);
  }
  if (hooks.response !== undefined) {
    const { requestId } = "response" in outcome ? outcome.response : outcome.error;
    const code = "error" in outcome ? outcome.error.code : undefined;
    const durationMs = clock.now() - startedAt;
    const fault = code === "connection_failed" && "error" in outcome ? systemErrorCode(outcome.error.cause) : undefined;
    hooks.response({ ...event, status: received?.status, requestId, durationMs, code, fault });
  }
  return outcome;
}

/** Whether the service may have processed a write although its attempt failed with `thrown`. */
function mayHaveSucceeded(
  { endpoint }: PreparedRequest,
  thrown: unknown,
  received: TransportResponse | undefined,
): boolean {
  if (endpoint.method === "GET") return false;
  if (isServiceError(thrown) && thrown.code === "not_sent") return false;
  if (received === undefined) return !wasNeverSent(systemErrorCode(thrown));
  return !isServiceError(thrown) || thrown.mayHaveSucceeded;
}

function toServiceError(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown;
  const code = systemErrorCode(thrown);
  const message = `The service could not be reached${code === undefined ? "" : ` (${code})`}${connectionFix(code)}.`;
  return new ServiceError("connection_failed", message, { cause: redactedCause(thrown) });
}
