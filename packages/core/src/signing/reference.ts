import { isSignedByOneOf, shortMac, splitSigned } from "./signed-text.ts";

/** `${paymentId}.${mac}`: sent as session metadata. It proves that a payment is ours even when its row was lost. */
export function signReference(paymentId: string, key: string): string {
  return `${paymentId}.${shortMac(signedText(paymentId), key)}`;
}

/** The payment id if the reference was signed with one of the keys, otherwise null. */
export function readReference(reference: string, keys: readonly string[]): string | null {
  const parts = splitSigned(reference);
  return parts && isSignedByOneOf(keys, signedText(parts.text), parts.mac) ? parts.text : null;
}

/** The payment id that a reference claims, signed or not. It proves nothing by itself. */
export function claimedPaymentId(reference: string): string | null {
  return splitSigned(reference)?.text ?? null;
}

function signedText(paymentId: string): string {
  return `tillkit reference ${paymentId}`;
}
