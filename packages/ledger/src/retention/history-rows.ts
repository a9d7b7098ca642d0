import type { ArchivedDelivery, PaymentHistory } from "@tillkit/core/ledger";
import { type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { type EntryRow, rowToEntry } from "../payments/timeline.ts";

export type DeliveryRow = Selectable<LedgerSchema["tillkit_deliveries"]>;

/** The rows of one payment's history. `paymentId` is null for webhooks without a payment; `payment` is null if the ledger lacks it. */
export type HistoryRows = {
  readonly paymentId: string | null;
  readonly payment: { readonly storeId: string; readonly orderId: string } | null;
  readonly timeline: readonly EntryRow[];
  readonly deliveries: readonly DeliveryRow[];
};

export async function readHistories(session: Session, ids: readonly string[]): Promise<readonly HistoryRows[]> {
  if (ids.length === 0) return [];
  const idList = sql.join(ids);
  const { rows: payments } = await sql<{ id: string; store_id: string; order_id: string }>`
    select id, store_id, order_id from tillkit_payments where id in (${idList})`.execute(session);
  const { rows: entries } = await sql<EntryRow>`
    select * from tillkit_timeline where payment_id in (${idList}) order by at, sequence`.execute(session);
  const { rows: deliveries } = await sql<DeliveryRow>`
    select * from tillkit_deliveries where payment_id in (${idList}) order by received_at, digest`.execute(session);
  const paymentOf = new Map(
    payments.map(({ id, store_id, order_id }) => [id, { storeId: store_id, orderId: order_id }]),
  );
  const entriesOf = byPayment(entries);
  const deliveriesOf = byPayment(deliveries);
  return ids.map((paymentId) => ({
    paymentId,
    payment: paymentOf.get(paymentId) ?? null,
    timeline: entriesOf.get(paymentId) ?? [],
    deliveries: deliveriesOf.get(paymentId) ?? [],
  }));
}

function byPayment<Row extends { payment_id: string | null }>(rows: readonly Row[]): Map<string | null, Row[]> {
  const groups = new Map<string | null, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.payment_id);
    if (group === undefined) groups.set(row.payment_id, [row]);
    else group.push(row);
  }
  return groups;
}

export function toPaymentHistory({ paymentId, payment, timeline, deliveries }: HistoryRows): PaymentHistory {
  return { paymentId, ref: payment, timeline: timeline.map(rowToEntry), deliveries: deliveries.map(toDelivery) };
}

// Only processed deliveries are archived, so that the two fallbacks only satisfy the types of the columns.
function toDelivery(row: DeliveryRow): ArchivedDelivery {
  return {
    endpointId: row.endpoint_id,
    digest: row.digest,
    receivedAt: row.received_at,
    outcome: row.outcome ?? "processed",
    processedAt: row.processed_at ?? row.received_at,
    body: new TextDecoder().decode(row.body),
    event: row.event,
    eventAt: row.event_at,
    attempts: row.attempts,
  };
}
