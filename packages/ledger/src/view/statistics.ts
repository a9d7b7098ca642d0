import { limits, type PaymentStatistics, type StatisticsQuery } from "@tillkit/core";
import { sql } from "kysely";
import type { Session } from "../database/schema.ts";
import { countPaymentGroups } from "./payment-groups.ts";
import type { Engine } from "./payment-search.ts";

export async function paymentStatistics(
  session: Session,
  engine: Engine,
  query: StatisticsQuery,
): Promise<PaymentStatistics> {
  return {
    groups: await countPaymentGroups(session, engine, query),
    orderDelaysMs: await orderDelays(session, query),
    webhookDelaysMs: await webhookDelays(session, query),
  };
}

async function orderDelays(session: Session, { bars, until, storeId }: StatisticsQuery): Promise<readonly number[]> {
  const { rows } = await sql<{ delay: number | null }>`
    select recorded_at - succeeded_at as delay from tillkit_payments
    where state = 'recorded' and created_at >= ${bars[0] ?? until} and created_at < ${until}
      and ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`}
    order by created_at desc, sequence desc limit ${limits.measuredPayments}`.execute(session);
  return knownDelays(rows);
}

async function webhookDelays(session: Session, { bars, until }: StatisticsQuery): Promise<readonly number[]> {
  const { rows } = await sql<{ delay: number | null }>`
    select received_at - event_at as delay from tillkit_deliveries
    where outcome = 'processed' and received_at >= ${bars[0] ?? until} and received_at < ${until}
    order by received_at desc limit ${limits.measuredPayments}`.execute(session);
  return knownDelays(rows);
}

/** A difference is negative when the service's clock is ahead; such a delay counts as 0. */
function knownDelays(rows: readonly { readonly delay: number | null }[]): readonly number[] {
  return rows.flatMap(({ delay }) => (delay === null ? [] : [Math.max(0, delay)]));
}
