import type { Amount, ConfirmationToken, PageQuery } from "./common.ts";

/** Body of POST /refunds (API.md#refunds). */
export type ServiceRefundRequest = {
  /** UUID, or `txn_…`. */
  transaction_id: string;
  /** In the currency of the transaction; at most the part that is not refunded yet. */
  amount: Amount;
  reason?: string | undefined;
  /** Default: `full` when `amount` is the whole transaction. */
  refund_type?: "full" | "partial" | undefined;
  /** What happens to the subscription that the transaction paid. */
  subscription_action?: "default" | "cancel" | "pause" | "none" | undefined;
  confirmation_token?: ConfirmationToken | undefined;
  /** Network: takes the money back from the Member Account. Default true. */
  reverse_transfer?: boolean | undefined;
  /** Network: refunds the Operator's fee too. Default true. */
  refund_application_fee?: boolean | undefined;
};

/** Filters of GET /refunds. */
export type RefundQuery = PageQuery & {
  readonly status?: "pending" | "completed" | "failed";
  /** ISO 8601 date or time, inclusive. */
  readonly startDate?: string;
  /** ISO 8601 date or time, inclusive. */
  readonly endDate?: string;
};
