import { createHmac } from "node:crypto";
import { constantTimeEqual } from "./webhooks/constant-time-equal.ts";
import { readSignatureHeader } from "./webhooks/signature-header.ts";

export { CHECKOUT_EVENTS, EVENT_NAMES, type EventName } from "./api/event-names.ts";
export { constantTimeEqual } from "./webhooks/constant-time-equal.ts";
export { readEvent, type ServiceEvent } from "./webhooks/event.ts";

export type SignedDelivery = {
  /** The body as it arrived, before anything parsed it. */
  readonly bytes: Uint8Array;
  /** The value of `X-Service-Signature`; an array when the header came more than once. */
  readonly signature: string | readonly string[] | undefined;
  /** All secrets that count now, the `whsec_` prefix included. */
  readonly secrets: readonly string[];
};

/** `X-Service-Signature`: HMAC-SHA256 of the raw body in lower-case hex, with the whole `whsec_…` text as key. */
export function signWebhook(bytes: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(bytes).digest("hex");
}

/**
 * Which secret signed these bytes, as its index; null when none did, when the header is missing, came twice or is
 * malformed (see `readSignatureHeader`). Compares in constant time. An empty secret never matches.
 */
export function verifyWebhook({ bytes, signature, secrets }: SignedDelivery): { secretIndex: number } | null {
  const signatures = readSignatureHeader(signature);
  if (signatures === null) return null;
  const secretIndex = secrets.findIndex((candidate) => {
    if (candidate === "") return false;
    const expected = signWebhook(bytes, candidate);
    return signatures.some((found) => constantTimeEqual(found, expected));
  });
  return secretIndex === -1 ? null : { secretIndex };
}
