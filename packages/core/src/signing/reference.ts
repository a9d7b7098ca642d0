import { createHmac, timingSafeEqual } from "node:crypto";

/** `${paymentId}.${hmac}`: sent as session metadata, so that a payment is known as ours even when its row was lost. */
export function signReference(paymentId: string, key: string): string {
  return `${paymentId}.${mac(paymentId, key)}`;
}

/** The payment id when the reference was signed with one of the keys, else null. */
export function readReference(reference: string, keys: readonly string[]): string | null {
  const paymentId = claimedPaymentId(reference);
  if (paymentId === null) return null;
  const found = Buffer.from(reference.slice(paymentId.length + 1));
  const matches = keys.some((key) => {
    const expected = Buffer.from(mac(paymentId, key));
    return expected.length === found.length && timingSafeEqual(expected, found);
  });
  return matches ? paymentId : null;
}

/** The payment id that a reference claims, signed or not: proves nothing by itself. */
export function claimedPaymentId(reference: string): string | null {
  const dot = reference.lastIndexOf(".");
  return dot <= 0 ? null : reference.slice(0, dot);
}

function mac(paymentId: string, key: string): string {
  return createHmac("sha256", key).update(`tillkit reference ${paymentId}`).digest("hex").slice(0, 32);
}
