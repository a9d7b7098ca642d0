import type { OrderRef, TimelineEntry } from "@tillkit/core";
import type { Session } from "../database/schema.ts";

export async function appendTimeline(session: Session, entries: readonly TimelineEntry[]): Promise<void> {
  const rows = entries.map(({ paymentId, ...entry }) => ({ payment_id: paymentId, ...entry }));
  await session.insertInto("tillkit_timeline").values(rows).execute();
}

export async function readTimeline(
  session: Session,
  by: { paymentId: string } | { ref: OrderRef },
): Promise<readonly TimelineEntry[]> {
  const entries = session.selectFrom("tillkit_timeline").selectAll().orderBy("at").orderBy("sequence");
  const rows = await ("paymentId" in by
    ? entries.where("payment_id", "=", by.paymentId)
    : entries.where("payment_id", "in", (query) =>
        query
          .selectFrom("tillkit_payments")
          .select("id")
          .where("store_id", "=", by.ref.storeId)
          .where("order_id", "=", by.ref.orderId),
      )
  ).execute();
  return rows.map(({ payment_id: paymentId, at, actor, kind, detail }) => ({ paymentId, at, actor, kind, detail }));
}
