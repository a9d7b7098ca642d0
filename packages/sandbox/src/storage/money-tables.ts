import type { Generated } from "kysely";
import type { Currency } from "../domain/currencies.ts";
import type { Environment } from "../domain/environment.ts";
import type { DelegationColumns } from "./network-tables.ts";

/** Money movements outside checkout sessions, and refunds, disputes and subscriptions. */
export type MoneyTables = {
  balances: BalanceRow;
  refunds: RefundRow & { seq: Generated<number> };
  charges: ChargeRow & { seq: Generated<number> };
  payment_requests: PaymentRequestRow & { seq: Generated<number> };
  payouts: PayoutRow & { seq: Generated<number> };
  settlements: SettlementRow & { seq: Generated<number> };
  confirmations: ConfirmationRow;
  subscriptions: SubscriptionRow & { seq: Generated<number> };
  disputes: DisputeRow & { seq: Generated<number> };
};

type Owned = { organization_id: string; environment: Environment };

/** The funds of a merchant in one currency. A currency without movements has no row. */
export type BalanceRow = Owned & {
  currency_code: Currency;
  available: number;
  /** Card funds that an advance can release. */
  held: number;
  updated_at: number;
};

export type RefundRow = Owned &
  DelegationColumns & {
    refund_id: string;
    transaction_id: string;
    session_id: string | null;
    amount: number;
    currency_code: Currency;
    reason: string | null;
    status: "pending" | "completed" | "failed";
    failure_message: string | null;
    subscription_action: "default" | "cancel" | "pause" | "none";
    metadata_json: string;
    created_at: number;
    updated_at: number;
  };

/** A direct charge with its own id: `pi_…` for a card, `wv_…` for Wave. */
export type ChargeRow = Owned &
  DelegationColumns & {
    charge_id: string;
    rail: "card" | "wave";
    /** The newest attempt. After a declined card another attempt can follow. */
    transaction_id: string;
    /** See `CardChargeDetails` and `WaveChargeDetails`. */
    details_json: string;
    created_at: number;
  };

/** A payment request. Its checkout session has the same expiry and holds its status. */
export type PaymentRequestRow = Owned & {
  request_id: string;
  session_id: string;
  created_by: string;
  amount: number;
  currency_code: Currency;
  customer_id: string | null;
  description: string | null;
  payment_reference: string | null;
  metadata_json: string;
  created_at: number;
};

export type PayoutRow = Owned & {
  payout_id: string;
  kind: "withdrawal" | "beneficiary";
  rail: "wave" | "mtn" | "bank" | "spi";
  amount: number;
  currency_code: Currency;
  payout_method_id: string | null;
  recipient_json: string | null;
  reason: string | null;
  status: "pending" | "completed" | "failed";
  created_at: number;
  updated_at: number;
};

export type SettlementRow = Owned & {
  settlement_id: string;
  /** `advance` releases held card funds. `rail` settles one payout. */
  mode: "advance" | "rail";
  amount: number;
  fee_amount: number;
  currency_code: Currency;
  payout_id: string | null;
  created_at: number;
};

/** A previewed money movement that awaits its confirmation. */
export type ConfirmationRow = {
  token: string;
  /** What the token confirms: owner, operation, amount, currency and target. */
  binding: string;
  expires_at: number;
};

export type SubscriptionRow = Owned & {
  subscription_id: string;
  customer_id: string;
  product_id: string;
  price_id: string;
  status: "pending" | "active" | "past_due" | "cancelled" | "trial" | "paused" | "expired";
  amount: number;
  currency_code: Currency;
  /** Dates as `YYYY-MM-DD`. */
  start_date: string;
  end_date: string | null;
  next_billing_date: string | null;
  plan_name: string;
  billing_interval: "day" | "week" | "month" | "year";
  cancel_at_period_end: number;
  metadata_json: string;
  created_at: number;
  updated_at: number;
};

export type DisputeRow = Owned & {
  dispute_id: string;
  transaction_id: string;
  customer_id: string | null;
  /** Null when the dispute names no amount. */
  amount: number | null;
  currency_code: Currency | null;
  reason: string;
  status: "pending" | "resolved" | "closed";
  /** Also null when the dispute is closed without an outcome. */
  outcome: "won" | "lost" | null;
  evidence_due_by: number;
  /** See `Evidence`. Null until evidence is submitted. */
  evidence_json: string | null;
  evidence_submitted_at: number | null;
  metadata_json: string;
  created_at: number;
  updated_at: number;
};
