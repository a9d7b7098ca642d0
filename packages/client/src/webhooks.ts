import { createHmac } from "node:crypto";
import { constantTimeEqual } from "./webhooks/constant-time-equal.ts";
import { parseSignatureHeader } from "./webhooks/signature-header.ts";

export { CHECKOUT_EVENTS, EVENT_NAMES, type EventName } from "./api/event-names.ts";
export { constantTimeEqual } from "./webhooks/constant-time-equal.ts";
export { parseEvent, type ServiceEvent } from "./webhooks/event.ts";

export type SignedDelivery = {
  /** The raw body, before any parsing. */
  readonly bytes: Uint8Array;
  /** The value of `X-Service-Signature`; an array when the request has several such headers. */
  readonly signature: string | readonly string[] | undefined;
  /** All secrets that are valid now, each with its prefix `whsec_`. */
  readonly secrets: readonly string[];
};

/** The `X-Service-Signature` of a body: HMAC-SHA256 in lower-case hexadecimal digits, keyed with the whole `whsec_…`. */
export function signWebhook(bytes: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(bytes).digest("hex");
}

/**
 * The index of the secret that signed the body. Null when no secret did, and when the header is missing, repeated or
 * malformed. Compares in constant time. An empty secret never matches.
 */
export function verifyWebhook({ bytes, signature, secrets }: SignedDelivery): { secretIndex: number } | null {
  const signatures = parseSignatureHeader(signature);
  if (signatures === null) return null;
  const secretIndex = secrets.findIndex((candidate) => {
    if (candidate === "") return false;
    const expected = signWebhook(bytes, candidate);
    return signatures.some((found) => constantTimeEqual(found, expected));
  });
  return secretIndex === -1 ? null : { secretIndex };
}
