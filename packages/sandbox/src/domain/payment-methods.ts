import { type Currency, toWireAmount } from "./currencies.ts";
import type { Settings } from "./settings.ts";

export const paymentMethods = ["wave", "mtn", "card"] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

type Codes = { provider_code: Provider; payment_method_code: "CARDS" | "MOBILE_MONEY" };

export const methodCodes: Record<PaymentMethod, Codes> = {
  card: { provider_code: "CARD", payment_method_code: "CARDS" },
  wave: { provider_code: "WAVE", payment_method_code: "MOBILE_MONEY" },
  mtn: { provider_code: "MTN", payment_method_code: "MOBILE_MONEY" },
};

/** What a method takes at least, in minor units; null: it does not take the currency. The service's API, section 8. */
const minimums: Record<PaymentMethod, Record<Currency, number | null>> = {
  card: { XOF: 1000, USD: 50, EUR: 50 },
  wave: { XOF: 100, USD: null, EUR: null },
  mtn: { XOF: 1, USD: null, EUR: null },
};

/** The methods that can take this amount, mobile money first. */
export function methodsForAmount(amount: number, currency: Currency, settings: Settings): readonly PaymentMethod[] {
  return paymentMethods.filter((method) => {
    const minimum = minimums[method][currency];
    if (minimum === null || settings.mute.includes(method)) return false;
    return amount >= toWireAmount(minimum, currency, settings.amountExponents);
  });
}

/** What a direct charge takes at least, in minor units; any amount where the method does not name a minimum. */
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

/** `failure_message` of a transaction: English, as merchants read it. The page says it to shoppers in their language. */
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

/** How a method of the test mode ends, decided by what the shopper typed. */
export type PaymentOutcome =
  | { status: "completed" }
  | { status: "failed"; failure: FailureCode }
  | { status: "challenge"; failureAfterChallenge: FailureCode | null }
  | { status: "pending"; completesAutomatically: boolean };

/** The test cards of the service's API, section 10; null: not one of them. */
export function cardOutcome(digits: string): PaymentOutcome | null {
  return testCards.get(digits) ?? null;
}

/** Mobile money by the end of the telephone number. */
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
