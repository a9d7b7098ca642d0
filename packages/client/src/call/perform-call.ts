import type { Clock, Random } from "../clock.ts";
import { ANSWER_BYTES } from "../limits.ts";
import { redactedCause } from "../redact.ts";
import { isServiceError, ServiceError } from "../service-error.ts";
import type { Transport } from "../transport/transport.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import type { PreparedRequest } from "./prepare-request.ts";
import { type Answer, readAnswer } from "./read-answer.ts";
import { retryWait } from "./retry-wait.ts";

export type CallEngine = {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  /** Adds the credential; the only place that knows it. */
  readonly authorize: (headers: Readonly<Record<string, string>>) => Record<string, string>;
};

/** One call with all its tries: the same bytes under the same key on every one. */
export async function performCall(
  engine: CallEngine,
  request: PreparedRequest,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const deadline = startDeadline(engine.clock, deadlineMs, signal);
  try {
    let last: ServiceError | null = null;
    for (let tries = 1; ; tries += 1) {
      const outcome = await tryOnce(engine, request, deadline, last);
      if ("answer" in outcome) return outcome.answer;
      last = outcome.error;
      await waitForNextTry(engine, request, deadline, last, tries);
    }
  } finally {
    deadline.release();
  }
}

async function tryOnce(
  { transport, authorize, clock }: CallEngine,
  { method, url, headers, body, repeatable }: PreparedRequest,
  deadline: Deadline,
  last: ServiceError | null,
): Promise<{ answer: Answer } | { error: ServiceError }> {
  const ended = deadline.failure(last);
  if (ended !== null) throw ended;
  try {
    const answer = await transport({
      method,
      url,
      headers: authorize(headers),
      body,
      signal: deadline.signal,
      maxBytes: ANSWER_BYTES,
      reuseConnection: repeatable,
    });
    return { answer: readAnswer(answer, clock.now()) };
  } catch (thrown) {
    return { error: deadline.failure(last) ?? asServiceError(thrown) };
  }
}

function asServiceError(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown;
  return new ServiceError("connection_failed", "The service could not be reached.", { cause: redactedCause(thrown) });
}

/** Throws when there will be no next try. */
async function waitForNextTry(
  { random }: CallEngine,
  { repeatable }: PreparedRequest,
  deadline: Deadline,
  error: ServiceError,
  tries: number,
): Promise<void> {
  const wait = repeatable && !deadline.signal.aborted ? retryWait(error, tries, random) : null;
  if (wait === null) throw error;
  if (wait >= deadline.leftMs()) throw tooLate(error);
  await deadline.sleep(wait).catch(() => undefined);
}

/** Waiting past the deadline helps nobody: the caller learns at once how long the service asked for. */
function tooLate(error: ServiceError): ServiceError {
  if (error.retryAfterMs === undefined) return error;
  const seconds = Math.ceil(error.retryAfterMs / 1000);
  const { code, message, status, requestId, retryAfterMs, details } = error;
  const sentence = `${message} (it asks to wait ${seconds} s, longer than this call may take)`;
  return new ServiceError(code, sentence, { status, requestId, retryAfterMs, details, cause: error });
}
