import type { Environment } from "../domain/order.ts";
import type { Payment } from "../domain/payment.ts";
import { isSignedByOneOf, shortMac, splitSigned } from "./signed-text.ts";

/** The facts of a payment that the service does not store by itself. */
export type OrderFacts = Pick<
  Payment,
  "ref" | "attempt" | "environment" | "account" | "credentialId" | "createdAt" | "amountDue" | "wireAmount"
>;

/**
 * The signed facts, sent as session metadata with the reference. They recover a payment whose row was lost.
 * The signature covers the payment's id, so the facts of one payment cannot be used for another.
 */
export function signOrder(paymentId: string, facts: OrderFacts, key: string): string {
  const { ref, attempt, environment, account, credentialId, createdAt, amountDue, wireAmount } = facts;
  const fields = [ref.storeId, ref.orderId, attempt, environment, account, credentialId, createdAt, amountDue.minor];
  const text = Buffer.from(JSON.stringify([...fields, amountDue.currency, wireAmount])).toString("base64url");
  return `${text}.${shortMac(signedText(paymentId, text), key)}`;
}

/** The facts; null if they were not signed for this payment with one of the keys. */
export function readSignedOrder(signed: string, paymentId: string, keys: readonly string[]): OrderFacts | null {
  const parts = splitSigned(signed);
  if (!parts || !isSignedByOneOf(keys, signedText(paymentId, parts.text), parts.mac)) return null;
  return factsOf(Buffer.from(parts.text, "base64url").toString());
}

type Fields = [
  storeId: string,
  orderId: string,
  attempt: string,
  environment: Environment,
  account: string | null,
  credentialId: string,
  createdAt: number,
  minor: number,
  currency: string,
  wireAmount: number,
];

// The signature proves that this host wrote the text, so its shape is known.
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

function signedText(paymentId: string, text: string): string {
  return `tillkit order ${paymentId} ${text}`;
}
