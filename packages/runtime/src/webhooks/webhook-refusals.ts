import { limits } from "@tillkit/core";
import { runtimeLimits } from "../limits.ts";

/** What the sender of a webhook receives. */
export type WebhookResponse = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
};

/** Responses to deliveries that are refused before their signature is checked, or whose storage takes too long. */
export const refusals = {
  notPost: {
    status: 405,
    code: "method_not_allowed",
    message: "Webhooks are delivered to this address with POST.",
  },
  notSigned: {
    status: 401,
    code: "signature_missing",
    message: "The X-Service-Signature header is missing: only deliveries signed by the service are accepted.",
  },
  signedTwice: {
    status: 401,
    code: "signature_repeated",
    message: "The X-Service-Signature header was sent more than once: send exactly one.",
  },
  "too-large": {
    status: 413,
    code: "body_too_large",
    message: `The body is larger than ${limits.maxDeliveryBytes / 1024} KB: no event of the service is that large.`,
  },
  "too-slow": {
    status: 503,
    code: "body_too_slow",
    message: "The body arrived too slowly: deliver it again.",
    retryAfterSeconds: runtimeLimits.retryAfterSeconds,
  },
  "no-room": {
    status: 503,
    code: "too_many_bodies",
    message: "Too many requests are sending their bodies at the moment: deliver it again.",
    retryAfterSeconds: runtimeLimits.retryAfterSeconds,
  },
  "stored-too-slowly": {
    status: 503,
    code: "storage_slow",
    message: "The delivery was not stored in time: deliver it again.",
    retryAfterSeconds: runtimeLimits.retryAfterSeconds,
  },
} as const satisfies Readonly<Record<string, WebhookResponse>>;

/** `fix` names the change to the host that keeps its body parser away from webhooks. */
export function bodyAlreadyRead(fix: string): WebhookResponse {
  return {
    status: 503,
    code: "body_already_read",
    message: `A body parser read this webhook before its signature could be checked: ${fix}`,
  };
}
