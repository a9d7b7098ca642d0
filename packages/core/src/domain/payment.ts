import type { Finding } from "./finding.ts";
import type { AmountUnit, Money } from "./money.ts";
import type { Environment, OrderRef } from "./order.ts";
import type { PaymentState } from "./payment-states.ts";

/** The session that a payment opened. `expiresAt` in milliseconds since 1970. */
export type PaymentSession = { readonly id: string; readonly url: string; readonly expiresAt: number };

/** Our record that ties one order to one session. All times are milliseconds since 1970. */
export type Payment = {
  /** Also the Idempotency-Key of the one POST that opens its session. A new try is a new payment. */
  readonly id: string;
  readonly ref: OrderRef;
  readonly attempt: string;
  readonly environment: Environment;
  /** Member Account (`acct_…`) on whose behalf the session was opened, null for the key's own organization. */
  readonly account: string | null;
  readonly credentialId: string;
  readonly createdAt: number;
  readonly amountDue: Money;
  /** The integer that was sent. What is read back is compared with it; nothing is converted twice. */
  readonly wireAmount: number;
  /** The exact POST body: repeated byte for byte, otherwise the service answers 409 `idempotency_key_reused`. */
  readonly request: string;
  /** `${id}.${hmac}`: ours even when the ledger was restored from a backup. */
  readonly reference: string;
  readonly session: PaymentSession | null;
  /** What arrived, as the service reported it with a completed session; null while no such answer was read. */
  readonly amountReceived: Money | null;
  /** The transaction that is said to have paid the session. A refund reads it back before it relies on it. */
  readonly transactionId: string | null;
  readonly state: PaymentState;
  /** Grows by one with each commit; a commit names the version it read. */
  readonly version: number;
  /** Scheduled reads so far. */
  readonly checks: number;
  readonly nextCheckAt: number | null;
  /** Committed before `markPaid` is called: a later writer knows that a request may still be under way. */
  readonly storeWriteAt: number | null;
  /** How often the store was written for this payment, and when it may be written next; kept where a platform names its own schedule. */
  readonly storeTries: number;
  readonly storeRetryAt: number | null;
  /** Where the platform sends the shopper next (Shopify `nextAction`): cannot be read again, so it is kept. */
  readonly continueUrl: string | null;
  readonly finding: Finding | null;
  readonly waiver: Waiver | null;
};

/** What of a payment nobody has learned or done yet. */
export const NEW_PAYMENT_DEFAULTS = {
  amountReceived: null,
  transactionId: null,
  version: 1,
  checks: 0,
  nextCheckAt: null,
  storeWriteAt: null,
  storeTries: 0,
  storeRetryAt: null,
  continueUrl: null,
  finding: null,
  waiver: null,
} as const satisfies Partial<Payment>;

/**
 * The unit in which this payment's session counts. It was chosen when the session was opened: a setting that is changed later
 * says nothing about it.
 */
export function amountUnitOf({ amountDue, wireAmount }: Pick<Payment, "amountDue" | "wireAmount">): AmountUnit {
  return wireAmount === amountDue.minor ? "minor" : "major";
}

/** What arrived for a payment; what was asked for as long as nothing else is known. Refunds are counted against it. */
export function amountPaid({ amountDue, amountReceived }: Pick<Payment, "amountDue" | "amountReceived">): Money {
  return amountReceived ?? amountDue;
}

/** An owner accepted exactly this difference. */
export type Waiver = { readonly finding: Finding; readonly by: string; readonly at: number };
