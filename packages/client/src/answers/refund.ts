import { instant, type Known, number, type Row, row, text } from "./fields.ts";
import { unwrapOne } from "./unwrap.ts";

/** A refund as an answer showed it; undefined = not said. Amounts in the unit of the wire. */
export type Refund = {
  readonly id: string;
  readonly transactionId?: string | undefined;
  readonly amount?: number | undefined;
  readonly refundedAmount?: number | undefined;
  readonly currencyCode?: string | undefined;
  readonly status?: Known<"pending" | "completed" | "failed"> | undefined;
  readonly reason?: string | undefined;
  readonly metadata?: Row | undefined;
  readonly environment?: Known<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
};

/** Null without a refund id. Reads the answer of POST, of GET and an item of a list. */
export function readRefund(answer: unknown): Refund | null {
  const found = unwrapOne(answer, ["refund_id"]);
  const id = found && text(found, "refund_id");
  if (!found || !id) return null;
  return {
    id,
    transactionId: text(found, "transaction_id"),
    amount: number(found, "amount"),
    refundedAmount: number(found, "refunded_amount"),
    currencyCode: text(found, "currency_code"),
    status: text(found, "status"),
    reason: text(found, "reason"),
    metadata: row(found, "metadata"),
    environment: text(found, "environment"),
    createdAt: instant(found, "created_at"),
    updatedAt: instant(found, "updated_at"),
  };
}
