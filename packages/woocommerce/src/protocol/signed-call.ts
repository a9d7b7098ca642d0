import { createHash } from "node:crypto";
import { isSigned, type LinkSecrets, sign } from "./signature.ts";

export type Purpose = "refund" | "status" | "check" | "health" | "preview" | "settle" | "hold" | "ping";

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

export type CallReading = "valid" | "signature_invalid" | "clock_differs";

export const CLOCK_TOLERANCE_SECONDS = 300;

export function signCall(call: SignedCall, secret: string): CallHeaders {
  return {
    "X-Tillkit-Store": call.store,
    "X-Tillkit-Time": call.time,
    "X-Tillkit-Signature": sign(linesOf(call), secret),
  };
}

/** Signature before time: only who knows the secret is told that the clocks differ. @param nowMs milliseconds since 1970 */
export function readCall(call: SignedCall, signature: string, secrets: LinkSecrets, nowMs: number): CallReading {
  if (!/^\d{1,12}$/.test(call.time) || !isSigned(linesOf(call), signature, secrets)) return "signature_invalid";
  const apart = Math.abs(Number(call.time) - Math.floor(nowMs / 1_000));
  return apart <= CLOCK_TOLERANCE_SECONDS ? "valid" : "clock_differs";
}

function linesOf({ purpose, store, time, body }: SignedCall): string[] {
  return ["tillkit v1 call", purpose, store, time, createHash("sha256").update(body).digest("hex")];
}
