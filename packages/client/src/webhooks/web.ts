import type { ServiceEvent } from "./event.ts";
import { assertDelivery, parseSignatureHeader, requireEvent, verificationFailure } from "./signed-delivery.ts";

export { EVENT_NAMES, type EventName } from "../api/event-names.ts";
export { isServiceError, ServiceError, type ServiceErrorCode } from "../errors/service-error.ts";
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
} from "./event.ts";

export type SignedDelivery = {
  /** The raw body, before any parsing. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The value of `X-Service-Signature`; an array when the request has several such headers. */
  readonly signature: string | readonly string[] | undefined;
  /** All secrets that are valid now, each with its prefix `whsec_`. */
  readonly secrets: readonly string[];
};

/** `signWebhook` with WebCrypto, for edge functions and browsers without `node:crypto`. */
export async function signWebhook(bytes: Uint8Array<ArrayBuffer>, secret: string): Promise<string> {
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", await importSecret(secret), bytes));
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `verifyWebhook` with WebCrypto: the same rules and the same result. `subtle.verify` compares in constant time. */
export async function verifyWebhook(delivery: SignedDelivery): Promise<{ secretIndex: number } | null> {
  assertDelivery(delivery);
  const { bytes, signature, secrets } = delivery;
  const signatures = parseSignatureHeader(signature);
  if (signatures === null) return null;
  for (const [index, secret] of secrets.entries()) {
    if (secret === "") continue;
    const key = await importSecret(secret);
    for (const found of signatures) {
      if (await crypto.subtle.verify("HMAC", key, bytesOfHex(found), bytes)) return { secretIndex: index };
    }
  }
  return null;
}

/** `verifyEvent` with WebCrypto: the same event, and the same errors. */
export async function verifyEvent(delivery: SignedDelivery): Promise<ServiceEvent> {
  if ((await verifyWebhook(delivery)) === null) throw verificationFailure(delivery.signature, delivery.secrets);
  return requireEvent(delivery.bytes);
}

function importSecret(secret: string) {
  const raw = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16));
}
