import type { Amount, CurrencyCode, Metadata } from "./common.ts";

/**
 * Body of POST /checkout-sessions (API.md#checkout-sessions). The fields have the names of the API, so that its documentation, the
 * requests in a log and this code use the same words.
 */
export type CheckoutSessionRequest = {
  /** Required unless `line_items`, `product_id` or `price_id` is given. */
  amount?: Amount | undefined;
  /** Default: the organization's own currency. */
  currency_code?: CurrencyCode | undefined;
  /** What the shopper reads above the amount. At most 255 characters. */
  title?: string | undefined;
  /** At most 1000 characters. */
  description?: string | undefined;
  /** Absolute http(s) URL that the browser opens after the payment, without any proof. The page replaces `{CHECKOUT_SESSION_ID}`. */
  success_url?: string | undefined;
  /** Absolute http(s) URL of the cancel link on the hosted page. The session stays open and can still be paid. */
  cancel_url?: string | undefined;
  /** UUID of an existing customer. An unknown customer is `not_found`. */
  customer_id?: string | undefined;
  /** All `customer_…` fields fill in the form of the hosted page. Leave a field out instead of sending `""`. */
  customer_email?: string | undefined;
  customer_name?: string | undefined;
  customer_phone?: string | undefined;
  customer_address?: string | undefined;
  customer_city?: string | undefined;
  customer_country?: string | undefined;
  customer_postal_code?: string | undefined;
  /** Whether the shopper may change the quantity. Default false. */
  allow_quantity?: boolean | undefined;
  /** At least 1, the default. `amount` is the total of all units. */
  quantity?: number | undefined;
  /** Default false. */
  allow_coupon_code?: boolean | undefined;
  /** Whether the hosted page shows and requires the name. Default true. */
  require_name?: boolean | undefined;
  /** Default true. Name, email and phone cannot all be off without `customer_name` or `customer_id`. */
  require_email?: boolean | undefined;
  /** Default false. Mobile money needs a phone number in any case. */
  require_phone?: boolean | undefined;
  /** Default false. */
  require_billing_address?: boolean | undefined;
  /** The fields of the hosted page in their order; overrides the `require_…` fields. */
  fields?: CheckoutField[] | undefined;
  /** Copied to the transaction and into its events. */
  metadata?: Metadata | undefined;
  product_id?: string | undefined;
  price_id?: string | undefined;
  subscription_id?: string | undefined;
  payment_link_id?: string | undefined;
  /** At least one price of the merchant's catalogue; the service computes the amount. */
  line_items?: CheckoutLineItem[] | undefined;
  /** The sales channel, copied into `metadata.integration_source`. Leave it out for a platform that is not listed. */
  integration_source?: IntegrationSource | undefined;
  /** An Operator's fee, at most `amount`, in the same unit. */
  application_fee_amount?: number | undefined;
};

export type CheckoutField = {
  key: string;
  scope?: string | undefined;
  type?: string | undefined;
  visibility?: string | undefined;
  order?: number | undefined;
};

export type CheckoutLineItem = {
  price_id: string;
  /** At least 1, the default. */
  quantity?: number | undefined;
  metadata?: Metadata | undefined;
};

export type IntegrationSource = "system" | "shopify" | "woocommerce" | "prestashop" | "magento" | "odoo" | "bubble";
