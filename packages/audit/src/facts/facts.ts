import type { Money } from "@tillkit/core";

/**
 * One order as its shop shows it. Times are milliseconds since 1970. Nothing in it names a person: `customer` is a keyed hash that only
 * tells whether two customers are the same.
 */
export type OrderFact = {
  /** The name of the shop in this audit. */
  readonly shop: string;
  /** The platform's own id, and what people call the order. */
  readonly id: string;
  readonly number: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly paidAt: number | null;
  /** `partial`: a deposit or a part is shown as paid. `refunded`: paid, and all of it shown as given back. */
  readonly state: "unpaid" | "partial" | "paid" | "cancelled" | "refunded";
  readonly total: Money;
  /** The same total in the currency that the shopper paid in, where a shop shows both. */
  readonly otherTotal: Money | null;
  /** What the shop shows as paid through the service, where it says so: a part may have been paid by voucher or in cash. */
  readonly paid: Money | null;
  /** The sum of the refunds that the shop shows; null where it shows none. */
  readonly refunded: Money | null;
  /** The shop's total has more decimals than its currency, so any plug-in has to round it. */
  readonly isRounded: boolean;
  /** The shop itself calls it a test order. */
  readonly isTest: boolean;
  /** The payment method's name in the shop; null where the input does not show it. */
  readonly method: string | null;
  /** Every id on the order that may name a movement of the service: transactions, sessions, our references. Lower case. */
  readonly names: readonly string[];
  /** Other names of the order itself, such as its key. Lower case. */
  readonly aliases: readonly string[];
  /** The order of the same shop that this one was split from, or was merged into. */
  readonly relatedTo: string | null;
  readonly knowsDispute: boolean;
  readonly customer: string | null;
  /** The order's page for the owner. */
  readonly url: string | null;
};

/** A transaction at the service that brought money. Amounts and times as in `OrderFact`. */
export type PaymentFact = {
  readonly kind: "payment";
  readonly id: string;
  readonly code: string | null;
  readonly session: string | null;
  /** What the customer paid. */
  readonly amount: Money;
  /** In minor units of the same currency; null where the service does not say. */
  readonly fee: number | null;
  readonly net: number | null;
  readonly discount: number;
  readonly at: number;
  readonly environment: "test" | "live";
  /** What the metadata says the order is: ids, numbers, keys. Lower case. */
  readonly names: readonly string[];
  /** The id of a payment of Tillkit that the metadata names. */
  readonly reference: string | null;
  /** The shop that the metadata names, as a host name. */
  readonly site: string | null;
  /** Where it came from when that is visibly no shop: `pos`, `subscription`, `payment_link`, `invoice`. */
  readonly channel: string | null;
  readonly customer: string | null;
};

export type RefundFact = {
  readonly kind: "refund";
  readonly id: string;
  /** The id of the transaction. */
  readonly payment: string;
  readonly amount: Money;
  readonly at: number;
  readonly status: "pending" | "completed";
};

/** `amount` is null where it could not be read: the dispute then counts as the whole payment. */
export type DisputeFact = {
  readonly kind: "dispute";
  readonly id: string;
  readonly payment: string;
  readonly amount: Money | null;
  readonly at: number;
  readonly status: "open" | "lost" | "won";
};

/** Money that left the account to the merchant or a beneficiary. */
export type PayoutFact = {
  readonly kind: "payout";
  readonly id: string;
  readonly amount: Money;
  readonly at: number;
};

export type MovementFact = PaymentFact | RefundFact | DisputeFact | PayoutFact;

/** A balance of the account, read at a time. */
export type BalanceFact = { readonly amount: Money; readonly at: number; readonly environment: "test" | "live" };

/** What one input can show at all. What it cannot show is listed in the report instead of being found by chance. */
export type OrderCoverage = {
  readonly shop: string;
  /** The time of the first and last order that the input holds, in milliseconds since 1970; `until` is excluded. */
  readonly from: number;
  readonly until: number;
  readonly shows: {
    readonly refunds: boolean;
    readonly cancellations: boolean;
    readonly methods: boolean;
    /** Whether orders carry ids of transactions or sessions. */
    readonly ids: boolean;
    readonly disputes: boolean;
  };
  /** The host name of the shop, which a payment's metadata may name. */
  readonly site: string | null;
  /** Names of payment methods that mean the service, as the owner gave them. */
  readonly methods: readonly string[];
};

export type MovementCoverage = {
  readonly from: number;
  readonly until: number;
  /** Which environments were read. */
  readonly environments: readonly ("test" | "live")[];
  /** Since when disputes are known; null: the input shows none. */
  readonly disputesSince: number | null;
};

export type Facts = {
  readonly orders: readonly OrderFact[];
  readonly payments: readonly PaymentFact[];
  readonly refunds: readonly RefundFact[];
  readonly disputes: readonly DisputeFact[];
  readonly payouts: readonly PayoutFact[];
  readonly balances: readonly BalanceFact[];
  readonly shops: readonly OrderCoverage[];
  readonly movements: MovementCoverage;
};
