import {
  DELIVERY_OUTCOMES,
  type DeliveryOutcome,
  type Dispute,
  type LedgerView,
  PAYMENT_STATES,
  type Page,
  type Payment,
  type PaymentState,
  type StoredDelivery,
  type StoredJob,
} from "@tillkit/core";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { disputeOfRow } from "./disputes.ts";
import { jobOfRow } from "./jobs.ts";
import { comesAfter, newestOf, pageOf } from "./pages.ts";
import { paymentOfRow } from "./payment-row.ts";
import type { LedgerSchema, Session } from "./schema.ts";

type PaymentRow = Selectable<LedgerSchema["tillkit_payments"]>;
type JobRow = Selectable<LedgerSchema["tillkit_jobs"]>;
type DisputeRow = Selectable<LedgerSchema["tillkit_disputes"]>;
type DeliveryRow = {
  endpoint_id: string;
  digest: string;
  received_at: number;
  bytes: number;
  outcome: DeliveryOutcome | null;
  payment_id: string | null;
};
type Wish<List extends keyof LedgerView> = Parameters<LedgerView[List]>[0];

export function createView(session: Session): LedgerView {
  return {
    countPayments: (want = {}) => countPayments(session, want),
    listPayments: (want) => listPayments(session, want),
    countJobs: (now) => countJobs(session, now),
    listJobs: (want) => listJobs(session, want),
    countDeliveries: () => countDeliveries(session),
    listDeliveries: (want) => listDeliveries(session, want),
    countDisputes: () => countDisputes(session),
    listDisputes: (want) => listDisputes(session, want),
  };
}

async function countPayments(session: Session, { storeId }: { storeId?: string }) {
  const { rows } = await sql<{ state: PaymentState; count: number }>`
    select state, count(*) as count from tillkit_payments
    where ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`} group by state`.execute(session);
  return tally(PAYMENT_STATES, rows, ({ state }) => state);
}

async function listPayments(session: Session, want: Wish<"listPayments">): Promise<Page<Payment>> {
  const { storeId, orderId, from, until, limit, after } = want;
  const all = sql.join(
    [
      storeId === undefined ? sql`true` : sql`store_id = ${storeId}`,
      from === undefined ? sql`true` : sql`created_at >= ${from}`,
      until === undefined ? sql`true` : sql`created_at < ${until}`,
      comesAfter(sql`created_at, seq`, 2, after),
    ],
    sql` and `,
  );
  const states = want.states ?? PAYMENT_STATES;
  if (states.length === 0) return { rows: [], next: null };
  const parts =
    orderId === undefined
      ? states.map((state) => sql`select * from tillkit_payments where state = ${state} and ${all}`)
      : [ofOrderId(orderId, states, all)];
  const newest = newestOf(parts, sql`created_at desc, seq desc`, limit);
  const { rows } = await (newest as RawBuilder<PaymentRow>).execute(session);
  return pageOf(rows, limit, { keyOf: ({ created_at, seq }) => [created_at, seq], itemOf: paymentOfRow });
}

/** Along the index of order ids: the state is hidden from the planner, who would rather read all payments of a state. */
function ofOrderId(orderId: string, states: readonly PaymentState[], all: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select * from tillkit_payments
    where order_id = ${orderId} and coalesce(state, '') in (${sql.join(states)}) and ${all}`;
}

async function countJobs(session: Session, now: number) {
  const { rows } = await sql<{ due: number; waiting: number; dead: number }>`select
    (select count(*) from tillkit_jobs where ready_at is not null and ready_at <= ${now}) as due,
    (select count(*) from tillkit_jobs where ready_at is not null and ready_at > ${now}) as waiting,
    (select count(*) from tillkit_jobs where ready_at is null) as dead`.execute(session);
  return rows[0] ?? { due: 0, waiting: 0, dead: 0 };
}

