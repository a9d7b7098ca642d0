import type { Payment } from "@tillkit/core";
import type { Page, PageRequest, PaymentFilter } from "@tillkit/core/ledger";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { rowToPayment } from "../payments/payments.ts";
import { comesAfter, pageKey, toPage } from "./pagination.ts";

export type Engine = "sqlite" | "postgres";

type PaymentRow = Selectable<LedgerSchema["tillkit_payments"]>;
type Query = PaymentFilter & PageRequest;

/** Rows of the index that one page reads at most: about 20 ms, however few of them match. */
const MAX_ROWS_READ = 50_000;

/** Whether the query filters by a column that no index of states begins with. */
export function hasUnindexedFilter({ method, currency, minAmount, maxAmount }: PaymentFilter): boolean {
  return [method, currency, minAmount, maxAmount].some((value) => value !== undefined);
}

/**
 * Reads the index `tillkit_payments_by_time` from the newest payment on and stops after `MAX_ROWS_READ` rows: the next page
 * continues there. Only the rows that match are read from the table.
 */
export async function searchPayments(session: Session, engine: Engine, query: Query): Promise<Page<Payment>> {
  const { storeId, states, limit } = query;
  const conditions = [...unindexedConditions(query)];
  if (storeId !== undefined) conditions.push(sql`store_id = ${storeId}`);
  // PostgreSQL has no `in ()`.
  if (states !== undefined) conditions.push(states.length === 0 ? sql`1 = 0` : sql`state in (${sql.join(states)})`);
  const found = await readIndex(session, engine, query, conditions);
  const matching = found.filter(({ is_match: isMatch }) => isMatch);
  const page = toPage(matching, limit, { keyOf, itemOf: ({ sequence }) => sequence });
  const last = found.at(-1);
  const behindLastRead = last?.position === MAX_ROWS_READ ? pageKey(keyOf(last)) : null;
  return { rows: await findPaymentsBySequence(session, page.rows), next: page.next ?? behindLastRead };
}

/** Conditions on the columns that have no index of their own; `tillkit_payments_by_time` holds them beside the time. */
export function unindexedConditions(query: PaymentFilter): readonly RawBuilder<boolean>[] {
  const { environment, method, currency, minAmount, maxAmount } = query;
  const conditions: RawBuilder<boolean>[] = [];
  if (environment !== undefined) conditions.push(sql<boolean>`environment = ${environment}`);
  if (method !== undefined) conditions.push(sql<boolean>`coalesce(method, '') = ${method}`);
  if (currency !== undefined) conditions.push(sql<boolean>`amount_due_currency = ${currency}`);
  if (minAmount !== undefined) conditions.push(sql<boolean>`amount_due_minor >= ${minAmount}`);
  if (maxAmount !== undefined) conditions.push(sql<boolean>`amount_due_minor <= ${maxAmount}`);
  return conditions;
}

// Returns the matching rows, up to one more than a page, and row number `MAX_ROWS_READ`, after which the next page continues.
async function readIndex(
  session: Session,
  engine: Engine,
  { from, until, limit, after }: Query,
  conditions: readonly RawBuilder<boolean>[],
): Promise<readonly IndexRow[]> {
  const { rows } = await sql<IndexRow>`
    select created_at, sequence, is_match, position from (
      select created_at, sequence, ${sql.join(conditions, sql` and `)} as is_match,
        row_number() over (order by created_at desc, sequence desc) as position
      from (select created_at, sequence, store_id, environment, state, amount_due_currency, amount_due_minor, method
        from tillkit_payments ${engine === "sqlite" ? sql`indexed by tillkit_payments_by_time` : sql``}
        where ${from === undefined ? sql`true` : sql`created_at >= ${from}`}
          and ${until === undefined ? sql`true` : sql`created_at < ${until}`}
          and ${comesAfter(["created_at", "sequence"], after)}
        order by created_at desc, sequence desc limit ${MAX_ROWS_READ}) as read_rows) as numbered
    where is_match or position = ${MAX_ROWS_READ}
    order by created_at desc, sequence desc limit ${limit + 1}`.execute(session);
  return rows;
}

function keyOf({ created_at, sequence }: IndexRow): readonly [number, number] {
  return [created_at, sequence];
}

type IndexRow = { created_at: number; sequence: number; is_match: boolean | 0 | 1; position: number };

async function findPaymentsBySequence(session: Session, sequences: readonly number[]): Promise<readonly Payment[]> {
  if (sequences.length === 0) return [];
  const { rows } = await sql<PaymentRow>`select * from tillkit_payments where sequence in (${sql.join(sequences)})
    order by created_at desc, sequence desc`.execute(session);
  return rows.map(rowToPayment);
}
