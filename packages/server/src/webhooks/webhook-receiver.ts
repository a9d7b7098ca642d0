import type { IncomingMessage, ServerResponse } from "node:http";
import { type Clock, codeOf, type Log, limits } from "@tillkit/core";
import { hostLimits } from "../limits.ts";
import { createOnceAMinute } from "../once-a-minute.ts";
import { bodyWasTaken, readBody } from "./read-body.ts";

export type WebhookAnswer = { readonly status: number; readonly code: string; readonly message: string };

export type WebhookReceiverOptions = {
  readonly receive: (delivery: {
    endpointId: string;
    bytes: Uint8Array;
    signature: string;
    event: string | undefined;
  }) => Promise<WebhookAnswer>;
  /** Called after a 2xx was sent: there may be work now. */
  readonly accepted: () => void;
  readonly clock: Clock;
  readonly log: Log;
};

export type WebhookReceiver = (request: IncomingMessage, response: ServerResponse, endpointId: string) => Promise<void>;

/**
 * Takes one delivery: whole, raw and signed once, or an answer that says why not. The service takes every 4xx as final
 * (section "Webhooks" of its API), so what may go better next time is a 503.
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  const { receive, accepted, clock, log } = options;
  const parserFault = createOnceAMinute(clock);
  const storageFault = createOnceAMinute(clock);

  async function keep(request: IncomingMessage, endpointId: string, bytes: Uint8Array): Promise<WebhookAnswer> {
    const [signature = ""] = request.headersDistinct["x-service-signature"] ?? [];
    const [event] = request.headersDistinct["x-service-event"] ?? [];
    try {
      return await receive({ endpointId, bytes, signature, event });
    } catch (error) {
      storageFault(() => log.error("webhook.storage_failed", { endpointId, code: codeOf(error) }));
      return NOT_KEPT;
    }
  }

  return async function receiveDelivery(request, response, endpointId) {
    const refusal = refusalBeforeReading(request);
    if (refusal === BODY_TAKEN) parserFault(() => log.error("webhook.body_already_read", { fix: BODY_TAKEN.message }));
    if (refusal) return refuse(request, response, refusal, clock);
    const body = await readBody(request, clock);
    if (body.say === "left") return;
    if (body.say !== "read") return refuse(request, response, body.say === "too-large" ? TOO_LARGE : TOO_SLOW, clock);

    const answer = await keep(request, endpointId, body.bytes);
    if (answer.status < 300) response.once("finish", () => setImmediate(accepted));
    write(response, answer);
  };
}

function refusalBeforeReading(request: IncomingMessage): WebhookAnswer | null {
  if (request.method !== "POST") return NOT_POST;
  if (bodyWasTaken(request)) return BODY_TAKEN;
  // Two headers are two claims; one header may hold two signatures while a secret is being changed.
  const signatures = request.headersDistinct["x-service-signature"] ?? [];
  if (signatures.length !== 1) return signatures.length === 0 ? NOT_SIGNED : SIGNED_TWICE;
  return null;
}

function write(response: ServerResponse, { status, code, message }: WebhookAnswer): void {
  const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
  response.writeHead(status, status === 405 ? { ...headers, Allow: "POST" } : headers);
  response.end(`${JSON.stringify({ code, message })}\n`);
}

// Closing at once would reset the connection and the sender would never see why it was refused.
function refuse(request: IncomingMessage, response: ServerResponse, why: WebhookAnswer, clock: Clock): void {
  write(response, why);
  if (request.readableEnded) return;
  const finished = new AbortController();
  request.once("close", () => finished.abort());
  request.resume();
  clock.sleep(hostLimits.hangUpMs, finished.signal).then(
    () => request.destroy(),
    () => undefined,
  );
}

const NOT_POST: WebhookAnswer = {
  status: 405,
  code: "method_not_allowed",
  message: "Webhooks are delivered to this address with POST.",
};
const NOT_SIGNED: WebhookAnswer = {
  status: 401,
  code: "signature_missing",
  message: "The X-Service-Signature header is missing: only deliveries signed by the service are taken.",
};
const SIGNED_TWICE: WebhookAnswer = {
  status: 401,
  code: "signature_repeated",
  message: "The X-Service-Signature header was sent more than once: send exactly one.",
};
const TOO_LARGE: WebhookAnswer = {
  status: 413,
  code: "body_too_large",
  message: `The body is larger than ${limits.deliveryBytes / 1024} KB: no event of the service is.`,
};
const TOO_SLOW: WebhookAnswer = {
  status: 503,
  code: "body_too_slow",
  message: `The body did not arrive within ${hostLimits.bodyMs / 1_000} seconds: deliver it again.`,
};
const NOT_KEPT: WebhookAnswer = {
  status: 503,
  code: "storage_unavailable",
  message: "The delivery could not be stored just now: deliver it again.",
};
const BODY_TAKEN: WebhookAnswer = {
  status: 503,
  code: "body_already_read",
  message:
    "A body parser read this webhook before its signature could be checked: give the Node server checkout.listener(app), or put app.use(checkout.router) before express.json().",
};
