import { transactionQuerySchema } from "@tillkit/client/schemas";
import { listJson, readPage } from "../../http/pagination.ts";
import { readQuery } from "../../http/read-query.ts";
import { transactionJson } from "../../payments/transaction-json.ts";
import { readTransaction } from "../../payments/transactions.ts";
import { staleRow } from "../../runtime/stale-reads.ts";
import type { SandboxDatabase } from "../../storage/open-store.ts";
import type { TransactionRow } from "../../storage/payment-tables.ts";
import { listFilter, rowOrder, timeFilter, visibleUntil } from "./list-options.ts";
import { linkedJson, type Operation, type OperationCall, readOperation } from "./operation.ts";

/** GET /transactions/{id}: by UUID or by `txn_…` */
export const getTransaction: Operation = readOperation(async ({ service, caller, params }, database) => {
  const row = await readTransaction(database, params.id ?? "", caller);
  const visible = staleRow(service, service.rowHistory.transactions, row.transaction_id, row);
  return { status: 200, body: linkedJson(service, transactionJson(visible)) };
});

/** GET /transactions */
export const listTransactions: Operation = readOperation(async (call, database) => {
  const { lists } = call.service.settings;
  readQuery(transactionQuerySchema, call.query);
  const page = readPage(call.query, lists.shiftBy);
  const transactions = matchingTransactions(call, database).where("created_at", "<=", visibleUntil(call.service));
  const total = await transactions
    .select((builder) => builder.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const found = await transactions.selectAll().orderBy(rowOrder(lists)).limit(page.limit).offset(page.offset).execute();
  const rows = found.map((row) => linkedJson(call.service, transactionJson(row)));
  return { status: 200, body: listJson(rows, total.count, page) };
});

/** Filters that accept several values, and the column that each filter compares. */
const columns = {
  status: "status",
  currency: "currency_code",
  provider: "provider_code",
  paymentMethod: "payment_method_code",
  checkoutSessionId: "session_id",
} as const satisfies Record<string, keyof TransactionRow>;

function matchingTransactions({ caller, query }: OperationCall, database: SandboxDatabase) {
  let found = database
    .selectFrom("transactions")
    .where("organization_id", "=", caller.organization.organization_id)
    .where("environment", "=", caller.environment)
    .$if(caller.delegation?.visibility === "own", (builder) =>
      builder.where("membership_id", "=", caller.delegation?.membershipId ?? null),
    );
  for (const [filter, column] of Object.entries(columns)) {
    const values = listFilter(query, filter);
    if (values !== null) found = found.where(column, "in", values);
  }
  const start = timeFilter(query, "startDate");
  const end = timeFilter(query, "endDate");
  if (start !== null) found = found.where("created_at", ">=", start);
  if (end !== null) found = found.where("created_at", "<=", end);
  // No row has a negative `seq`.
  return excludesEveryPayment(query) ? found.where("seq", "<", 0) : found;
}

/** Every transaction of the sandbox is an online payment, so a filter for other types or for point of sale matches nothing. */
function excludesEveryPayment(query: URLSearchParams): boolean {
  const types = listFilter(query, "type");
  return query.get("isPos") === "true" || (types !== null && !types.includes("payment"));
}
