import type { Change, OrderRef } from "@tillkit/core";
import { sql } from "kysely";
import type { Session } from "./schema.ts";

type Lease = { readonly worker: string; readonly now: number; readonly until: number };

/** One statement, so that of all who ask one gets it. The row stays for ever: its fence only grows. */
export async function lockOrder(session: Session, ref: OrderRef, lease: Lease): Promise<number | null> {
  const { rows } = await sql<{ fence: number }>`
    insert into tillkit_order_locks as lock (store_id, order_id, fence, worker, leased_until)
    values (${ref.storeId}, ${ref.orderId}, 1, ${lease.worker}, ${lease.until})
    on conflict (store_id, order_id) do update
      set fence = lock.fence + 1, worker = excluded.worker, leased_until = excluded.leased_until
      where lock.leased_until is null or lock.leased_until <= ${lease.now}
    returning fence`.execute(session);
  return rows[0]?.fence ?? null;
}

export async function unlockOrder(session: Session, ref: OrderRef, fence: number): Promise<void> {
  await lockUnder(session, ref, fence).set({ leased_until: null }).execute();
}

export async function renewOrder(session: Session, ref: OrderRef, fence: number, until: number): Promise<boolean> {
  const { numUpdatedRows } = await lockUnder(session, ref, fence)
    .set({ leased_until: until })
    .where("leased_until", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Keeps the row until the transaction ends: nobody locks the order between this answer and the commit. */
export async function holdsNewestFence(
  session: Session,
  { ref, value }: NonNullable<Change["fence"]>,
): Promise<boolean> {
  const { numUpdatedRows } = await lockUnder(session, ref, value).set({ fence: value }).executeTakeFirst();
  return numUpdatedRows > 0n;
}

function lockUnder(session: Session, ref: OrderRef, fence: number) {
  return session
    .updateTable("tillkit_order_locks")
    .where("store_id", "=", ref.storeId)
    .where("order_id", "=", ref.orderId)
    .where("fence", "=", fence);
}
