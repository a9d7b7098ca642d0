import { createHmac, timingSafeEqual } from "node:crypto";
import type { Environment } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";

/** What of a payment cannot be learned from the service again. Amounts in minor units and as sent, times in milliseconds since 1970. */
export type OrderFacts = Pick<
  Payment,
  "ref" | "attempt" | "environment" | "account" | "credentialId" | "createdAt" | "amountDue" | "wireAmount"
>;

/**
 * Sent as session metadata beside the reference, so that a payment whose row was lost with a disk finds its order again.
 * Signed together with the payment's id: facts of one payment are worth nothing in another.
 */
export function signOrder(paymentId: string, facts: OrderFacts, key: string): string {
  const { ref, attempt, environment, account, credentialId, createdAt, amountDue, wireAmount } = facts;
  const fields = [ref.storeId, ref.orderId, attempt, environment, account, credentialId, createdAt, amountDue.minor];
  const text = Buffer.from(JSON.stringify([...fields, amountDue.currency, wireAmount])).toString("base64url");
  return `${text}.${mac(paymentId, text, key)}`;
}

/** Null when it was not signed with one of the keys for this payment. */
export function readSignedOrder(signed: string, paymentId: string, keys: readonly string[]): OrderFacts | null {
  const dot = signed.lastIndexOf(".");
  const text = signed.slice(0, Math.max(0, dot));
  const found = Buffer.from(signed.slice(dot + 1));
  const isOurs = keys.some((key) => {
    const expected = Buffer.from(mac(paymentId, text, key));
    return expected.length === found.length && timingSafeEqual(expected, found);
  });
  return isOurs ? factsOf(Buffer.from(text, "base64url").toString()) : null;
}

type Fields = [string, string, string, Environment, string | null, string, number, number, string, number];

// What we signed ourselves has the shape that we gave it.
function factsOf(text: string): OrderFacts {
  const [storeId, orderId, attempt, environment, account, credentialId, createdAt, minor, currency, wireAmount] =
    JSON.parse(text) as Fields;
  return {
    ref: { storeId, orderId },
    attempt,
    environment,
    account,
    credentialId,
    createdAt,
    amountDue: { minor, currency },
    wireAmount,
  };
}

function mac(paymentId: string, text: string, key: string): string {
  return createHmac("sha256", key).update(`tillkit order ${paymentId} ${text}`).digest("hex").slice(0, 32);
}
