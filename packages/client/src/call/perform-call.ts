import type { Endpoint } from "../api/endpoints.ts";
import { redactedCause, systemErrorCode } from "../errors/redact.ts";
import { copyServiceError, isServiceError, ServiceError } from "../errors/service-error.ts";
import type { Budget } from "../rate-limits/budget.ts";
import { type RateLimit, readRateLimit } from "../rate-limits/rate-limit.ts";
import type { Clock, Random } from "../system/clock.ts";
import { MAX_RESPONSE_BYTES } from "../system/limits.ts";
import type { Transport, TransportResponse } from "../transport/transport.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import type { Hooks, RequestEvent } from "./hooks.ts";
import { type ParsedResponse, parseResponse } from "./parse-response.ts";
import type { PreparedRequest } from "./prepare-request.ts";
import { retryWait } from "./retry-wait.ts";

export type CallEngine = {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: Budget | null;
  readonly hooks: Required<Hooks>;
  readonly noteRateLimit: (rate: Endpoint["rate"], taught: RateLimit) => void;
  readonly nextCallId: () => number;
  /** Adds the credential; the only place that knows it. */
  readonly authorize: (headers: Readonly<Record<string, string>>) => Record<string, string>;
};

/** One call with all its tries. */
type Call = {
  readonly id: number;
  readonly engine: CallEngine;
  readonly request: PreparedRequest;
  readonly deadline: Deadline;
};

type Outcome = { readonly answer: ParsedResponse } | { readonly error: ServiceError; readonly leavesDoubt: boolean };

/** Tries until the answer is there, final, or too late: the same bytes under the same key on every try. */
export async function performCall(
  engine: CallEngine,
  request: PreparedRequest,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<ParsedResponse> {
  const deadline = startDeadline(engine.clock, deadlineMs, signal);
  const call: Call = { id: engine.nextCallId(), engine, request, deadline };
  let isInDoubt = false;
  try {
    let last: ServiceError | null = null;
    for (let tries = 1; ; tries += 1) {
      await mayBeSent(call, last);
      const event = tryEvent(call, tries);
      const outcome = await tryOnce(call, event, last);
      if ("answer" in outcome) return { ...outcome.answer, earlierTryMayHaveLanded: isInDoubt };
      last = outcome.error;
      isInDoubt ||= outcome.leavesDoubt;
      await waitForNextTry(call, event, last);
    }
  } catch (thrown) {
    // The last try alone decides the code; the doubt of an earlier try outlives a later refusal.
    if (isServiceError(thrown) && thrown.mayHaveLanded !== isInDoubt)
      throw copyServiceError(thrown, { mayHaveLanded: isInDoubt });
    throw thrown;
  } finally {
    deadline.release();
  }
}

/** Throws when the call ended or its credential has no calls left in time. */
async function mayBeSent({ engine, request, deadline }: Call, last: ServiceError | null): Promise<void> {
  const ended = deadline.failure(last);
  if (ended !== null) throw ended;
  const { rate } = request.endpoint;
  const opensCheckout = request.operation === "CheckoutSessionsController_create";
  try {
    await engine.budget?.acquire({ rate, opensCheckout, remainingMs: deadline.remainingMs(), signal: deadline.signal });
  } catch (thrown) {
    throw deadline.failure(last) ?? thrown;
  }
}

async function tryOnce(call: Call, event: RequestEvent, last: ServiceError | null): Promise<Outcome> {
  const { engine, request, deadline } = call;
  const { transport, clock, hooks, noteRateLimit, authorize } = engine;
  const beganAt = clock.now();
  hooks.request(event);
  let answered: TransportResponse | undefined;
  let outcome: Outcome;
  try {
    answered = await transport({
      method: request.endpoint.method,
      url: request.url,
      headers: authorize(request.headers),
      body: request.body,
      signal: deadline.signal,
      maxBytes: MAX_RESPONSE_BYTES,
      reuseConnection: request.repeatable,
    });
    const taught = readRateLimit(answered.headers);
    if (taught !== null) noteRateLimit(request.endpoint.rate, taught);
    outcome = { answer: parseResponse(answered, clock.now()) };
  } catch (thrown) {
    const error = deadline.failure(last) ?? asServiceError(thrown);
    outcome = { error, leavesDoubt: mayHaveBeenTaken(request, thrown, answered) };
    const { code, retryAfterMs } = outcome.error;
    if (code === "rate_limit_exceeded" && retryAfterMs !== undefined) engine.budget?.pause?.(retryAfterMs);
  }
  const said = "answer" in outcome ? outcome.answer : outcome.error;
  const code = "error" in outcome ? outcome.error.code : undefined;
  const durationMs = clock.now() - beganAt;
  hooks.response({ ...event, status: answered?.status, requestId: said.requestId, durationMs, code });
  return outcome;
}

/** Whether a write may have been carried out although its try ended with `thrown`. */
function mayHaveBeenTaken({ endpoint }: PreparedRequest, thrown: unknown, answered: TransportResponse | undefined) {
  if (endpoint.method === "GET") return false;
  if (answered === undefined) return !NEVER_CONNECTED.has(systemErrorCode(thrown) ?? "");
  return !isServiceError(thrown) || thrown.mayHaveLanded;
}

/** The system's words for a connection that was never made: nothing of the request can have left. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

function asServiceError(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown;
  const code = systemErrorCode(thrown);
  const sentence = `The service could not be reached${code === undefined ? "" : ` (${code})`}.`;
  return new ServiceError("connection_failed", sentence, { cause: redactedCause(thrown) });
}

/** Throws when there will be no next try. */
async function waitForNextTry({ engine, request, deadline }: Call, event: RequestEvent, error: ServiceError) {
  const mayRepeat = request.repeatable && !deadline.signal.aborted;
  const waitMs = mayRepeat ? retryWait(error, event.tryNumber, engine.random) : null;
  if (waitMs === null) throw error;
  if (waitMs >= deadline.remainingMs()) throw tooLate(error);
  engine.hooks.retry({ ...event, code: error.code, waitMs });
  await deadline.sleep(waitMs).catch(() => undefined);
}

/** Waiting past the deadline helps nobody: the caller learns at once how long the service asked for. */
function tooLate(error: ServiceError): ServiceError {
  if (error.retryAfterMs === undefined) return error;
  const seconds = Math.ceil(error.retryAfterMs / 1000);
  const message = `${error.message} (it asks to wait ${seconds} s, longer than this call may take)`;
  return copyServiceError(error, { message, cause: error });
}

function tryEvent({ id, request }: Call, tries: number): RequestEvent {
  const { operation, endpoint } = request;
  return { call: id, operation, method: endpoint.method, path: endpoint.path, tryNumber: tries };
}
