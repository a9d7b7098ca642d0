import type { ServiceClient, ServiceResponse } from "@tillkit/client";
import type { Merchant } from "./merchant.ts";

/** Values that must never be printed. */
export const customer = {
  name: "Ìyábọ̀ N’Diaye-Kouamé",
  email: "iyabo.ndiaye@example.test",
  phone: "+2250712345678",
} as const;

type Call = { readonly idempotencyKey: string; readonly deadlineMs: number; readonly signal?: AbortSignal };
export type Write = {
  /** The route in the form of a fault. */
  readonly path: string;
  send(client: ServiceClient, merchant: Merchant, call: Call): Promise<ServiceResponse<unknown>>;
  /** Counts the objects that the service created. */
  count(merchant: Merchant): Promise<number>;
  /** The required field of the answer. */
  readonly requiredField: string;
};

const amount = 5_000;
const mobileCharge = {
  amount,
  currency: "XOF" as const,
  customer: { name: customer.name, phoneNumber: customer.phone, email: customer.email },
};
const transactions = (merchant: Merchant) => merchant.count("/transactions");
const sessions = (merchant: Merchant) => merchant.countSessions();

/** Every operation that creates something under an Idempotency-Key. */
export const writes = {
  "a checkout session": {
    path: "/checkout-sessions",
    requiredField: "checkout_url",
    send: (client, _, call) =>
      client.checkoutSessions.create(
        { amount, currency_code: "XOF", customer_name: customer.name, customer_email: customer.email },
        call,
      ),
    count: sessions,
  },
  "a payment request": {
    path: "/payment-requests",
    requiredField: "request_id",
    send: (client, _, call) =>
      client.paymentRequests.create({ amount, currency_code: "XOF", expiry_date: "2099-12-31T23:59:59.000Z" }, call),
    count: sessions,
  },
  "a card charge": {
    path: "/charge/card",
    requiredField: "data",
    send: (client, _, call) =>
      client.charges.card(
        { amount, currency_code: "XOF", customer_name: customer.name, customer_email: customer.email },
        call,
      ),
    count: transactions,
  },
  "a Wave charge": {
    path: "/charge/wave",
    requiredField: "data",
    send: (client, _, call) => client.charges.wave(mobileCharge, call),
    count: transactions,
  },
  "an MTN charge": {
    path: "/charge/mtn",
    requiredField: "data",
    send: (client, _, call) => client.charges.mtn(mobileCharge, call),
    count: transactions,
  },
  "a refund": {
    path: "/refunds",
    requiredField: "refund_id",
    send: (client, { paidTransaction }, call) =>
      client.refunds.create({ transaction_id: paidTransaction, amount }, call),
    count: (merchant) => merchant.count("/refunds"),
  },
  "a payout": {
    path: "/payouts",
    requiredField: "payout_id",
    send: (client, _, call) =>
      client.payouts.create(
        {
          destination: "beneficiary",
          rail: "bank",
          amount,
          currency_code: "XOF",
          recipient: { name: customer.name, phone: customer.phone },
        },
        call,
      ),
    // A payout lowers the balance by its amount.
    count: async (merchant) => -(await merchant.available()) / amount,
  },
  "an instant settlement": {
    path: "/settlements/instant",
    requiredField: "instant_settlement_id",
    send: (client, _, call) => client.settlements.instant({ mode: "advance", amount, currency_code: "XOF" }, call),
    // An instant settlement adds its amount to the balance, less the service's fee of 1 %.
    count: async (merchant) => Math.floor((await merchant.available()) / (amount * 0.99)),
  },
} as const satisfies Record<string, Write>;
