import type { Finding } from "../domain/finding.ts";
import type { Money } from "../domain/money.ts";
import type { Order, OrderRef } from "../domain/order.ts";
import type { Receipt } from "../domain/receipt.ts";

/**
 * The piece that speaks one platform.
 *
 * Whatever a method cannot answer it throws, as an error with a `code`:
 * `unavailable` (certainly nothing happened: try again), `unknown` (it may have landed: a read-then-write store is left
 * alone for `settleAfterMs`), `reconnect` (the owner must renew the connection: parked, with an alarm).
 * An error without one of these codes counts as `unknown`.
 */
export interface StoreAdapter {
  readonly platform: string;
  /** The shop's name as its shoppers know it. Our pages show it; without it the shop's host. */
  readonly name?: string;
  readonly writes: WriteClass;
  /** Waits between tries of a store write, when the platform names its own. Milliseconds. */
  readonly retryScheduleMs?: readonly number[];
  /** From the store, or from what the store posted to us. Null: there is no such order, or it is another store's. */
  findOrder(ref: OrderRef, attempt: string): Promise<Order | null>;
  /** The same receipt twice has one effect. Sends nothing later than 20 s after it was called (`limits.storeCallMs`). */
  markPaid(receipt: Receipt): Promise<StoreAnswer>;
  /**
   * Shows the owner that this order needs a look. The same finding twice is shown once; a paid order stays paid, and an
   * order that is gone is nobody's error.
   */
  holdForReview(ref: OrderRef, attempt: string, finding: Finding): Promise<void>;
  /** Where the shopper goes after our pages. Absolute URL. */
  shopperUrl(ref: OrderRef, attempt: string, outcome: ShopperOutcome): Promise<string>;
  /** Only after the shopper acted, and while that try has neither failed nor succeeded. `until` in milliseconds since 1970. */
  markPending?(ref: OrderRef, attempt: string, until: number): Promise<void>;
  /** Final only; never on cancel. */
  markRefused?(ref: OrderRef, attempt: string, finding: Finding): Promise<StoreAnswer>;
  /**
   * Not called for refunds that the store itself asked for, except for one: it failed after the store had been answered that
   * it is under way. `key` is the store's own name of it then. `refundId` is empty when the service never named one.
   * `paymentId`: whose money went back. Only where the order shows this payment is it the order's own refund; that of a
   * duplicate leaves the order paid.
   */
  recordRefund?(refund: {
    paymentId: string;
    refundId: string;
    key: string;
    ref: OrderRef;
    attempt: string;
    amount: Money;
    status: "completed" | "failed";
  }): Promise<StoreAnswer>;
  /** The same key twice is one note. */
  addNote?(ref: OrderRef, key: string, text: string): Promise<void>;
  listUnsettled?(since: number): AsyncIterable<{ ref: OrderRef; attempt: string }>;
}

/**
 * `conditional`: the store itself refuses a second or older write. `read-then-write`: it cannot, so after a write whose
 * answer was lost nobody writes before `settleAfterMs`, the platform's longest request life, is over.
 */
export type WriteClass =
  | { readonly kind: "conditional" }
  | { readonly kind: "read-then-write"; readonly settleAfterMs: number };

export type ShopperOutcome = "paid" | "waiting" | "cancelled" | "refused";

/** `read-back`: the store was read after the write. `acknowledged`: it answered, and no read exists (Shopify). */
export type StoreAnswer =
  | {
      readonly outcome: "recorded" | "already";
      readonly evidence: "read-back" | "acknowledged";
      readonly continueUrl?: string;
    }
  | { readonly outcome: "other-payment" | "not-payable" | "gone"; readonly detail: string };

export type StoreErrorCode = "unavailable" | "unknown" | "reconnect";

/** What an adapter throws. `message` is one sentence without personal data. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "StoreError";
    this.code = code;
  }
}
