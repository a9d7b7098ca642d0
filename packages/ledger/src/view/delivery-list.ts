import {
  DELIVERY_OUTCOMES,
  type DeliveryOutcome,
  type LedgerView,
  type Page,
  type StoredDelivery,
} from "@tillkit/core";
import { type RawBuilder, sql } from "kysely";
import type { Session } from "../database/schema.ts";
import { countByName } from "./count-by-name.ts";
import { comesAfter, newestOf, toPage } from "./pagination.ts";

type DeliveryRow = {
  endpoint_id: string;
  digest: string;
  received_at: number;
  byte_length: number;
  outcome: DeliveryOutcome | null;
  payment_id: string | null;
};
type DeliveryQuery = Parameters<LedgerView["listDeliveries"]>[0];

const OUTCOMES = [...DELIVERY_OUTCOMES, "waiting"] as const;

export async function countDeliveries(session: Session) {
  const { rows } = await sql<{ outcome: DeliveryOutcome | null; count: number }>`
    select outcome, count(*) as count from tillkit_deliveries group by outcome`.execute(session);
  return countByName(OUTCOMES, rows, ({ outcome }) => outcome ?? "waiting");
}

export async function listDeliveries(session: Session, query: DeliveryQuery): Promise<Page<StoredDelivery>> {
  const { paymentId, limit, after } = query;
  const outcomes = query.outcome === undefined ? OUTCOMES : [query.outcome];
  const parts = outcomes.map(
    (outcome) => sql`
      select endpoint_id, digest, received_at, octet_length(body) as byte_length, outcome, payment_id
      from tillkit_deliveries
      where ${outcome === "waiting" ? sql`outcome is null` : sql`outcome = ${outcome}`}
        and ${paymentId === undefined ? sql`true` : sql`payment_id = ${paymentId}`}
        and ${comesAfter(sql`received_at, endpoint_id, digest`, 3, after)}`,
  );
  const newest = newestOf(parts, sql`received_at desc, endpoint_id desc, digest desc`, limit);
  const { rows } = await (newest as RawBuilder<DeliveryRow>).execute(session);
  return toPage(rows, limit, {
    keyOf: ({ received_at, endpoint_id, digest }) => [received_at, endpoint_id, digest],
    itemOf: (row) => ({
      endpointId: row.endpoint_id,
      digest: row.digest,
      receivedAt: row.received_at,
      byteLength: row.byte_length,
      outcome: row.outcome,
      paymentId: row.payment_id,
    }),
  });
}
