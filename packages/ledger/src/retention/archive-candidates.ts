import { DELIVERY_OUTCOMES } from "@tillkit/core/ledger";
import { sql } from "kysely";
import type { Session } from "../database/schema.ts";
import type { DeliveryRow } from "./history-rows.ts";

/**
 * The last row that the search has read. The search follows the timeline first, in the order of insertion, which is nearly the order
 * of time. Then it follows the deliveries, outcome by outcome, to find deliveries that no timeline leads to. Both orders have an index.
 */
export type Position =
  | { readonly sequence: number }
  | {
      /** An index of `DELIVERY_OUTCOMES`. */
      readonly outcome: number;
      readonly key: readonly [receivedAt: number, endpointId: string, digest: string];
    };

export const FIRST_POSITION: Position = { sequence: 0 };
const FIRST_KEY = [0, "", ""] as const;

/** What may be archived: payments, in the order of their oldest row, and deliveries of no payment. `next`: null at the end. */
export type Candidates = {
  readonly paymentIds: readonly string[];
  readonly deliveries: readonly DeliveryRow[];
  readonly next: Position | null;
};

type Search = { readonly before: number; readonly limit: number };

export async function findCandidates(session: Session, position: Position, search: Search): Promise<Candidates> {
  return "sequence" in position
    ? await followTimeline(session, position.sequence, search)
    : await followDeliveries(session, position, search);
}

/** An `archived` entry is the only entry that an archive leaves of a payment, so there is no history to archive again. */
async function followTimeline(session: Session, after: number, { before, limit }: Search): Promise<Candidates> {
  const { rows } = await sql<{ sequence: number; payment_id: string | null; at: number; kind: string }>`
    select sequence, payment_id, at, kind from tillkit_timeline where sequence > ${after}
    order by sequence limit ${limit}`.execute(session);
  const old = rows.filter(({ at }) => at < before);
  const ids = old.filter(({ kind }) => kind !== "archived").map(({ payment_id }) => payment_id);
  const last = rows.at(-1);
  // When all rows of a page are younger than `before`, the later rows are younger too.
  const isEnd = last === undefined || rows.length < limit || old.length === 0;
  return {
    paymentIds: distinct(ids),
    deliveries: [],
    next: isEnd ? { outcome: 0, key: FIRST_KEY } : { sequence: last.sequence },
  };
}

async function followDeliveries(
  session: Session,
  { outcome, key: [receivedAt, endpointId, digest] }: Extract<Position, { outcome: number }>,
  { before, limit }: Search,
): Promise<Candidates> {
  // The condition `received_at >=` is for the index, which has neither endpoint nor digest and cannot find a position by all three.
  const { rows } = await sql<DeliveryRow>`
    select * from tillkit_deliveries
    where outcome = ${DELIVERY_OUTCOMES[outcome]} and received_at >= ${receivedAt} and received_at < ${before}
      and (received_at, endpoint_id, digest) > (${receivedAt}, ${endpointId}, ${digest})
    order by received_at, endpoint_id, digest limit ${limit}`.execute(session);
  return {
    paymentIds: distinct(rows.map(({ payment_id }) => payment_id)),
    deliveries: rows.filter(({ payment_id, transaction_id }) => payment_id === null && transaction_id === null),
    next: positionAfter(outcome, rows, limit),
  };
}

function positionAfter(outcome: number, rows: readonly DeliveryRow[], limit: number): Position | null {
  const last = rows.at(-1);
  if (last !== undefined && rows.length === limit) {
    return { outcome, key: [last.received_at, last.endpoint_id, last.digest] };
  }
  return outcome + 1 < DELIVERY_OUTCOMES.length ? { outcome: outcome + 1, key: FIRST_KEY } : null;
}

function distinct(ids: readonly (string | null)[]): readonly string[] {
  return [...new Set(ids)].filter((id) => id !== null);
}
