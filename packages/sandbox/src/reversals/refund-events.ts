import { isoTime } from "../domain/clock.ts";
import { networkField } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { RefundRow } from "../storage/money-tables.ts";
import { emitEvent } from "../webhooks/events.ts";

/** The refund as the API returns it and as events contain it. */
export function refundJson(row: RefundRow): Record<string, unknown> {
  return {
    refund_id: row.refund_id,
    transaction_id: row.transaction_id,
    checkout_session_id: row.session_id,
    amount: row.amount,
    refunded_amount: refundedAmount(row),
    fee_amount: 0,
    currency_code: row.currency_code,
    reason: row.reason,
    status: row.status,
    metadata: JSON.parse(row.metadata_json),
    organization_id: row.organization_id,
    environment: row.environment,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    ...(row.failure_message === null ? {} : { failure_message: row.failure_message }),
    ...networkField(row),
  };
}

export function refundedAmount({ status, amount }: RefundRow): number {
  return status === "completed" ? amount : 0;
}

export function emitRefundEvent(
  context: WriteContext,
  event: "REFUND_CREATED" | "REFUND_COMPLETED" | "REFUND_FAILED",
  refund: RefundRow,
): Promise<void> {
  return emitEvent(context, event, refund, refundJson(refund));
}
