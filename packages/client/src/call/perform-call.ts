import { copyServiceError, isServiceError, type ServiceError } from "../errors/service-error.ts";
import { createSendBy } from "../transport/send-by.ts";
import { startDeadline } from "./deadline.ts";
import type { RequestEvent } from "./hooks.ts";
import type { ParsedResponse } from "./parse-response.ts";
import type { PreparedRequest } from "./prepare-request.ts";
import { retryWait } from "./retry-wait.ts";
import { type Call, type CallEngine, sendAttempt } from "./send-attempt.ts";

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
