import type { Endpoint } from "../api/endpoints.ts";
import { connectionFix, wasNeverSent } from "../errors/connection-fault.ts";
import { redactedCause, systemErrorCode } from "../errors/redact.ts";
import { copyServiceError, isServiceError, ServiceError } from "../errors/service-error.ts";
import type { Budget } from "../rate-limits/budget.ts";
import { parseRateLimit, type RateLimit } from "../rate-limits/rate-limit.ts";
import type { Clock, Random } from "../system/clock.ts";
import { MAX_RESPONSE_BYTES } from "../system/limits.ts";
import { createSendBy, notSent, type SendBy } from "../transport/send-by.ts";
import type { Transport, TransportResponse } from "../transport/transport.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import type { Hooks, RequestEvent } from "./hooks.ts";
import { type ParsedResponse, parseResponse } from "./parse-response.ts";
import type { PreparedRequest } from "./prepare-request.ts";
import { retryWait } from "./retry-wait.ts";

export type CallBounds = {
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds since 1970. */
  readonly sendBy: number | undefined;
};

/**
 * Repeats the request, with the same bytes under the same Idempotency-Key, until it succeeds, fails for good or reaches its
 * deadline.
 */
export async function performCall(
  engine: CallEngine,
  request: PreparedRequest,
  { deadlineMs, signal, sendBy: sendByAt }: CallBounds,
): Promise<ParsedResponse> {
  const deadline = startDeadline(engine.clock, deadlineMs, signal);
  const sendBy = sendByAt === undefined ? undefined : createSendBy(sendByAt, engine.clock);
  const call: Call = { id: engine.nextCallId(), engine, request, deadline, sendBy };
  let mayHaveSucceeded = false;
  try {
    let lastError: ServiceError | null = null;
    for (let attemptNumber = 1; ; attemptNumber += 1) {
      await acquireBudget(call, lastError);
      const event = requestEvent(call, attemptNumber);
      const outcome = await sendAttempt(call, event, lastError);
      if ("response" in outcome) {
        const { idempotencyKey } = request;
        return { ...outcome.response, idempotencyKey, earlierAttemptMayHaveSucceeded: mayHaveSucceeded };
      }
      lastError = outcome.error;
      mayHaveSucceeded ||= outcome.mayHaveSucceeded;
      await waitForNextAttempt(call, event, lastError);
    }
  } catch (thrown) {
    // The last attempt decides the code of the error. The service may have processed any earlier attempt, even if it
    // refused a later attempt.
    const { idempotencyKey } = request;
    if (isServiceError(thrown) && (thrown.mayHaveSucceeded !== mayHaveSucceeded || idempotencyKey !== null))
      throw copyServiceError(thrown, { mayHaveSucceeded, idempotencyKey });
    throw thrown;
  } finally {
    deadline.release();
  }
}

/** Throws when the call has ended, or when its API key has no calls left before the deadline. */
async function acquireBudget({ engine, request, deadline }: Call, lastError: ServiceError | null): Promise<void> {
  const ended = deadline.failure(lastError);
  if (ended !== null) throw ended;
  if (engine.budget === null) return;
  const { rateLimit: rate } = request.endpoint;
  const opensCheckout = request.operation === "CheckoutSessionsController_create";
  try {
    await engine.budget.acquire({
      rate,
      opensCheckout,
      remainingMs: deadline.remainingMs(),
      // A getter, because the signal is created when it is first read.
      get signal() {
        return deadline.signal;
      },
    });
  } catch (thrown) {
    throw deadline.failure(lastError) ?? thrown;
  }
}

/** Throws when the request must not be repeated, or cannot be repeated before the deadline. */
async function waitForNextAttempt(
  { engine, request, deadline, sendBy }: Call,
  event: RequestEvent,
  error: ServiceError,
) {
  const mayRepeat = request.repeatable && !deadline.isOver;
  const waitMs = mayRepeat ? retryWait(error, event.attemptNumber, engine.random) : null;
  if (waitMs === null) throw error;
  if (waitMs >= deadline.remainingMs()) throw withRetryAfter(error);
  if (sendBy !== undefined && engine.clock.now() + waitMs >= sendBy.at) throw error;
  engine.hooks.retry?.({ ...event, code: error.code, waitMs });
  await deadline.sleep(waitMs).catch(() => undefined);
}

/** The message says how long the service asked to wait, when that is past the deadline. */
function withRetryAfter(error: ServiceError): ServiceError {
  if (error.retryAfterMs === undefined) return error;
  const seconds = Math.ceil(error.retryAfterMs / 1000);
  const message = `${error.message} (the service asks to wait ${seconds} s, longer than this call may take)`;
  return copyServiceError(error, { message, cause: error });
}

function requestEvent({ id, request }: Call, attemptNumber: number): RequestEvent {
  const { operation, endpoint } = request;
  return { call: id, operation, method: endpoint.method, path: endpoint.path, attemptNumber };
}

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
async function sendAttempt(call: Call, event: RequestEvent, lastError: ServiceError | null): Promise<Outcome> {
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
