import { createHmac } from "node:crypto";
import { constantTimeEqual } from "@tillkit/client/webhooks";

/** The first 32 hex digits of an HMAC-SHA-256: 128 bits, short enough for metadata. */
export function shortMac(text: string, key: string): string {
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 32);
}

/** Whether one of the keys made this `shortMac`. */
export function isSignedByOneOf(keys: readonly string[], text: string, mac: string): boolean {
  return keys.some((key) => constantTimeEqual(shortMac(text, key), mac));
}

/** A signed text is `TEXT.MAC`; the text may contain dots itself. Null: there is no dot, or no text before it. */
export function splitSigned(signed: string): { readonly text: string; readonly mac: string } | null {
  const dot = signed.lastIndexOf(".");
  return dot <= 0 ? null : { text: signed.slice(0, dot), mac: signed.slice(dot + 1) };
}