async function listJobs(session: Session, want: Wish<"listJobs">): Promise<Page<StoredJob>> {
  const { dead, tries, storeId, paymentId, limit, after } = want;
  const { rows } = await sql<JobRow>`select * from tillkit_jobs
    where ${dead === undefined ? sql`true` : dead ? sql`ready_at is null` : sql`ready_at is not null`}
      and ${tries === undefined ? sql`true` : sql`attempts >= ${tries}`}
      and ${storeId === undefined ? sql`true` : sql`store_id = ${storeId}`}
      and ${paymentId === undefined ? sql`true` : sql`payment_id = ${paymentId}`}
      and ${comesAfter(sql`id`, 1, after)}
    order by id desc limit ${limit + 1}`.execute(session);
  return pageOf(rows, limit, {
    keyOf: ({ id }) => [id],
    itemOf: (row) => ({ ...jobOfRow(row), readyAt: row.ready_at, error: row.error }),
  });
}

async function countDeliveries(session: Session) {
  const { rows } = await sql<{ outcome: DeliveryOutcome | null; count: number }>`
    select outcome, count(*) as count from tillkit_deliveries group by outcome`.execute(session);
  return tally([...DELIVERY_OUTCOMES, "waiting"], rows, ({ outcome }) => outcome ?? "waiting");
}

async function listDeliveries(session: Session, want: Wish<"listDeliveries">): Promise<Page<StoredDelivery>> {
  const { paymentId, limit, after } = want;
  const outcomes = want.outcome === undefined ? [...DELIVERY_OUTCOMES, "waiting" as const] : [want.outcome];
  const parts = outcomes.map(
    (outcome) => sql`
      select endpoint_id, digest, received_at, octet_length(body) as bytes, outcome, payment_id from tillkit_deliveries
      where ${outcome === "waiting" ? sql`outcome is null` : sql`outcome = ${outcome}`}
        and ${paymentId === undefined ? sql`true` : sql`payment_id = ${paymentId}`}
        and ${comesAfter(sql`received_at, endpoint_id, digest`, 3, after)}`,
  );
  const newest = newestOf(parts, sql`received_at desc, endpoint_id desc, digest desc`, limit);
  const { rows } = await (newest as RawBuilder<DeliveryRow>).execute(session);
  return pageOf(rows, limit, {
    keyOf: ({ received_at, endpoint_id, digest }) => [received_at, endpoint_id, digest],
    itemOf: ({ endpoint_id: endpointId, digest, received_at: receivedAt, bytes, outcome, payment_id: paymentId }) => {
      return { endpointId, digest, receivedAt, byteLength: bytes, outcome, paymentId };
    },
  });
}

async function countDisputes(session: Session) {
  const { rows } = await sql<{ is_open: 0 | 1; count: number }>`
    select is_open, count(*) as count from tillkit_disputes group by is_open`.execute(session);
  return tally(["open", "over"], rows, ({ is_open: isOpen }) => (isOpen === 1 ? "open" : "over"));
}

async function listDisputes(session: Session, want: Wish<"listDisputes">): Promise<Page<Dispute>> {
  const { open, dueBefore, limit, after } = want;
  const { rows } = await sql<DisputeRow>`select * from tillkit_disputes
    where ${open === undefined ? sql`true` : open ? sql`is_open = 1` : sql`is_open = 0`}
      and ${dueBefore === undefined ? sql`true` : sql`evidence_due_by < ${dueBefore}`}
      and ${comesAfter(sql`is_open, opened_at, seq`, 3, after)}
    order by is_open desc, opened_at desc, seq desc limit ${limit + 1}`.execute(session);
  return pageOf(rows, limit, {
    keyOf: ({ is_open, opened_at, seq }) => [is_open, opened_at, seq],
    itemOf: disputeOfRow,
  });
}

function tally<Name extends string, Row extends { readonly count: number }>(
  names: readonly Name[],
  rows: readonly Row[],
  nameOf: (row: Row) => Name,
): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const row of rows) counts[nameOf(row)] = row.count;
  return counts;
}
