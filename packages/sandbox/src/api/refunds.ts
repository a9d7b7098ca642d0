import { refundRequestSchema } from "@tillkit/client/schemas";
import { previewFirst } from "../balances/confirmations.ts";
import { createRefund, readRefund, refundable, refundedAmount, refundJson } from "../refunds/refunds.ts";
import { staleRow } from "../service/stale-reads.ts";
import type { RefundRow } from "../storage/money-tables.ts";
import type { Rows } from "../storage/open-store.ts";
import { listedUntil, listFilter, listJson, orderOf, readPage, timeFilter } from "./list.ts";
import { type Call, type Operation, reading, writing } from "./operation.ts";
import { validated } from "./validated.ts";

/** POST /refunds */
export const createRefundOfTransaction: Operation = writing({
  validate: ({ body }) => validated(refundRequestSchema, body),
  async change({ caller }, request, change) {
    const transaction = await refundable(change.rows, caller, request);
    const preview = await previewFirst(change, {
      owner: caller,
      kind: "refund",
      preview: {
        transaction_id: transaction.transaction_id,
        amount: request.amount,
        currency_code: transaction.currency_code,
      },
      token: request.confirmation_token,
    });
    if (preview !== null) return preview;
    return { status: 201, body: recorded(await createRefund(change, caller, transaction, request)) };
  },
});

/** GET /refunds/{id} */
export const readRefundById: Operation = reading(async ({ service, caller, params }, rows) => {
  const row = await readRefund(rows, params.id ?? "", caller);
  return { status: 200, body: refundJson(staleRow(service, service.earlier.refunds, row.refund_id, row)) };
});

/** GET /refunds */
export const listRefunds: Operation = reading(async (call, rows) => {
  const { lists } = call.service.settings;
  const page = readPage(call.query, lists.shiftBy);
  const refunds = refundsOf(call, rows).where("created_at", "<=", listedUntil(call.service));
  const total = await refunds.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const found = await refunds.selectAll().orderBy(orderOf(lists)).limit(page.limit).offset(page.offset).execute();
  return { status: 200, body: listJson(found.map(refundJson), total.count, page) };
});

function refundsOf({ caller, query }: Call, rows: Rows) {
  const { organization, environment, delegation } = caller;
  const statuses = listFilter(query, "status");
  const start = timeFilter(query, "startDate");
  const end = timeFilter(query, "endDate");
  return rows
    .selectFrom("refunds")
    .where("organization_id", "=", organization.organization_id)
    .where("environment", "=", environment)
    .$if(delegation?.sees === "own", (of) => of.where("membership_id", "=", delegation?.membershipId ?? null))
    .$if(statuses !== null, (of) => of.where("status", "in", statuses as RefundRow["status"][]))
    .$if(start !== null, (of) => of.where("created_at", ">=", start))
    .$if(end !== null, (of) => of.where("created_at", "<=", end));
}

function recorded(refund: RefundRow): Record<string, unknown> {
  return {
    success: true,
    refund_id: refund.refund_id,
    transaction_id: refund.transaction_id,
    refunded_amount: refundedAmount(refund),
    status: refund.status,
    message: refund.status === "pending" ? "Refund requested." : "Refund recorded.",
  };
}
