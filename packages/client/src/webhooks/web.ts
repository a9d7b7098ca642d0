import { readSignatureHeader } from "./signature-header.ts";

export { EVENT_NAMES, type EventName } from "../api/event-names.ts";
export { readEvent, type ServiceEvent } from "./event.ts";

export type SignedDelivery = {
  /** The body as it arrived, before anything parsed it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The value of `X-Service-Signature`; an array when the header came more than once. */
  readonly signature: string | readonly string[] | undefined;
  /** All secrets that count now, the `whsec_` prefix included. */
  readonly secrets: readonly string[];
};

/** `signWebhook` with WebCrypto: for edge functions and browsers, which have no node:crypto. */
export async function signWebhook(bytes: Uint8Array<ArrayBuffer>, secret: string): Promise<string> {
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", await importSecret(secret), bytes));
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `verifyWebhook` with WebCrypto: the same rules, the same answer; `subtle.verify` compares in constant time. */
export async function verifyWebhook({
  bytes,
  signature,
  secrets,
}: SignedDelivery): Promise<{ secretIndex: number } | null> {
  const given = readSignatureHeader(signature);
  if (given === null) return null;
  for (const [index, secret] of secrets.entries()) {
    if (secret === "") continue;
    const key = await importSecret(secret);
    for (const one of given) {
      if (await crypto.subtle.verify("HMAC", key, bytesOfHex(one), bytes)) return { secretIndex: index };
    }
  }
  return null;
}

function importSecret(secret: string) {
  const raw = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16));
}
