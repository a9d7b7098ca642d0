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
  /** The payment id that the store shows as proof, `"outside"` when it was paid by something else, null when unpaid. */
  readonly paidBy: string | null;
};
