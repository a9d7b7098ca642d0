import { feeOf } from "../payments/fees.ts";
import type { Currency } from "../service/currencies.ts";
import type { Change } from "../service/service.ts";
import type { Rows } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/tables.ts";
import { operatorOf } from "./operators.ts";
import type { OperatorFeeRow } from "./tables.ts";

type Bounds = { minimum?: number | undefined; maximum?: number | undefined };

/**
 * What an Operator asks for a payment. Amounts are in the API's unit of `currency_code`, and a rule that has one applies
 * to payments in that currency only.
 */
export type FeeRule =
  | { kind: "fixed"; amount: number; currency_code: Currency }
  | ({ kind: "percentage"; basis_points: number; currency_code?: Currency | undefined } & Bounds)
  | ({ kind: "blended"; amount: number; basis_points: number; currency_code: Currency } & Bounds);

/** A delegated payment is complete: what its Operator earned is written down, and the payment stays as it is. */
export async function recordOperatorFee(change: Change, payment: TransactionRow): Promise<void> {
  if (payment.membership_id === null) return;
  const operator = await operatorOf(change.rows, payment.membership_id);
  if (operator === undefined || operator.fee_json === null) return;
  const rule: FeeRule = JSON.parse(operator.fee_json);
  if (rule.currency_code !== undefined && rule.currency_code !== payment.currency_code) return;
  const row: OperatorFeeRow = {
    transaction_id: payment.transaction_id,
    operator_id: operator.operator_id,
    membership_id: payment.membership_id,
    environment: payment.environment,
    amount: operatorFee(rule, payment.gross_amount),
    currency_code: payment.currency_code,
    rule_json: operator.fee_json,
    created_at: change.now,
  };
  await change.rows.insertInto("operator_fees").values(row).execute();
}

/** Within the rule's bounds, and never above the payment. */
function operatorFee(rule: FeeRule, gross: number): number {
  if (rule.kind === "fixed") return Math.min(rule.amount, gross);
  const fixed = rule.kind === "blended" ? rule.amount : 0;
  const fee = fixed + feeOf(gross, rule.basis_points);
  return Math.min(Math.max(fee, rule.minimum ?? 0), rule.maximum ?? gross, gross);
}

/** Newest first. */
export async function listOperatorFees(rows: Rows, operatorId: string): Promise<readonly OperatorFeeRow[]> {
  return rows
    .selectFrom("operator_fees")
    .selectAll()
    .where("operator_id", "=", operatorId)
    .orderBy("created_at", "desc")
    .execute();
}
