import { customerQuerySchema, customerRequestSchema, customerUpdateSchema } from "@tillkit/client/schemas";
import {
  createCustomer,
  customerJson,
  customersOf,
  readCustomer,
  updateCustomer,
} from "../customers/customer-records.ts";
import { limits } from "../limits.ts";
import { transactionJson } from "../payments/transactions.ts";
import type { Rows } from "../storage/open-store.ts";
import { listedUntil, listJson, orderOf, readPage } from "./list.ts";
import { type Call, type Operation, reading, writing } from "./operation.ts";
import { validated } from "./validated.ts";

/** POST /customers */
export const createCustomerRecord: Operation = writing({
  validate: ({ body }) => validated(customerRequestSchema, body),
  change: async ({ caller }, request, change) => ({
    status: 201,
    body: customerJson(await createCustomer(change, caller, request)),
  }),
});

/** PATCH /customers/{id} */
export const updateCustomerRecord: Operation = writing({
  validate: ({ body }) => validated(customerUpdateSchema, body ?? {}),
  async change({ caller, params }, update, change) {
    const customer = await readCustomer(change.rows, params.id ?? "", caller);
    return { status: 200, body: customerJson(await updateCustomer(change, customer, update)) };
  },
});

/** GET /customers/{id} */
export const readCustomerRecord: Operation = reading(async ({ caller, params }, rows) => ({
  status: 200,
  body: customerJson(await readCustomer(rows, params.id ?? "", caller)),
}));

/** GET /customers */
export const listCustomers: Operation = reading(async (call, rows) => {
  const { lists } = call.service.settings;
  const page = readPage(call.query, lists.shiftBy);
  const customers = found(call, rows).where("created_at", "<=", listedUntil(call.service));
  const total = await customers.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const rowsOfPage = await customers
    .selectAll()
    .orderBy(orderOf(lists))
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { status: 200, body: listJson(rowsOfPage.map(customerJson), total.count, page) };
});

/** GET /customers/{id}/transactions: a bare array, newest first */
export const listCustomerTransactions: Operation = reading(async ({ caller, params }, rows) => {
  const { customer_id } = await readCustomer(rows, params.id ?? "", caller);
  const { delegation } = caller;
  const transactions = await rows
    .selectFrom("transactions")
    .selectAll()
    .where("customer_id", "=", customer_id)
    .$if(delegation?.sees === "own", (of) => of.where("membership_id", "=", delegation?.membershipId ?? null))
    .orderBy("seq", "desc")
    .limit(limits.arrayLength)
    .execute();
  return { status: 200, body: transactions.map(transactionJson) };
});

function found({ caller, query }: Call, rows: Rows) {
  const given = Object.fromEntries([...query].filter(([name]) => name !== "limit" && name !== "cursor"));
  const { search = "", type = "all", status = "all" } = validated(customerQuerySchema, given);
  return customersOf(rows, caller)
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
