import type { Amount, CurrencyCode, Metadata } from "./common.ts";

/** The customer of a mobile-money charge. */
export type MobileMoneyCustomer = {
  name: string;
  /** E.164: `+2250700000001`. */
  phoneNumber: string;
  email?: string | undefined;
};

/** Body of POST /charge/wave (API.md#charges), in camelCase as the API has it. */
export type WaveChargeRequest = {
  /** Whole francs, at least 100. */
  amount: Amount;
  currency: "XOF";
  customer: MobileMoneyCustomer;
  /** At most 1000 characters. */
  description?: string | undefined;
  /** Absolute http(s) URL that the browser opens after the customer approved the charge. */
  successUrl?: string | undefined;
  /** Absolute http(s) URL that the browser opens after the charge failed. */
  errorUrl?: string | undefined;
  /** A deployment of the service may ignore the metadata: put your reference into `description` too. */
  metadata?: Metadata | undefined;
};

/** Body of POST /charge/mtn (API.md#charges), in camelCase as the API has it. */
export type MtnChargeRequest = {
  amount: Amount;
  currency: "XOF";
  customer: MobileMoneyCustomer;
  /** At most 1000 characters. */
  description?: string | undefined;
  /** Two letters: `CI`. */
  countryCode?: string | undefined;
  productId?: string | undefined;
  subscriptionId?: string | undefined;
  /** At least 1, the default. */
  quantity?: number | undefined;
  /** A deployment of the service may ignore the metadata: put your reference into `description` too. */
  metadata?: Metadata | undefined;
};

/** Body of POST /charge/card (API.md#charges). */
export type CardChargeRequest = {
  amount: Amount;
  /** Required, here or as `currency`. */
  currency_code?: CurrencyCode | undefined;
  /** Older name of `currency_code`. */
  currency?: CurrencyCode | undefined;
  /** UUID. Required unless both `customer_email` and `customer_name` are given. */
  customer_id?: string | undefined;
  customer_email?: string | undefined;
  customer_name?: string | undefined;
  customer_phone?: string | undefined;
  /** At most 1000 characters. */
  description?: string | undefined;
  /** Your own reference. */
  payment_reference?: string | undefined;
  product_id?: string | undefined;
  subscription_id?: string | undefined;
  /** At least 1, the default. */
  quantity?: number | undefined;
  metadata?: Metadata | undefined;
  /** The three `appearance_…` fields style the card form. */
  appearance_theme?: "light" | "dark" | "flat" | undefined;
  appearance_border_radius?: string | number | undefined;
  appearance_billing_address?: "auto" | "never" | undefined;
};
