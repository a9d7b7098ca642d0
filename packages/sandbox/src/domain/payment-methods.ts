import { type Currency, toWireAmount } from "./currencies.ts";
import type { Settings } from "./settings.ts";

export const paymentMethods = ["wave", "mtn", "card"] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

type MethodCodes = { provider_code: Provider; payment_method_code: "CARDS" | "MOBILE_MONEY" };

export const methodCodes: Record<PaymentMethod, MethodCodes> = {
  card: { provider_code: "CARD", payment_method_code: "CARDS" },
  wave: { provider_code: "WAVE", payment_method_code: "MOBILE_MONEY" },
  mtn: { provider_code: "MTN", payment_method_code: "MOBILE_MONEY" },
};

/** The minimum amount of each method in minor units. Null means that the hosted page does not offer the method in the currency. */
const minimums: Record<PaymentMethod, Record<Currency, number | null>> = {
  card: { XOF: 1000, USD: 50, EUR: 50 },
  wave: { XOF: 100, USD: null, EUR: null },
  mtn: { XOF: 1, USD: null, EUR: null },
};

/** The methods that accept this amount, mobile money first. */
export function methodsForAmount(amount: number, currency: Currency, settings: Settings): readonly PaymentMethod[] {
  return paymentMethods.filter((method) => {
    const minimum = minimums[method][currency];
    if (minimum === null || settings.mute.includes(method)) return false;
    return amount >= toWireAmount(minimum, currency, settings.amountExponents);
  });
}

/** The minimum amount of a direct charge in minor units. In a currency without a minimum, any amount is accepted. */
export function minimumCharge(method: PaymentMethod, currency: Currency): number {
  return minimums[method][currency] ?? 1;
}

export type FailureCode =
  | "card_declined"
  | "insufficient_funds"
  | "expired_card"
  | "incorrect_cvc"
  | "processing_error"
  | "authentication_failed"
  | "customer_rejected"
  | "timeout";

/** The `failure_message` of a transaction, in English for merchants. The hosted page has its own texts for shoppers. */
export const failureMessages: Record<FailureCode, string> = {
  card_declined: "The card was declined.",
  insufficient_funds: "The card has insufficient funds.",
  expired_card: "The card has expired.",
  incorrect_cvc: "The security code is incorrect.",
  processing_error: "The card could not be processed.",
  authentication_failed: "The cardholder was not authenticated.",
  customer_rejected: "The customer rejected the payment.",
  timeout: "The customer did not answer in time.",
};

/** The outcome of a payment attempt. The card number or the phone number determines it. */
export type PaymentOutcome =
  | { status: "completed" }
  | { status: "failed"; failure: FailureCode }
  | { status: "challenge"; failureAfterChallenge: FailureCode | null }
  | { status: "pending"; completesAutomatically: boolean };

/** The outcome of a test card. Null means that the number is not a test card. */
export function cardOutcome(digits: string): PaymentOutcome | null {
  return testCards.get(digits) ?? null;
}

/** The outcome of a mobile money payment. The last four digits of the phone number determine it. */
export function phoneOutcome(phone: string): PaymentOutcome {
  if (phone.endsWith("0001")) return { status: "pending", completesAutomatically: true };
  if (phone.endsWith("0002")) return { status: "failed", failure: "customer_rejected" };
  if (phone.endsWith("0003")) return { status: "pending", completesAutomatically: false };
  return { status: "completed" };
}

const failedOutcome = (failure: FailureCode): PaymentOutcome => ({ status: "failed", failure });

const testCards: ReadonlyMap<string, PaymentOutcome> = new Map([
  ["4242424242424242", { status: "completed" }],
  ["4000000000000002", failedOutcome("card_declined")],
  ["4000000000009995", failedOutcome("insufficient_funds")],
  ["4000000000000069", failedOutcome("expired_card")],
  ["4000000000000127", failedOutcome("incorrect_cvc")],
  ["4000000000000119", failedOutcome("processing_error")],
  ["4000002500003155", { status: "challenge", failureAfterChallenge: null }],
  ["4000008400001629", { status: "challenge", failureAfterChallenge: "card_declined" }],
]);

export const providers = ["CARD", "WAVE", "MTN"] as const;
export type Provider = (typeof providers)[number];
