import type { IncomingMessage } from "node:http";
import { limits, receiveWebhook } from "@tillkit/core";
import type { Till } from "../till/open-till.ts";
import { readBody } from "./read-body.ts";

export type Answer = { readonly status: number; readonly code: string; readonly message: string };

/**
 * Takes one delivery: signature over the raw bytes, a durable row, then the answer; what it means is found out right after.
 * The service takes every 4xx as final, so what may go better next time is a 503. Null: nobody is there to be answered.
 */
export async function takeWebhook(till: Till, request: IncomingMessage, endpointId: string): Promise<Answer | null> {
  const signatures = request.headersDistinct["x-service-signature"] ?? [];
  if (signatures.length !== 1) return NOT_SIGNED_ONCE;
  const body = await readBody(request, till.engine.clock);
  if (body.say === "left") return null;
  if (body.say !== "read") return REFUSED[body.say];
  const [event] = request.headersDistinct["x-service-event"] ?? [];
  const answer = await receiveWebhook(till.engine, { endpointId, bytes: body.bytes, signature: signatures, event });
  if (answer.status < 300) setImmediate(till.timer.kick);
  return answer;
}

const NOT_SIGNED_ONCE: Answer = {
  status: 401,
  code: "signature_missing",
  message: "A webhook carries exactly one X-Service-Signature header.",
};

const REFUSED: Readonly<Record<"too-large" | "too-slow" | "taken", Answer>> = {
  "too-large": {
    status: 413,
    code: "body_too_large",
    message: `The body is larger than ${limits.deliveryBytes / 1024} KB: no event of the service is.`,
  },
  "too-slow": { status: 503, code: "body_too_slow", message: "The body did not arrive in time: deliver it again." },
  taken: {
    status: 503,
    code: "body_already_read",
    message: "A body parser read this webhook before its signature could be checked: leave /tillkit/webhooks/ alone.",
  },
};
