import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type Clock, type IncomingWebhook, type Log, limits } from "@tillkit/core";
import { setTimer } from "@tillkit/core/hosts";
import {
  type BodyLimiter,
  type HostBody,
  hangUpAfterResponse,
  hangUpLater,
  hostBytes,
  type RawBody,
  readBody,
} from "../bodies/read-body.ts";
import { runtimeLimits } from "../limits.ts";
import { createThrottledLog } from "../logs/throttled-log.ts";
import type { WebhookRefusal } from "./refused-webhooks.ts";
import { bodyAlreadyRead, refusals, type WebhookResponse } from "./webhook-refusals.ts";

export type WebhookHandlerOptions = {
  /** Verifies and stores a delivery: `receiveWebhook` of @tillkit/core. It never rejects. */
  readonly receive: (delivery: IncomingWebhook) => Promise<WebhookResponse>;
  /** Called after a delivery was stored and answered: there may be a job now. */
  readonly onAccepted: () => void;
  /** Called for each webhook that was answered with a 401 or 404: the service does not repeat it. */
  readonly onRefused?: (refusal: WebhookRefusal) => void;
  /** How to keep the host's body parser away from webhooks, for the log and the sender. */
  readonly bodyParserAdvice: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Makes room for bodies. The default is the limiter of the process, which all handlers share. */
  readonly bodies?: BodyLimiter;
};

export type WebhookHandler = (request: IncomingMessage, response: ServerResponse, endpointId: string) => Promise<void>;

/**
 * Receives one delivery with its raw body and one signature, and responds to it. The service never repeats a delivery that
 * was answered with a 4xx, so a delivery that may succeed later gets a 503.
 */
export function createWebhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  const { receive, onAccepted, clock, log, bodies } = options;
  const alreadyRead = bodyAlreadyRead(options.bodyParserAdvice);
  const logThrottled = createThrottledLog(clock);
  const logNoRoom = createThrottledLog(clock);
  const logSlow = createThrottledLog(clock);

  function refusalBeforeReading(
    request: IncomingMessage & HostBody,
    hostRead: Uint8Array | null,
  ): WebhookResponse | null {
    if (request.method !== "POST") return refusals.notPost;
    // The signature covers the bytes, so a body of which only the parsed value is left cannot be verified.
    if (hostRead === null && (request.readableDidRead || request.body !== undefined)) return alreadyRead;
    // Two headers are refused. One header may hold two signatures while the secret is being rotated.
    const signatures = headerValues(request, "x-service-signature");
    if (signatures.length === 0) return refusals.notSigned;
    return signatures.length === 1 ? null : refusals.signedTwice;
  }

  /**
   * Answers in time, because the service takes a late answer for none. A delivery that is stored later is stored all the same, and its
   * repetition changes nothing.
   */
  async function receiveInTime(delivery: IncomingWebhook, answerBy: number): Promise<WebhookResponse> {
    const received = receive(delivery).then((answer) => {
      if (answer.status < 300) setImmediate(onAccepted);
      return answer;
    });
    return await new Promise((resolve, reject) => {
      const cancelTimer = setTimer(clock, Math.max(0, answerBy - clock.now()), () => {
        logSlow(() => log.warn("webhook.not_stored_in_time", { endpointId: delivery.endpointId }));
        resolve(refusals["stored-too-slowly"]);
      });
      received.then(resolve, reject).finally(cancelTimer);
    });
  }

  function reportRefusal({ status, code }: WebhookResponse, refused: Omit<WebhookRefusal, "code">): void {
    if (status === 401 || status === 404) options.onRefused?.({ ...refused, code });
  }

  return async function handleWebhook(request, response, endpointId) {
    const answerBy = clock.now() + runtimeLimits.webhookAnswerMs;
    const hostRead = hostBytes(request);
    const refusal = refusalBeforeReading(request, hostRead);
    if (refusal === alreadyRead)
      logThrottled(() => log.error("webhook.body_already_read", { fix: alreadyRead.message }));
    if (refusal) {
      reportRefusal(refusal, { endpointId });
      return refuse(request, response, refusal, clock);
    }
    const maxBytes = limits.maxDeliveryBytes;
    const body = hostRead
      ? bodyOfHost(hostRead, maxBytes)
      : await readBody(request, response, { maxBytes, clock, bodies });
    if (body.status === "aborted") return;
    if (body.status === "no-room")
      logNoRoom(() => log.warn("webhook.no_room", { fix: "limit the connections of each address in the proxy" }));
    if (body.status !== "complete") return refuse(request, response, refusals[body.status], clock);

    const [signature] = headerValues(request, "x-service-signature");
    const [event] = headerValues(request, "x-service-event");
    const answer = await receiveInTime({ endpointId, bytes: body.bytes, signature, event }, answerBy);
    respond(response, answer);
    reportRefusal(answer, { endpointId, bytes: body.bytes });
  };
}

function bodyOfHost(bytes: Uint8Array, maxBytes: number): RawBody {
  return bytes.byteLength > maxBytes ? { status: "too-large" } : { status: "complete", bytes };
}

// `headers` joins the values of a repeated header, and `headersDistinct` builds lists of all headers for each request. `rawHeaders`
// holds names and values in turn; hosts of cloud functions leave it empty.
function headerValues({ rawHeaders, headers }: IncomingMessage, lowerCaseName: string): readonly string[] {
  const joined = headers[lowerCaseName];
  if (rawHeaders.length === 0) return joined === undefined ? [] : [joined].flat();
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = [rawHeaders[at], rawHeaders[at + 1]];
    if (name.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) values.push(value);
  }
  return values;
}

function respond(response: ServerResponse, answer: WebhookResponse): void {
  const { status, code, message, retryAfterSeconds } = answer;
  const body = `${JSON.stringify({ code, message })}\n`;
  const headers: OutgoingHttpHeaders = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    // Without its length the response would be sent in chunks.
    "Content-Length": Buffer.byteLength(body),
  };
  if (status === 405) headers.Allow = "POST";
  if (retryAfterSeconds !== undefined) headers["Retry-After"] = retryAfterSeconds;
  response.writeHead(status, headers);
  response.end(body);
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: WebhookResponse, clock: Clock): void {
  const isOverload = refusal.retryAfterSeconds !== undefined;
  if (isOverload) hangUpAfterResponse(request, response);
  respond(response, refusal);
  if (!isOverload) hangUpLater(request, clock);
}
