import { createHmac, timingSafeEqual } from "node:crypto";
import type { ServiceEvent } from "./webhooks/event.ts";
import { assertDelivery, parseSignatureHeader, requireEvent, verificationFailure } from "./webhooks/signed-delivery.ts";

export { CHECKOUT_EVENTS, EVENT_NAMES, type EventName } from "./api/event-names.ts";
export { isServiceError, ServiceError, type ServiceErrorCode } from "./errors/service-error.ts";
export { constantTimeEqual } from "./webhooks/constant-time-equal.ts";
export {
  type DisputeEvent,
  type EventFields,
  type PaymentEvent,
  parseEvent,
  type RefundEvent,
  type ServiceEvent,
  type SubscriptionEvent,
  type SubscriptionUpdatedEvent,
  type TestEvent,
  type UnknownEvent,
} from "./webhooks/event.ts";

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
 * The index of the secret that signed the body. Null when no secret signed it, or when the header is missing, repeated or
 * malformed. Compares in constant time. An empty secret never matches.
 *
 * @throws ServiceError `body_parsed`, `request_invalid` when the call itself is wrong
 */
export function verifyWebhook(delivery: SignedDelivery): { secretIndex: number } | null {
  assertDelivery(delivery);
  const { bytes, signature, secrets } = delivery;
  // One header holds two signatures while a secret is rotated.
  const signatures = parseSignatureHeader(signature);
  if (signatures === null) return null;
  const received = signatures.map(bytesOfHex);
  const secretIndex = secrets.findIndex((candidate) => {
    if (candidate === "") return false;
    const expected = bytesOfHex(signWebhook(bytes, candidate));
    return received.some((found) => timingSafeEqual(found, expected));
  });
  return secretIndex === -1 ? null : { secretIndex };
}

/**
 * The event of a delivery whose signature is verified. An event is a hint: retrieve the resource before acting on it.
 *
 * @throws ServiceError `signature_missing`, `signature_malformed`, `signature_mismatch`: answer 401; `secret_missing`,
 * `body_parsed`, `request_invalid`: the receiver is set up wrongly; `event_unreadable`: answer 200, a repeat would not help
 */
export function verifyEvent(delivery: SignedDelivery): ServiceEvent {
  if (verifyWebhook(delivery) === null) throw verificationFailure(delivery.signature, delivery.secrets);
  return requireEvent(delivery.bytes);
}

function bytesOfHex(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}
