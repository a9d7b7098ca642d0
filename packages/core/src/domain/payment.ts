import type { Finding } from "./finding.ts";
import { limits } from "./limits.ts";
import { type AmountUnit, CURRENCY_DECIMALS, type Money, minorUnitsPerWireUnit } from "./money.ts";
import type { Environment, OrderRef } from "./order.ts";
import type { PaymentState } from "./payment-states.ts";

/** The session that a payment opened. `expiresAt` in milliseconds since 1970. */
export type PaymentSession = { readonly id: string; readonly url: string; readonly expiresAt: number };

/** The record that ties one order to one session. All times are milliseconds since 1970. */
export type Payment = {
  /** Also the Idempotency-Key of the POST that opens the session. Each new session is a new payment. */
  readonly id: string;
  readonly ref: OrderRef;
  /** What the shopper and the merchant call the order. */
  readonly orderNumber: string;
  readonly attempt: string;
  readonly environment: Environment;
  /** The Member Account (`acct_…`) on whose behalf the session was opened; null for the API key's organization. */
  readonly account: string | null;
  readonly credentialId: string;
  readonly createdAt: number;
  readonly amountDue: Money;
  /** The integer that was sent. Readings are compared with this integer, so no amount is converted twice. */
  readonly wireAmount: number;
  /**
   * The exact POST body, as long as the POST may be repeated: other bytes lead to 409 `idempotency_key_reused`. Later the
   * customer's name, e-mail and phone are removed from this body.
   */
  readonly request: string;
  /** `${id}.${hmac}`: proves that the payment is ours even after the ledger was restored from a backup. */
  readonly reference: string;
  readonly session: PaymentSession | null;
  /** The amount that the service reported with a completed session; null while no such response was read. */
  readonly amountReceived: Money | null;
  /** The transaction that paid the session, as reported. It is read from the service again before a refund. */
  readonly transactionId: string | null;
  readonly state: PaymentState;
  /** Grows by one with each commit. A commit names the version that it read. */
  readonly version: number;
  /** Scheduled reads so far. */
  readonly checks: number;
  readonly nextCheckAt: number | null;
  /**
   * When the last write to the store started; null once its outcome is certain. It is committed before the write, so a later writer
   * knows that a request may still be in flight.
   */
  readonly storeWriteAt: number | null;
  /** How many writes to the store were made for this payment. */
  readonly storeTries: number;
  /** When the store may be written next; set only where a platform has its own retry schedule. */
  readonly storeRetryAt: number | null;
  readonly finding: Finding | null;
  readonly waiver: Waiver | null;
  /**
   * Lost disputes have taken back all that was left of the payment: it pays no order and blocks no new payment. A dispute is never a
   * state, so the payment keeps its state.
   */
  readonly lostToDispute: boolean;
  /** The trace in which the checkout was started, as W3C `traceparent`; absent where nothing was traced. */
  readonly traceparent?: string;
};

/** The fields of a new payment that do not depend on its order. */
export const NEW_PAYMENT_DEFAULTS = {
  amountReceived: null,
  transactionId: null,
  version: 1,
  checks: 0,
  nextCheckAt: null,
  storeWriteAt: null,
  storeTries: 0,
  storeRetryAt: null,
  finding: null,
  waiver: null,
  lostToDispute: false,
} as const satisfies Partial<Payment>;

/** The unit of this payment's `wireAmount`. It was fixed when the session was opened, so a later change of the setting has no effect. */
export function amountUnitOf({ amountDue, wireAmount }: Pick<Payment, "amountDue" | "wireAmount">): AmountUnit {
  return wireAmount === amountDue.minor ? "minor" : "major";
}

/**
 * A fee or another amount that the service adds to this payment's transaction. In whole dollars it has decimals, such as 0.57, which no binary
 * number holds exactly. Null: the service does not report it, or it is no exact amount of a supported currency.
 */
export function reportedMoney(
  payment: Pick<Payment, "amountDue" | "amountReceived" | "wireAmount">,
  wireAmount: number | null | undefined,
  currency = (payment.amountReceived ?? payment.amountDue).currency,
): Money | null {
  if (typeof wireAmount !== "number" || !Object.hasOwn(CURRENCY_DECIMALS, currency)) return null;
  const exact = wireAmount * minorUnitsPerWireUnit(currency, amountUnitOf(payment));
  const minor = Math.round(exact);
  return Number.isSafeInteger(minor) && Math.abs(exact - minor) < 1e-6 ? { minor, currency } : null;
}

/**
 * A time before which nothing happened to the payment. A clock that was ahead may have created it in the future; its session's expiry
 * is a time of the service.
 */
export function startOf({ createdAt, session }: Pick<Payment, "createdAt" | "session">): number {
  return session === null ? createdAt : Math.min(createdAt, session.expiresAt - limits.sessionLifeMs);
}

/**
 * A merchant's acceptance of exactly this difference. `by` is empty where the shop does not say who marked the order as paid. `decision`: the
 * decision by which the difference was accepted.
 */
export type Waiver = {
  readonly finding: Finding;
  readonly by: string;
  readonly at: number;
  readonly decision?: string;
};

/** Whether the money of a payment has gone back, so that it pays no order any more. */
export function isReturned({ state, lostToDispute }: Pick<Payment, "state" | "lostToDispute">): boolean {
  return state === "refunded" || lostToDispute;
}
