import { limits } from "@tillkit/core";
import type { PaymentStatistics, StatisticsQuery } from "@tillkit/core/ledger";
import { sql } from "kysely";
import type { Session } from "../database/schema.ts";
import { environmentsOf } from "./environments.ts";
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

async function orderDelays(
  session: Session,
  { bars, until, storeId, environment }: StatisticsQuery,
): Promise<readonly number[]> {
  const { rows } = await sql<{ delay: number | null }>`
    select recorded_at - succeeded_at as delay from tillkit_payments
    where state = 'recorded' and environment in (${sql.join(environmentsOf(environment))}) and created_at >= ${bars[0] ?? until} and created_at < ${until}
      and ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`}
    order by created_at desc, sequence desc limit ${limits.measuredPayments}`.execute(session);
  return knownDelays(rows);
}

// The webhooks of the other environment among the newest ones are left out, so that no more than these are ever read.
async function webhookDelays(
  session: Session,
  { bars, until, environment }: StatisticsQuery,
): Promise<readonly number[]> {
  const newest = sql`select received_at - event_at as delay, payment_id from tillkit_deliveries
    where outcome = 'processed' and received_at >= ${bars[0] ?? until} and received_at < ${until}
    order by received_at desc limit ${limits.measuredPayments}`;
  const isOfEnvironment = sql`exists (select 1 from tillkit_payments payment
    where payment.id = newest.payment_id and payment.environment = ${environment})`;
  const { rows } = await sql<{ delay: number | null }>`select delay from (${newest}) as newest
    where ${environment === undefined ? sql`true` : isOfEnvironment}`.execute(session);
  return knownDelays(rows);
}

/** A difference is negative when the service's clock is ahead; such a delay counts as 0. */
function knownDelays(rows: readonly { readonly delay: number | null }[]): readonly number[] {
  return rows.flatMap(({ delay }) => (delay === null ? [] : [Math.max(0, delay)]));
}
