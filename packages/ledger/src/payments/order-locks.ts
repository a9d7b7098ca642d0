import { limits, type OrderRef } from "@tillkit/core";
import type { Change } from "@tillkit/core/ledger";
import { sql } from "kysely";
import type { Session } from "../database/schema.ts";

type Lease = { readonly worker: string; readonly now: number; readonly until: number };

/** One atomic statement grants the lock to one caller. The row is never deleted while its store exists, so that its fence only grows. */
export async function lockOrder(session: Session, ref: OrderRef, lease: Lease): Promise<number | null> {
  const { rows } = await sql<{ fence: number }>`
    insert into tillkit_order_locks as lock (store_id, order_id, fence, worker, leased_until)
    values (${ref.storeId}, ${ref.orderId}, 1, ${lease.worker}, ${lease.until})
    on conflict (store_id, order_id) do update
      set fence = lock.fence + 1, worker = excluded.worker, leased_until = excluded.leased_until
      where lock.leased_until is null or lock.leased_until <= ${lease.now}
    returning fence`.execute(session);
  const [granted] = rows;
  if (granted === undefined) await shortenLease(session, ref, lease);
  return granted?.fence ?? null;
}

// A clock that was ahead gave a lease that ends too late. Another lease of the order may be longer than this one.
async function shortenLease(session: Session, { storeId, orderId }: OrderRef, { now, until }: Lease): Promise<void> {
  const latest = Math.max(until, now + limits.orderLeaseMs);
  await session
    .updateTable("tillkit_order_locks")
    .set({ leased_until: latest })
    .where("store_id", "=", storeId)
    .where("order_id", "=", orderId)
    .where("leased_until", ">", latest)
    .execute();
}

export async function unlockOrder(session: Session, ref: OrderRef, fence: number): Promise<void> {
  await updateLock(session, ref, fence).set({ leased_until: null }).execute();
}

export async function renewOrderLock(session: Session, ref: OrderRef, fence: number, until: number): Promise<boolean> {
  const { numUpdatedRows } = await updateLock(session, ref, fence)
    .set({ leased_until: until })
    .where("leased_until", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks the row until the transaction ends, so that no process can lock the order between this check and the commit. */
export async function holdsNewestFence(
  session: Session,
  { ref, value }: NonNullable<Change["fence"]>,
): Promise<boolean> {
  const { numUpdatedRows } = await updateLock(session, ref, value).set({ fence: value }).executeTakeFirst();
  return numUpdatedRows > 0n;
}

function updateLock(session: Session, ref: OrderRef, fence: number) {
  return session
    .updateTable("tillkit_order_locks")
    .where("store_id", "=", ref.storeId)
    .where("order_id", "=", ref.orderId)
    .where("fence", "=", fence);
}
