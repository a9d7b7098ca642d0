import { customerQuerySchema, customerRequestSchema, customerUpdateSchema } from "@tillkit/client/schemas";
import { createCustomer, updateCustomer } from "../../customers/customers.ts";
import { customerJson, customersVisibleTo, readCustomer } from "../../customers/read-customers.ts";
import { limits } from "../../domain/limits.ts";
import { listJson, readPage } from "../../http/pagination.ts";
import { validate } from "../../http/validate.ts";
import { transactionJson } from "../../payments/transaction-json.ts";
import type { Rows } from "../../storage/open-store.ts";
import { rowOrder, visibleUntil } from "./list-options.ts";
import { type Operation, type OperationCall, readOperation, writeOperation } from "./operation.ts";

/** POST /customers */
export const createCustomerRecord: Operation = writeOperation({
  validate: ({ body }) => validate(customerRequestSchema, body),
  change: async ({ caller }, request, context) => ({
    status: 201,
    body: customerJson(await createCustomer(context, caller, request)),
  }),
});

/** PATCH /customers/{id} */
export const updateCustomerRecord: Operation = writeOperation({
  validate: ({ body }) => validate(customerUpdateSchema, body ?? {}),
  async change({ caller, params }, update, context) {
    const customer = await readCustomer(context.rows, params.id ?? "", caller);
    return { status: 200, body: customerJson(await updateCustomer(context, customer, update)) };
  },
});

/** GET /customers/{id} */
export const readCustomerRecord: Operation = readOperation(async ({ caller, params }, rows) => ({
  status: 200,
  body: customerJson(await readCustomer(rows, params.id ?? "", caller)),
}));

/** GET /customers */
export const listCustomers: Operation = readOperation(async (call, rows) => {
  const { lists } = call.service.settings;
  const page = readPage(call.query, lists.shiftBy);
  const customers = matchingCustomers(call, rows).where("created_at", "<=", visibleUntil(call.service));
  const total = await customers.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const rowsOfPage = await customers
    .selectAll()
    .orderBy(rowOrder(lists))
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { status: 200, body: listJson(rowsOfPage.map(customerJson), total.count, page) };
});

/** GET /customers/{id}/transactions: a bare array, newest first */
export const listCustomerTransactions: Operation = readOperation(async ({ caller, params }, rows) => {
  const { customer_id } = await readCustomer(rows, params.id ?? "", caller);
  const { delegation } = caller;
  const transactions = await rows
    .selectFrom("transactions")
    .selectAll()
    .where("customer_id", "=", customer_id)
    .$if(delegation?.visibility === "own", (of) => of.where("membership_id", "=", delegation?.membershipId ?? null))
    .orderBy("seq", "desc")
    .limit(limits.arrayLength)
    .execute();
  return { status: 200, body: transactions.map(transactionJson) };
});

function matchingCustomers({ caller, query }: OperationCall, rows: Rows) {
  const given = Object.fromEntries([...query].filter(([name]) => name !== "limit" && name !== "cursor"));
  const { search = "", type = "all", status = "all" } = validate(customerQuerySchema, given);
  return customersVisibleTo(rows, caller)
    .$if(search !== "", (of) =>
      of.where((column) => column(column.fn("instr", ["search_text", column.val(search.toLowerCase())]), ">", 0)),
    )
    .$if(type === "business", (of) => of.where("is_business", "=", 1))
    .$if(type === "individual", (of) => of.where((column) => column.fn.coalesce("is_business", column.val(0)), "=", 0))
    .$if(status !== "all", (of) =>
      of.where((column) => {
        const transactions = column
          .selectFrom("transactions")
          .select("transactions.seq")
          .whereRef("transactions.customer_id", "=", "customers.customer_id");
        return status === "active" ? column.exists(transactions) : column.not(column.exists(transactions));
      }),
    );
}
