import type { OrderRef, StoryLine } from "@tillkit/core";
import type { Session } from "./schema.ts";

export async function tell(session: Session, lines: readonly StoryLine[]): Promise<void> {
  const rows = lines.map(({ paymentId, at, who, what, detail }) => ({ payment_id: paymentId, at, who, what, detail }));
  await session.insertInto("tillkit_story").values(rows).execute();
}

export async function storyOf(
  session: Session,
  by: { paymentId: string } | { ref: OrderRef },
): Promise<readonly StoryLine[]> {
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
  return rows.map(({ payment_id: paymentId, at, who, what, detail }) => ({ paymentId, at, who, what, detail }));
}
