import type { Language, Money } from "./money.ts";

export type Environment = "test" | "live";

/** The thing that must be paid at most once. WooCommerce: order id. Medusa: payment collection. Shopify offsite: group. */
export type OrderRef = { readonly storeId: string; readonly orderId: string };

/** An order as its store tells it now. */
export type Order = {
  readonly ref: OrderRef;
  /** The platform's own name of this try (`payses_…`, a Shopify gid), `""` where there is none. Never an idempotency key. */
  readonly attempt: string;
  readonly total: Money;
  /** Shown on the hosted page; at most 255 characters are sent. */
  readonly title: string;
  readonly environment: Environment;
  readonly language: Language;
  /** false: cancelled, trashed, sold out. */
  readonly payable: boolean;
  /**
   * What the store shows the order as paid by; null while it is unpaid. A payment id that the store keeps as proof, or:
   * `"outside"`: another payment method, or another gateway's transaction;
   * `"owner"`: the owner set the order to paid by hand, and no other payment is named on it;
   * `"unclear"`: the order is paid, and the store cannot tell by what.
   */
  readonly paidBy: string | null;
  /** With `paidBy: "owner"`, where the store keeps it: who set the order to paid (a role or a login) and when, in milliseconds since 1970. */
  readonly setPaid?: { readonly by: string; readonly at: number };
};
