import { refundQuerySchema, refundRequestSchema } from "@tillkit/client/schemas";
import { previewUnlessConfirmed } from "../../balances/confirmations.ts";
import { listJson, readPage } from "../../http/pagination.ts";
import { readQuery } from "../../http/read-query.ts";
import { validate } from "../../http/validate.ts";
import { refundedAmount, refundJson } from "../../reversals/refund-events.ts";
import { createRefund, readRefund, readRefundableTransaction } from "../../reversals/refunds.ts";
import { staleRow } from "../../runtime/stale-reads.ts";
import type { RefundRow } from "../../storage/money-tables.ts";
import type { SandboxDatabase } from "../../storage/open-store.ts";
import { listFilter, rowOrder, timeFilter, visibleUntil } from "./list-options.ts";
import {
  linkedJson,
  type Operation,
  type OperationCall,
  previewResult,
  readOperation,
  writeOperation,
} from "./operation.ts";

/** POST /refunds */
export const postRefund: Operation = writeOperation({
  validate: ({ body }) => validate(refundRequestSchema, body),
  async perform({ caller }, request, context) {
    const transaction = await readRefundableTransaction(context, caller, request);
    const preview = await previewUnlessConfirmed(context, {
      owner: caller,
      kind: "refund",
      preview: {
        transaction_id: transaction.transaction_id,
        amount: request.amount,
        currency_code: transaction.currency_code,
      },
      token: request.confirmation_token,
    });
    if (preview !== null) return previewResult(preview);
    return { status: 201, body: createdRefundJson(await createRefund(context, caller, transaction, request)) };
  },
});

/** GET /refunds/{id} */
export const getRefund: Operation = readOperation(async ({ service, caller, params }, database) => {
  const row = await readRefund(database, params.id ?? "", caller);
  const visible = staleRow(service, service.rowHistory.refunds, row.refund_id, row);
  return { status: 200, body: linkedJson(service, refundJson(visible)) };
});

/** GET /refunds */
export const listRefunds: Operation = readOperation(async (call, database) => {
  const { lists } = call.service.settings;
  readQuery(refundQuerySchema, call.query);
  const page = readPage(call.query, lists.shiftBy);
  const refunds = matchingRefunds(call, database).where("created_at", "<=", visibleUntil(call.service));
  const total = await refunds.select((builder) => builder.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const found = await refunds.selectAll().orderBy(rowOrder(lists)).limit(page.limit).offset(page.offset).execute();
  const rows = found.map((row) => linkedJson(call.service, refundJson(row)));
  return { status: 200, body: listJson(rows, total.count, page) };
});

function matchingRefunds({ caller, query }: OperationCall, database: SandboxDatabase) {
  const { organization, environment, delegation } = caller;
  const statuses = listFilter(query, "status");
  const start = timeFilter(query, "startDate");
  const end = timeFilter(query, "endDate");
  return database
    .selectFrom("refunds")
    .where("organization_id", "=", organization.organization_id)
    .where("environment", "=", environment)
    .$if(delegation?.visibility === "own", (builder) =>
      builder.where("membership_id", "=", delegation?.membershipId ?? null),
    )
    .$if(statuses !== null, (builder) => builder.where("status", "in", statuses as RefundRow["status"][]))
    .$if(start !== null, (builder) => builder.where("created_at", ">=", start))
    .$if(end !== null, (builder) => builder.where("created_at", "<=", end));
}

function createdRefundJson(refund: RefundRow): Record<string, unknown> {
  return {
    success: true,
    refund_id: refund.refund_id,
    transaction_id: refund.transaction_id,
    refunded_amount: refundedAmount(refund),
    status: refund.status,
    message: refund.status === "pending" ? "Refund requested." : "Refund recorded.",
  };
}
