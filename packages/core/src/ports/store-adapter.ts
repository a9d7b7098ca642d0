import type { Finding } from "../domain/finding.ts";
import type { Money } from "../domain/money.ts";
import type { NotPayable } from "../domain/not-payable.ts";
import type { Order, OrderRef } from "../domain/order.ts";
import type { Receipt } from "../domain/receipt.ts";

/**
 * Connects the engine with one store on its platform.
 *
 * A method that fails throws an error with a `code`: `unavailable` (the call had no effect; the engine tries again), `unknown`
 * (the call may have had an effect; the engine does not write to a read-then-write store for `settleAfterMs`), `reconnect` (the
 * store refuses us: its plug-in is off, a firewall blocks us, a token is revoked; the call had no effect, and the store is tried again
 * until it answers), `owner` (the call had no effect, and repeating it changes nothing before a person acts in the store; the job becomes
 * a dead-letter job with an alert). An error without one of these codes
 * counts as `unknown`.
 */
export interface StoreAdapter {
  readonly platform: string;
  /** The shop's name as its shoppers know it. Our pages show it, or the shop's host name where it is absent. */
  readonly name?: string;
  /** For our shopper pages: the shop's front page, an https logo, and a colour such as `#0a7d4b` for buttons. */
  readonly branding?: { readonly homeUrl?: string; readonly logoUrl?: string; readonly color?: string };
  /** What the store does with a second or late write: of `markPaid`, and of every member that `memberWrites` does not name. */
  readonly writes: WriteClass;
  /** The members whose second or late write has other consequences than that of `markPaid`. */
  readonly memberWrites?: Readonly<Partial<Record<Exclude<WritingMember, "markPaid">, WriteClass>>>;
  /** The waits between attempts to write to the store, where the platform prescribes them. Milliseconds. */
  readonly retryScheduleMs?: readonly number[];
  /** Reads the order from the store, or from what the store posted to us. Null: the order does not exist or belongs to another store. */
  findOrder(ref: OrderRef, attempt: string): Promise<Order | null>;
  /**
   * Idempotent per receipt. Sends nothing later than 20 s after the call (`limits.storeCallMs`). For an order that shows the payment and
   * `receipt.unanswered`, it finishes what follows a payment on the platform, or tells the merchant that it may be missing.
   */
  markPaid(receipt: Receipt): Promise<StoreAnswer>;
  /**
   * Shows the merchant that this order needs a review. The same finding is shown once. A paid order stays paid, and a deleted
   * order causes no error.
   */
  holdForReview(ref: OrderRef, attempt: string, finding: Finding): Promise<void>;
  /** The absolute URL to which our pages send the shopper. A platform may name it in its answer to a write, and only once: the adapter keeps it. */
  shopperUrl(ref: OrderRef, attempt: string, outcome: ShopperOutcome): Promise<string>;
  /**
   * Called before `markPaid` while the store refuses payments. Asks without an order whether it would take them, and changes nothing.
   * Rejects as `markPaid` would: without it, the payment itself is tried.
   */
  assertReachable?(): Promise<void>;
  /** The absolute URL of the order in the shop's back office, to which the operators' pages link; null: the order has no such page. */
  adminUrl?(ref: OrderRef): string | null;
  /** Called after the shopper chose a payment method, while the result is pending. `until` in milliseconds since 1970. */
  markPending?(ref: OrderRef, attempt: string, until: number): Promise<void>;
  /** Called only when the refusal is final, and never when the shopper cancels. */
  markRefused?(ref: OrderRef, attempt: string, finding: Finding): Promise<StoreAnswer>;
  /**
   * Not called for refunds that the store requested, with one exception: the refund failed after the store was told that it is
   * pending. Then `key` is the store's key. `refundId` is empty when the service never reported an id. `paymentId` is the refunded
   * payment. The refund belongs to the order only if the order shows this payment; a refunded duplicate leaves the order paid.
   */
  recordRefund?(refund: RefundToRecord): Promise<StoreAnswer>;
  /** Adds a note to the order. A repeated key adds no second note. */
  addNote?(ref: OrderRef, key: string, text: string): Promise<void>;
  /** The orders that were placed or changed since this time, in milliseconds since 1970, and are not paid in the store. */
  listUnsettled?(since: number): AsyncIterable<{ ref: OrderRef; attempt: string }>;
}

export type RefundToRecord = {
  readonly paymentId: string;
  readonly refundId: string;
  readonly key: string;
  readonly ref: OrderRef;
  readonly attempt: string;
  readonly amount: Money;
  readonly status: "completed" | "failed";
};

/**
 * `conditional`: the store itself rejects a second or older write. `read-then-write`: the store rejects no write, so after a write
 * whose response was lost no process writes for `settleAfterMs`, the longest time that the platform processes a request.
 */
export type WriteClass =
  | { readonly kind: "conditional" }
  | { readonly kind: "read-then-write"; readonly settleAfterMs: number };

/** The members that the engine calls as the only writer of the order. */
export type WritingMember = "markPaid" | "holdForReview" | "markPending" | "markRefused" | "recordRefund" | "addNote";

export type ShopperOutcome = "paid" | "waiting" | "cancelled" | "refused";

/** `read-back`: the store was read after the write. `acknowledged`: the store responded, and it offers no read (Shopify). */
export type StoreAnswer =
  | { readonly outcome: "recorded" | "already"; readonly evidence: "read-back" | "acknowledged" }
  /** `paidBy` as in `Order`; null where the store does not tell. */
  | { readonly outcome: "other-payment"; readonly paidBy: string | null }
  | { readonly outcome: "not-payable"; readonly why: NotPayable }
  | { readonly outcome: "gone" };

export type StoreErrorCode = "unavailable" | "unknown" | "reconnect" | "owner";

/** The error of an adapter. `message` is one sentence without personal data. `platformCode`: the platform's own code of what failed. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  readonly platformCode: string | null;
  /** When the same call may be tried again, in milliseconds since 1970; null where this time is unknown. */
  readonly retryAt: number | null;

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly platformCode?: string | null; readonly retryAt?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "StoreError";
    this.code = code;
    this.platformCode = options.platformCode ?? null;
    this.retryAt = options.retryAt ?? null;
  }
}
