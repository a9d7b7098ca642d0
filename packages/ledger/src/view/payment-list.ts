import { type LedgerView, PAYMENT_STATES, type Page, type Payment, type PaymentState } from "@tillkit/core";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { rowToPayment } from "../payments/payment-row.ts";
import { countByName } from "./count-by-name.ts";
import { comesAfter, newestOf, toPage } from "./pagination.ts";

type PaymentRow = Selectable<LedgerSchema["tillkit_payments"]>;
type PaymentQuery = Parameters<LedgerView["listPayments"]>[0];

export async function countPayments(session: Session, { storeId }: { storeId?: string }) {
  const { rows } = await sql<{ state: PaymentState; count: number }>`
    select state, count(*) as count from tillkit_payments
    where ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`} group by state`.execute(session);
  return countByName(PAYMENT_STATES, rows, ({ state }) => state);
}

export async function listPayments(session: Session, query: PaymentQuery): Promise<Page<Payment>> {
  const { storeId, orderId, from, until, limit, after } = query;
  const conditions = sql.join(
    [
      storeId === undefined ? sql`true` : sql`store_id = ${storeId}`,
      from === undefined ? sql`true` : sql`created_at >= ${from}`,
      until === undefined ? sql`true` : sql`created_at < ${until}`,
      comesAfter(sql`created_at, sequence`, 2, after),
    ],
    sql` and `,
  );
  const states = query.states ?? PAYMENT_STATES;
  if (states.length === 0) return { rows: [], next: null };
  const parts =
    orderId === undefined
      ? states.map((state) => sql`select * from tillkit_payments where state = ${state} and ${conditions}`)
      : [selectByOrderId(orderId, states, conditions)];
  const newest = newestOf(parts, sql`created_at desc, sequence desc`, limit);
  const { rows } = await (newest as RawBuilder<PaymentRow>).execute(session);
  return toPage(rows, limit, { keyOf: ({ created_at, sequence }) => [created_at, sequence], itemOf: rowToPayment });
}

/** `coalesce` hides the state from the planner, which would otherwise read all payments of a state instead of those of one order. */
function selectByOrderId(
  orderId: string,
  states: readonly PaymentState[],
  conditions: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`select * from tillkit_payments
    where order_id = ${orderId} and coalesce(state, '') in (${sql.join(states)}) and ${conditions}`;
}
