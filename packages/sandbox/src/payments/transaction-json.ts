import { isoTime } from "../domain/clock.ts";
import { networkField } from "../organizations/owner.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";

/** The transaction as the API returns it. */
export function transactionJson(row: TransactionRow): Record<string, unknown> {
  return {
    transaction_id: row.transaction_id,
    public_id: row.public_id,
    organization_id: row.organization_id,
    customer_id: row.customer_id,
    checkout_session_id: row.session_id,
    transaction_type: "payment",
    status: row.status,
    description: row.description,
    quantity: row.quantity,
    gross_amount: row.gross_amount,
    discount_amount: 0,
    fee_amount: row.fee_amount,
    net_amount: row.net_amount,
    refunded_amount: row.refunded_amount,
    currency_code: row.currency_code,
    provider_code: row.provider_code,
    payment_method_code: row.payment_method_code,
    product_id: null,
    price_id: null,
    subscription_id: row.subscription_id,
    is_bnpl: false,
    is_pos: false,
    spi_account_number: null,
    spi_qr_code_id: null,
    metadata: JSON.parse(row.metadata_json),
    environment: row.environment,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    ...(row.failure_code === null ? {} : { failure_code: row.failure_code, failure_message: row.failure_message }),
    ...networkField(row),
  };
}
