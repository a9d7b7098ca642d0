import type { Language, Money } from "./money.ts";

export type Environment = "test" | "live";

/** Identifies what must be paid at most once. WooCommerce: order. Medusa: payment collection. Shopify offsite: payment group. */
export type OrderRef = { readonly storeId: string; readonly orderId: string };

/**
 * What the shopper told the store about themselves. Each value fills a field of the hosted page; an empty or invalid value is not
 * sent. The ledger keeps these values only until the session is open.
 */
export type Customer = {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  /** With its country code, such as `+221 77 000 00 00`. */
  readonly phone?: string | undefined;
};

/** An order as its store shows it now. */
export type Order = {
  readonly ref: OrderRef;
  /** What the shopper and the merchant call the order, such as `1042`; `ref.orderId` where it is absent. */
  readonly number?: string;
  /** The platform's id of this payment attempt (`payses_…`, a Shopify gid); `""` where there is none. Never an idempotency key. */
  readonly attempt: string;
  readonly total: Money;
  /** The title on the hosted page. At most 255 characters are sent. */
  readonly title: string;
  /** What was ordered, shown on the hosted page: `2 × Coffee, 1 × Tea`. At most 1,000 characters are sent. */
  readonly description?: string;
  readonly customer?: Customer;
  readonly environment: Environment;
  readonly language: Language;
  /** false: the order is cancelled, deleted or sold out. */
  readonly payable: boolean;
  /**
   * What paid the order according to the store; null while the order is unpaid. One of our payment ids, stored on the order, or:
   * `"outside"`: another payment method, or another gateway's transaction;
   * `"owner"`: the merchant marked the order as paid, and the order names no payment;
   * `"unclear"`: the order is paid, and the store cannot tell by what.
   * An id that is none of the order's payments counts as `"unclear"`: plug-ins copy orders with what they show.
   */
  readonly paidBy: string | null;
  /**
   * With `paidBy: "owner"`: who marked the order as paid (a role or a login; null where the store names nobody) and when, in milliseconds
   * since 1970. Absent where the store does not record this.
   */
  readonly markedPaid?: { readonly by: string | null; readonly at: number };
};
