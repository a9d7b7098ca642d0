import type { OrderRef, TimelineEntry } from "@tillkit/core";
import { readEntry, toStoredEntry } from "@tillkit/core/ledger";
import type { Selectable } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";

export async function appendTimeline(session: Session, entries: readonly TimelineEntry[]): Promise<void> {
  const rows = entries.map(toStoredEntry).map(({ paymentId, ...entry }) => ({ payment_id: paymentId, ...entry }));
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
  return rows.map(rowToEntry);
}

export type EntryRow = Selectable<LedgerSchema["tillkit_timeline"]>;

export function rowToEntry({ payment_id: paymentId, ...entry }: EntryRow): TimelineEntry {
  return readEntry({ paymentId, ...entry });
}
