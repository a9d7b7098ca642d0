import { createHash } from "node:crypto";
import { isSigned, type LinkSecrets, sign } from "./signature.ts";

/** What the plugin asks the checkout server. */
export type CallPurpose =
  | "refund"
  | "status"
  | "check"
  | "decide"
  | "health"
  | "preview"
  | "export"
  | "erase"
  | "installation"
  | "login"
  | "disconnect";

/** What the checkout server asks the plugin. `orders`: a call of the shop's own API, where the platform has one. */
export type PluginPurpose =
  | "mark-paid"
  | "hold"
  | "note"
  | "record-refund"
  | "decision"
  | "read-order"
  | "list-orders"
  | "close-order"
  | "orders"
  | "ping";

export type Purpose = CallPurpose | PluginPurpose;

export type CallHeaders = {
  readonly "X-Tillkit-Store": string;
  readonly "X-Tillkit-Time": string;
  readonly "X-Tillkit-Signature": string;
};

export type SignedCall = {
  readonly purpose: Purpose;
  readonly store: string;
  /** Seconds since 1970, in decimal. */
  readonly time: string;
  readonly body: Uint8Array;
};

export type CallVerification = "valid" | "signature_invalid" | "clock_differs";

export const CLOCK_TOLERANCE_SECONDS = 300;

export function signCall(call: SignedCall, secret: string): CallHeaders {
  return {
    "X-Tillkit-Store": call.store,
    "X-Tillkit-Time": call.time,
    "X-Tillkit-Signature": sign(canonicalLines(call), secret),
  };
}

/**
 * Checks the signature before the time: only a caller who knows the secret learns that the clocks differ.
 *
 * @param nowMs milliseconds since 1970
 */
export function verifyCall(call: SignedCall, signature: string, secrets: LinkSecrets, nowMs: number): CallVerification {
  if (!/^\d{1,12}$/.test(call.time) || !isSigned(canonicalLines(call), signature, secrets)) return "signature_invalid";
  const differenceSeconds = Math.abs(Number(call.time) - Math.floor(nowMs / 1_000));
  return differenceSeconds <= CLOCK_TOLERANCE_SECONDS ? "valid" : "clock_differs";
}

function canonicalLines({ purpose, store, time, body }: SignedCall): string[] {
  return ["tillkit v1 call", purpose, store, time, createHash("sha256").update(body).digest("hex")];
}
