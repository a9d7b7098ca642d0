import { limits, type PaymentGroup, type PaymentStatistics, type StatisticsQuery } from "@tillkit/core";
import { sql } from "kysely";
import type { Session } from "../database/schema.ts";
import type { Engine } from "./payment-search.ts";

export async function paymentStatistics(
  session: Session,
  engine: Engine,
  query: StatisticsQuery,
): Promise<PaymentStatistics> {
  return {
    groups: await groupsOf(session, engine, query),
    orderDelaysMs: await orderDelays(session, query),
    webhookDelaysMs: await webhookDelays(session, query),
  };
}

// Reads only the index `tillkit_payments_by_time`, whose columns are all that the query needs.
async function groupsOf(session: Session, engine: Engine, query: StatisticsQuery): Promise<readonly PaymentGroup[]> {
  const { from, until, bucketMs, storeId } = query;
  const bucket = sql`(created_at - ${sql.lit(from)}) / ${sql.lit(bucketMs)}`;
  const { rows } = await sql<PaymentGroup>`
    select ${bucket} as bucket, environment, amount_due_currency as currency, state, method, count(*) as count,
      cast(sum(amount_due_minor) as ${engine === "postgres" ? sql`bigint` : sql`integer`}) as amount
    from tillkit_payments ${engine === "sqlite" ? sql`indexed by tillkit_payments_by_time` : sql``}
    where created_at >= ${from} and created_at < ${until}
      and ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`}
    group by 1, environment, amount_due_currency, state, method`.execute(session);
  return rows;
}

async function orderDelays(session: Session, { from, until, storeId }: StatisticsQuery): Promise<readonly number[]> {
  const { rows } = await sql<{ delay: number | null }>`
    select recorded_at - succeeded_at as delay from tillkit_payments
    where state = 'recorded' and created_at >= ${from} and created_at < ${until}
      and ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`}
    order by created_at desc, sequence desc limit ${limits.measuredPayments}`.execute(session);
  return notNegative(rows);
}

async function webhookDelays(session: Session, { from, until }: StatisticsQuery): Promise<readonly number[]> {
  const { rows } = await sql<{ delay: number | null }>`
    select received_at - event_at as delay from tillkit_deliveries
    where outcome = 'processed' and received_at >= ${from} and received_at < ${until}
    order by received_at desc limit ${limits.measuredPayments}`.execute(session);
  return notNegative(rows);
}

function notNegative(rows: readonly { readonly delay: number | null }[]): readonly number[] {
  return rows.flatMap(({ delay }) => (delay === null ? [] : [Math.max(0, delay)]));
}
