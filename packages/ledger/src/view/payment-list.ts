import type { Environment, Payment, PaymentState } from "@tillkit/core";
import { PAYMENT_STATES, type Page, type PageRequest, type PaymentFilter } from "@tillkit/core/ledger";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { rowToPayment } from "../payments/payments.ts";
import { countByName } from "./count-by-name.ts";
import { environmentsOf } from "./environments.ts";
import { comesAfter, newestOf, toPage } from "./pagination.ts";
import { type Engine, hasUnindexedFilter, searchPayments, unindexedConditions } from "./payment-search.ts";

type PaymentRow = Selectable<LedgerSchema["tillkit_payments"]>;

type CountQuery = { readonly storeId?: string; readonly environment?: Environment; readonly atMost?: number };

export async function countPayments(session: Session, { atMost, ...query }: CountQuery) {
  if (atMost !== undefined) return await countUpTo(session, query, atMost);
  const { storeId, environment } = query;
  const { rows } = await sql<{ state: PaymentState; count: number }>`
    select state, count(*) as count from tillkit_payments
    where ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`}
      and environment in (${sql.join(environmentsOf(environment))}) group by state`.execute(session);
  return countByName(PAYMENT_STATES, rows, ({ state }) => state);
}

export async function listPayments(
  session: Session,
  engine: Engine,
  query: PaymentFilter & PageRequest,
): Promise<Page<Payment>> {
  const selective = selectiveCondition(query);
  if (selective === null && hasUnindexedFilter(query)) return await searchPayments(session, engine, query);
  const { storeId, environment, from, until, limit, after } = query;
  const conditions = sql.join(
    [
      ...unindexedConditions(query),
      storeId === undefined ? sql`true` : sql`store_id = ${storeId}`,
      from === undefined ? sql`true` : sql`created_at >= ${from}`,
      until === undefined ? sql`true` : sql`created_at < ${until}`,
      comesAfter(["created_at", "sequence"], after),
    ],
    sql` and `,
  );
  // One part for each range of an index, in which the newest payments come first.
  const partOf = (of: Environment, state: PaymentState) => sql`select * from tillkit_payments
    ${indexOfState(engine, storeId)} where environment = ${of} and state = ${state} and ${conditions}`;
  const states = query.states ?? PAYMENT_STATES;
  if (states.length === 0) return { rows: [], next: null };
  const parts =
    selective === null
      ? environmentsOf(environment).flatMap((of) => states.map((state) => partOf(of, state)))
      : [selectSelective(selective, states, conditions)];
  const newest = newestOf(parts, sql`created_at desc, sequence desc`, limit);
  const { rows } = await (newest as RawBuilder<PaymentRow>).execute(session);
  return toPage(rows, limit, { keyOf: ({ created_at, sequence }) => [created_at, sequence], itemOf: rowToPayment });
}

/** Without the hint SQLite may use the index of time for a state without payments, and read a million rows to find none. */
function indexOfState(engine: Engine, storeId: string | undefined): RawBuilder<unknown> {
  if (engine === "postgres") return sql``;
  return storeId === undefined ? sql`indexed by tillkit_payments_of_state` : sql`indexed by tillkit_payments_of_store`;
}

/** The condition on order or customer, whose columns have indexes and match few payments. Null: the query has no such filter. */
function selectiveCondition({ orderId, orderNumber, customerId }: PaymentFilter): RawBuilder<boolean> | null {
  const conditions: RawBuilder<boolean>[] = [];
  if (orderId !== undefined) conditions.push(sql`order_id = ${orderId}`);
  // A person who searches for a number may have typed an order's id.
  if (orderNumber !== undefined) conditions.push(sql`(order_number = ${orderNumber} or order_id = ${orderNumber})`);
  if (customerId !== undefined) conditions.push(sql`customer_id = ${customerId}`);
  return conditions.length === 0 ? null : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** `coalesce` hides the state from the planner, which would otherwise read all payments of a state instead of those of one order. */
function selectSelective(
  selective: RawBuilder<boolean>,
  states: readonly PaymentState[],
  conditions: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`select * from tillkit_payments
    where ${selective} and coalesce(state, '') in (${sql.join(states)}) and ${conditions}`;
}

async function countUpTo(session: Session, { storeId, environment }: Omit<CountQuery, "atMost">, atMost: number) {
  const ofStore = storeId === undefined ? sql`true` : sql`store_id = ${storeId}`;
  const environments = sql.join(environmentsOf(environment));
  const parts = PAYMENT_STATES.map(
    (state) => sql`select ${state} as state, count(*) as count from (select 1 from tillkit_payments
      where state = ${state} and environment in (${environments}) and ${ofStore} limit ${atMost}) as counted`,
  );
  const { rows } = await sql<{ state: PaymentState; count: number }>`
    ${sql.join(parts, sql` union all `)}`.execute(session);
  return countByName(PAYMENT_STATES, rows, ({ state }) => state);
}
