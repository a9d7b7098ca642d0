import { type RawBuilder, sql } from "kysely";
import type { Session } from "./schema.ts";

/** No store will be told of it any more, and nobody looks at it by itself. A condition on `payment`. */
export const IS_FINAL = sql<boolean>`payment.state in ('recorded', 'refunded', 'closed')
  and not exists (select 1 from tillkit_jobs job where job.payment_id = payment.id)`;

/** Of the payments that a condition on `payment` holds for. */
export async function idsOf(session: Session, condition: RawBuilder<unknown>): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select payment.id from tillkit_payments payment where ${condition}`.execute(session);
  return rows.map(({ id }) => id);
}

/** A new version, so that nobody who read it before brings back what is gone. */
export async function emptyPayments(session: Session, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const those = sql.join(ids);
  await sql`
    update tillkit_payments set request = '', continue_url = null, version = version + 1,
      session_url = case when session_url is null then null else '' end
    where id in (${those})`.execute(session);
  await sql`update tillkit_refunds set request = '' where payment_id in (${those})`.execute(session);
}

export async function emptyDeliveriesOf(session: Session, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await session
    .updateTable("tillkit_deliveries")
    .set({ body: new Uint8Array() })
    .where("payment_id", "in", ids)
    .execute();
}
