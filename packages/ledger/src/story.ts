import type { OrderRef, TimelineEntry } from "@tillkit/core";
import type { Session } from "./schema.ts";

export async function tell(session: Session, lines: readonly TimelineEntry[]): Promise<void> {
  const rows = lines.map(({ paymentId, at, actor, kind, detail }) => ({
    payment_id: paymentId,
    at,
    who: actor,
    what: kind,
    detail,
  }));
  await session.insertInto("tillkit_story").values(rows).execute();
}

export async function storyOf(
  session: Session,
  by: { paymentId: string } | { ref: OrderRef },
): Promise<readonly TimelineEntry[]> {
  const all = session.selectFrom("tillkit_story").selectAll().orderBy("at").orderBy("seq");
  const rows = await ("paymentId" in by
    ? all.where("payment_id", "=", by.paymentId)
    : all.where("payment_id", "in", (query) =>
        query
          .selectFrom("tillkit_payments")
          .select("id")
          .where("store_id", "=", by.ref.storeId)
          .where("order_id", "=", by.ref.orderId),
      )
  ).execute();
  return rows.map(({ payment_id: paymentId, at, who: actor, what: kind, detail }) => ({
    paymentId,
    at,
    actor,
    kind,
    detail,
  }));
}
