import { ServiceError } from "../errors/service-error.ts";
import { parseEvent, type ServiceEvent } from "./event.ts";

/** A signed delivery of which nothing is checked yet: a caller in plain JavaScript may pass anything. */
type UncheckedDelivery =
  | { readonly bytes?: unknown; readonly signature?: unknown; readonly secrets?: unknown }
  | undefined;

/**
 * @throws ServiceError `body_parsed`, `request_invalid` when the caller passed something else than bytes and secrets; no delivery
 * can cause these errors
 */
export function assertDelivery(delivery: unknown): void {
  const { bytes, secrets } = (delivery ?? {}) as NonNullable<UncheckedDelivery>;
  // Not `instanceof`: the bytes may come from another realm, such as the one of a test runner.
  if (Object.prototype.toString.call(bytes) !== "[object Uint8Array]")
    throw new ServiceError(
      "body_parsed",
      "The signature covers the raw body: pass `bytes`, a Uint8Array of the body before any parsing, for example express.raw().",
    );
  if (!Array.isArray(secrets) || !secrets.every((secret) => typeof secret === "string"))
    throw new ServiceError("request_invalid", '`secrets` must be an array of the endpoint\'s secrets: ["whsec_…"].');
}

/** Why `verifyWebhook` found no secret that signed the delivery. */
export function verificationFailure(signature: unknown, secrets: readonly string[]): ServiceError {
  if (
    signature === undefined ||
    signature === null ||
    signature === "" ||
    (Array.isArray(signature) && !signature.length)
  )
    return new ServiceError(
      "signature_missing",
      "The request has no X-Service-Signature header: the service did not send it.",
    );
  if (Array.isArray(signature) && signature.length > 1)
    return new ServiceError("signature_malformed", "The request has several X-Service-Signature headers.");
  if (parseSignatureHeader(signature as string | readonly string[]) === null)
    return new ServiceError(
      "signature_malformed",
      "X-Service-Signature must hold one signature of 64 hexadecimal digits, or two separated by a comma.",
    );
  if (!secrets.some((secret) => secret !== ""))
    return new ServiceError("secret_missing", "No secret is set: pass the whsec_… of this webhook endpoint.");
  return new ServiceError(
    "signature_mismatch",
    "None of the secrets signed these bytes: either a secret is of another endpoint, or the body was changed before it was verified.",
  );
}

/** @throws ServiceError `event_unreadable` */
export function requireEvent(bytes: Uint8Array): ServiceEvent {
  const event = parseEvent(bytes);
  if (event === null) throw new ServiceError("event_unreadable", "The signed body is not an event of the service.");
  return event;
}

/**
 * The signatures of a delivery, in lower case. Accepts exactly one header with one signature or, while a secret is
 * rotated, with two signatures separated by a comma; each has 64 hexadecimal digits in either case. Null for anything else.
 */
export function parseSignatureHeader(header: string | readonly string[] | undefined): readonly string[] | null {
  const value = onlyHeader(header);
  if (value === undefined) return null;
  if (ONE_SIGNATURE.test(value)) return [value];
  const parts = value.split(",", 3);
  if (parts.length > 2) return null;
  const signatures = parts.map((part) => SIGNATURE.exec(part)?.[1]?.toLowerCase());
  return signatures.every((signature) => signature !== undefined) ? signatures : null;
}

function onlyHeader(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header === "string") return header;
  return header?.length === 1 ? header[0] : undefined;
}

// Anchored at both ends and without alternatives: a long hostile header costs linear time, not quadratic time.
const SIGNATURE = /^[ \t]*([0-9a-fA-F]{64})[ \t]*$/;
/** What the service sends, except while a secret is rotated. */
const ONE_SIGNATURE = /^[0-9a-f]{64}$/;
