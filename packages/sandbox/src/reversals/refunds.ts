import type { refundRequestSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { ApiError, conflict, notFound, validationFailed } from "../domain/api-error.ts";
import { belongsTo, copyDelegation, delegationColumns, type Owner } from "../organizations/owner.ts";
import { readTransaction } from "../payments/transactions.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { RefundRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";
import { emitRefundEvent } from "./refund-events.ts";
import { completeRefund } from "./refund-outcomes.ts";
import { assertAcceptedReason, keptReason } from "./refund-reason.ts";

type RefundRequest = z.output<typeof refundRequestSchema>;

/**
 * Reads the transaction of a refund request and checks that the refund can be made.
 * @throws ApiError `not_found`, `conflict`, `validation_failed`, `amount_invalid`
 */
export async function readRefundableTransaction(
  { database, service: { settings } }: Pick<WriteContext, "database" | "service">,
  owner: Owner,
  request: RefundRequest,
): Promise<TransactionRow> {
  assertAcceptedReason(request.reason, settings);
  const transaction = await readTransaction(database, request.transaction_id, owner);
  const { status, gross_amount } = transaction;
  if (status !== "completed") {
    const message =
      status === "refunded"
        ? "The transaction is fully refunded"
        : `A transaction that is ${status} cannot be refunded`;
    throw conflict(message, { transaction_id: transaction.transaction_id, status });
  }
  if (request.refund_type === "full" && request.amount < gross_amount) {
    throw validationFailed({ refund_type: ["full needs the whole amount of the transaction"] });
  }
  const refundable = gross_amount - transaction.refunded_amount - (await pendingAmount(database, transaction));
  if (request.amount > refundable)
    throw new ApiError("amount_invalid", `Only ${refundable} of this transaction can be refunded`);
  if (settings.disputedRefunds === "refused") {
    const disputed = await disputedAmount(database, transaction);
    if (request.amount > refundable - disputed) {
      const { transaction_id } = transaction;
      throw conflict(`A dispute holds ${disputed} of this transaction`, { transaction_id, disputed_amount: disputed });
    }
  }
  return transaction;
}

/** Creates a pending refund with REFUND_CREATED. With the setting `refunds: "instant"` it completes at once. */
export async function createRefund(
  context: WriteContext,
  owner: Owner,
  transaction: TransactionRow,
  request: RefundRequest,
): Promise<RefundRow> {
  const row: RefundRow = {
    refund_id: context.service.ids.uuid(),
    transaction_id: transaction.transaction_id,
    session_id: transaction.session_id,
    organization_id: transaction.organization_id,
    environment: transaction.environment,
    ...(owner.delegation === undefined ? copyDelegation(transaction) : delegationColumns(owner)),
    amount: request.amount,
    currency_code: transaction.currency_code,
    reason: keptReason(request.reason, context.service.settings),
    status: "pending",
    failure_message: null,
    subscription_action: request.subscription_action ?? "default",
    metadata_json: JSON.stringify(merchantMetadata(transaction)),
    created_at: context.now,
    updated_at: context.now,
  };
  await context.database.insertInto("refunds").values(row).execute();
  await emitRefundEvent(context, "REFUND_CREATED", row);
  return context.service.settings.refunds === "instant" ? completeRefund(context, row) : row;
}

/** @throws ApiError `not_found`, also for the refund of another merchant or environment */
export async function readRefund(database: SandboxDatabase, refundId: string, owner?: Owner): Promise<RefundRow> {
  const row = await database
    .selectFrom("refunds")
    .selectAll()
    .where("refund_id", "=", refundId.toLowerCase())
    .executeTakeFirst();
  if (row === undefined || (owner !== undefined && !belongsTo(row, owner))) throw notFound("Refund");
  return row;
}

async function pendingAmount(database: SandboxDatabase, { transaction_id }: TransactionRow): Promise<number> {
  const { pending } = await database
    .selectFrom("refunds")
    .select((builder) => builder.fn.coalesce(builder.fn.sum<number>("amount"), builder.val(0)).as("pending"))
    .where("transaction_id", "=", transaction_id)
    .where("status", "=", "pending")
    .executeTakeFirstOrThrow();
  return pending;
}

/** What open and lost disputes hold. A dispute without an outcome is not won, and one whose amount cannot be compared holds everything. */
async function disputedAmount(
  database: SandboxDatabase,
  { transaction_id, gross_amount, currency_code }: TransactionRow,
): Promise<number> {
  const disputes = await database
    .selectFrom("disputes")
    .select(["amount", "currency_code", "outcome"])
    .where("transaction_id", "=", transaction_id)
    .execute();
  return disputes
    .filter(({ outcome }) => outcome !== "won")
    .map((dispute) => (dispute.currency_code === currency_code ? (dispute.amount ?? gross_amount) : gross_amount))
    .reduce((sum, amount) => sum + amount, 0);
}

/** The metadata of the merchant, without the entries that the service added. */
function merchantMetadata({ metadata_json }: TransactionRow): Record<string, unknown> {
  const { checkout_session_id: _, integration_source: __, ...metadata } = JSON.parse(metadata_json);
  return metadata;
}
