import { readTransaction, transactionJson } from "../payments/transactions.ts";
import { staleRow } from "../service/stale-reads.ts";
import type { Rows } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/tables.ts";
import { listedUntil, listFilter, listJson, orderOf, readPage, timeFilter } from "./list.ts";
import { type Call, type Operation, reading } from "./operation.ts";

/** GET /transactions/{id}: by UUID or by `txn_…` */
export const readTransactionById: Operation = reading(async ({ service, caller, params }, rows) => {
  const row = await readTransaction(rows, params.id ?? "", caller);
  return {
    status: 200,
    body: transactionJson(staleRow(service, service.earlier.transactions, row.transaction_id, row)),
  };
});

/** GET /transactions */
export const listTransactions: Operation = reading(async (call, rows) => {
  const { lists } = call.service.settings;
  const page = readPage(call.query, lists.shiftBy);
  const transactions = transactionsOf(call, rows).where("created_at", "<=", listedUntil(call.service));
  const total = await transactions.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const found = await transactions.selectAll().orderBy(orderOf(lists)).limit(page.limit).offset(page.offset).execute();
  return { status: 200, body: listJson(found.map(transactionJson), total.count, page) };
});

/** Filters that take several values, and the column each of them looks at. */
const columns = {
  status: "status",
  currency: "currency_code",
  provider: "provider_code",
  paymentMethod: "payment_method_code",
  checkoutSessionId: "session_id",
} as const satisfies Record<string, keyof TransactionRow>;

function transactionsOf({ caller, query }: Call, rows: Rows) {
  let found = rows
    .selectFrom("transactions")
    .where("organization_id", "=", caller.organization.organization_id)
    .where("environment", "=", caller.environment)
    .$if(caller.delegation?.sees === "own", (of) =>
      of.where("membership_id", "=", caller.delegation?.membershipId ?? null),
    );
  for (const [filter, column] of Object.entries(columns)) {
    const values = listFilter(query, filter);
    if (values !== null) found = found.where(column, "in", values);
  }
  const start = timeFilter(query, "startDate");
  const end = timeFilter(query, "endDate");
  if (start !== null) found = found.where("created_at", ">=", start);
  if (end !== null) found = found.where("created_at", "<=", end);
  return hasOnlyOthers(query) ? found.where("seq", "<", 0) : found;
}

/** Every transaction here is a payment and none was made at a point of sale: other wishes find nothing. */
function hasOnlyOthers(query: URLSearchParams): boolean {
  const types = listFilter(query, "type");
  return query.get("isPos") === "true" || (types !== null && !types.includes("payment"));
}
