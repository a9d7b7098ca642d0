import type { WriteContext } from "../runtime/service.ts";
import type { OperatorFeeRow } from "../storage/network-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { type FeeRule, operatorFee } from "./fee-rule.ts";
import { findOperatorOfMembership } from "./operators.ts";

/** Records the fee of the Operator for a completed delegated payment. The payment itself does not change. */
export async function recordOperatorFee(context: WriteContext, payment: TransactionRow): Promise<void> {
  if (payment.membership_id === null) return;
  const operator = await findOperatorOfMembership(context.database, payment.membership_id);
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
    created_at: context.now,
  };
  await context.database.insertInto("operator_fees").values(row).execute();
}

/** Newest first. */
export async function listOperatorFees(
  database: SandboxDatabase,
  operatorId: string,
): Promise<readonly OperatorFeeRow[]> {
  return database
    .selectFrom("operator_fees")
    .selectAll()
    .where("operator_id", "=", operatorId)
    .orderBy("created_at", "desc")
    .execute();
}
