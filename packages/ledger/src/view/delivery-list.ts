import {
  DELIVERY_OUTCOMES,
  type DeliveryOutcome,
  type LedgerView,
  type Page,
  type StoredDelivery,
} from "@tillkit/core/ledger";
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
  event: string | null;
  event_at: number | null;
  attempts: number;
};
type DeliveryQuery = Parameters<LedgerView["listDeliveries"]>[0];

const OUTCOMES = [...DELIVERY_OUTCOMES, "waiting"] as const;

export async function countDeliveries(session: Session, { atMost }: { atMost?: number } = {}) {
  if (atMost !== undefined) return await countUpTo(session, atMost);
  const { rows } = await sql<{ outcome: DeliveryOutcome | null; count: number }>`
    select outcome, count(*) as count from tillkit_deliveries group by outcome`.execute(session);
  return countByName(OUTCOMES, rows, ({ outcome }) => outcome ?? "waiting");
}

export async function listDeliveries(session: Session, query: DeliveryQuery): Promise<Page<StoredDelivery>> {
  const { paymentId, limit, after } = query;
  const outcomes = query.outcome === undefined ? OUTCOMES : [query.outcome];
  const parts = outcomes.map(
    (outcome) => sql`
      select endpoint_id, digest, received_at, octet_length(body) as byte_length, outcome, payment_id, event, event_at,
        attempts
      from tillkit_deliveries
      where ${isOutcome(outcome)}
        and ${paymentId === undefined ? sql`true` : sql`payment_id = ${paymentId}`}
        and ${comesAfter(["received_at", "endpoint_id", "digest"], after)}`,
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
      event: row.event,
      eventAt: row.event_at,
      attempts: row.attempts,
    }),
  });
}

async function countUpTo(session: Session, atMost: number) {
  const parts = OUTCOMES.map(
    (outcome) => sql`select ${outcome} as outcome, count(*) as count
      from (select 1 from tillkit_deliveries where ${isOutcome(outcome)} limit ${atMost}) as counted`,
  );
  const { rows } = await sql<{ outcome: (typeof OUTCOMES)[number]; count: number }>`
    ${sql.join(parts, sql` union all `)}`.execute(session);
  return countByName(OUTCOMES, rows, ({ outcome }) => outcome);
}

function isOutcome(outcome: (typeof OUTCOMES)[number]): RawBuilder<boolean> {
  return outcome === "waiting" ? sql`outcome is null` : sql`outcome = ${outcome}`;
}
