import { type RawBuilder, sql } from "kysely";
import type { Session } from "../database/schema.ts";

/** A condition on the alias `payment`: no process will write this payment to its store, and no job will verify it again. Jobs of hosts do not count. */
export const IS_FINAL = sql<boolean>`payment.state in ('recorded', 'refunded', 'closed')
  and not exists (select 1 from tillkit_jobs job where job.payment_id = payment.id and job.unique_key is null)`;

/** `condition` is SQL on the alias `payment`. */
export async function findPaymentIds(session: Session, condition: RawBuilder<unknown>): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select payment.id from tillkit_payments payment where ${condition}`.execute(session);
  return rows.map(({ id }) => id);
}

/** Removes personal data. A process that read the payment earlier cannot write the data back, because its version is outdated. */
export async function redactPayments(session: Session, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const idList = sql.join(ids);
  await sql`
    update tillkit_payments set request = '', customer_id = null, version = version + 1,
      session_url = case when session_url is null then null else '' end
    where id in (${idList})`.execute(session);
  await sql`update tillkit_refunds set request = '' where payment_id in (${idList})`.execute(session);
}

export async function redactDeliveries(session: Session, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await session
    .updateTable("tillkit_deliveries")
    .set({ body: new Uint8Array() })
    .where("payment_id", "in", ids)
    .execute();
}
