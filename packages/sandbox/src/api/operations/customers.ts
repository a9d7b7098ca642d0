import { customerQuerySchema, customerRequestSchema, customerUpdateSchema } from "@tillkit/client/schemas";
import { createCustomer, updateCustomer } from "../../customers/customers.ts";
import { customerJson, customersVisibleTo, readCustomer } from "../../customers/read-customers.ts";
import { limits } from "../../domain/limits.ts";
import { listJson, readPage } from "../../http/pagination.ts";
import { readQuery } from "../../http/read-query.ts";
import { validate } from "../../http/validate.ts";
import { transactionJson } from "../../payments/transaction-json.ts";
import type { SandboxDatabase } from "../../storage/open-store.ts";
import { rowOrder, visibleUntil } from "./list-options.ts";
import { linkedJson, type Operation, type OperationCall, readOperation, writeOperation } from "./operation.ts";

/** POST /customers */
export const postCustomer: Operation = writeOperation({
  validate: ({ body }) => validate(customerRequestSchema, body),
  perform: async ({ caller }, request, context) => ({
    status: 201,
    body: customerJson(await createCustomer(context, caller, request)),
  }),
});

/** PATCH /customers/{id} */
export const patchCustomer: Operation = writeOperation({
  validate: ({ body }) => validate(customerUpdateSchema, body === undefined ? {} : body),
  async perform({ caller, params }, update, context) {
    const customer = await readCustomer(context.database, params.id ?? "", caller);
    return { status: 200, body: customerJson(await updateCustomer(context, customer, update)) };
  },
});

/** GET /customers/{id} */
export const getCustomer: Operation = readOperation(async ({ caller, params }, database) => ({
  status: 200,
  body: customerJson(await readCustomer(database, params.id ?? "", caller)),
}));

/** GET /customers */
export const listCustomers: Operation = readOperation(async (call, database) => {
  const { lists } = call.service.settings;
  const page = readPage(call.query, lists.shiftBy);
  const customers = matchingCustomers(call, database).where("created_at", "<=", visibleUntil(call.service));
  const total = await customers
    .select((builder) => builder.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const rowsOfPage = await customers
    .selectAll()
    .orderBy(rowOrder(lists))
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { status: 200, body: listJson(rowsOfPage.map(customerJson), total.count, page) };
});

/** GET /customers/{id}/transactions: a bare array, newest first */
export const listCustomerTransactions: Operation = readOperation(async ({ service, caller, params }, database) => {
  const { customer_id } = await readCustomer(database, params.id ?? "", caller);
  const { delegation } = caller;
  const transactions = await database
    .selectFrom("transactions")
    .selectAll()
    .where("customer_id", "=", customer_id)
    .$if(delegation?.visibility === "own", (builder) =>
      builder.where("membership_id", "=", delegation?.membershipId ?? null),
    )
    .orderBy("seq", "desc")
    .limit(limits.arrayLength)
    .execute();
  return { status: 200, body: transactions.map((row) => linkedJson(service, transactionJson(row))) };
});

function matchingCustomers({ caller, query }: OperationCall, database: SandboxDatabase) {
  const { search = "", type = "all", status = "all" } = readQuery(customerQuerySchema, query);
  return customersVisibleTo(database, caller)
    .$if(search !== "", (builder) =>
      builder.where((eb) => eb(eb.fn("instr", ["search_text", eb.val(search.toLowerCase())]), ">", 0)),
    )
    .$if(type === "business", (builder) => builder.where("is_business", "=", 1))
    .$if(type === "individual", (builder) => builder.where((eb) => eb.fn.coalesce("is_business", eb.val(0)), "=", 0))
    .$if(status !== "all", (builder) =>
      builder.where((eb) => {
        const transactions = eb
          .selectFrom("transactions")
          .select("transactions.seq")
          .whereRef("transactions.customer_id", "=", "customers.customer_id");
        // A customer is active after its first transaction.
        return status === "active" ? eb.exists(transactions) : eb.not(eb.exists(transactions));
      }),
    );
}
