import type { Archived, ArchiveRequest, LedgerArchive } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { appendTimeline } from "../payments/timeline.ts";
import { type Candidates, FIRST_POSITION, findCandidates, type Position } from "./archive-candidates.ts";
import { findPaymentIds, IS_FINAL } from "./final-payments.ts";
import { type HistoryRows, readHistories, toPaymentHistory } from "./history-rows.ts";

const NOTHING = { payments: 0, deliveries: 0, timelineEntries: 0 };

export function createArchive(database: Database<LedgerSchema>): LedgerArchive {
  return {
    async archive(request) {
      const position = request.after === undefined ? FIRST_POSITION : (JSON.parse(request.after) as Position);
      const candidates = await findCandidates(database.db, position, request);
      const next = candidates.next && JSON.stringify(candidates.next);
      const histories = await archivableHistories(database.db, candidates, request.before);
      if (histories.length === 0) return { ...NOTHING, next };
      await request.write(histories.map(toPaymentHistory));
      return { ...(await database.transaction((session) => remove(session, histories, request))), next };
    },
  };
}

/** A payment of which anything is younger than `before` keeps its whole history. */
async function archivableHistories(
  session: Session,
  { paymentIds, deliveries }: Candidates,
  before: number,
): Promise<readonly HistoryRows[]> {
  const unfinished = new Set(await findUnfinished(session, paymentIds));
  const finalIds = paymentIds.filter((id) => !unfinished.has(id));
  const histories = await readHistories(session, finalIds);
  const old = histories.filter(
    ({ timeline, deliveries: own }) =>
      timeline.every(({ at }) => at < before) && own.every(({ received_at }) => received_at < before),
  );
  return deliveries.length === 0 ? old : [...old, { payment: null, paymentId: null, timeline: [], deliveries }];
}

async function findUnfinished(session: Session, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  return await findPaymentIds(session, sql`payment.id in (${sql.join(ids)}) and not (${IS_FINAL})`);
}

/**
 * Removes exactly the rows that were written, and none of a payment that has changed its mind meanwhile: an entry that another
 * process added since stays, and what another archive has removed already is not counted.
 */
async function remove(
  session: Session,
  histories: readonly HistoryRows[],
  { before, at, name }: ArchiveRequest,
): Promise<Omit<Archived, "next">> {
  const ids = histories.map(({ paymentId }) => paymentId).filter((id) => id !== null);
  const unfinished = new Set<string | null>(await findUnfinished(session, ids));
  const final = histories.filter(({ paymentId }) => !unfinished.has(paymentId));
  const entriesOf = await removeEntries(session, final, before);
  const deliveries = await removeDeliveries(session, final, before);
  const removed = new Set(entriesOf);
  const archived = final.filter(({ paymentId, payment }) => payment !== null && removed.has(paymentId));
  const entries = archived.map(
    ({ paymentId }) => ({ paymentId, at, actor: "operator", kind: "archived", detail: name }) as const,
  );
  if (entries.length > 0) await appendTimeline(session, entries);
  return { payments: archived.length, deliveries, timelineEntries: entriesOf.length };
}

/**
 * Returns the payment of each removed entry. SQLite gives the number of a removed last entry to the next one, which another archive
 * may have added since. It is younger than `before`.
 */
async function removeEntries(session: Session, histories: readonly HistoryRows[], before: number) {
  const removed: (string | null)[] = [];
  const sequences = histories.flatMap(({ timeline }) => timeline.map(({ sequence }) => sequence));
  for (const part of parts(sequences)) {
    const remove = session.deleteFrom("tillkit_timeline").where("sequence", "in", part).where("at", "<", before);
    const rows = await remove.returning("payment_id").execute();
    removed.push(...rows.map(({ payment_id }) => payment_id));
  }
  return removed;
}

/** A delivery that arrived again after another archive removed it is younger than `before`. */
async function removeDeliveries(session: Session, histories: readonly HistoryRows[], before: number): Promise<number> {
  const keys = histories.flatMap(({ deliveries }) =>
    deliveries.map(({ endpoint_id, digest }) => sql`(${endpoint_id}, ${digest})`),
  );
  let removed = 0;
  for (const part of parts(keys)) {
    const { numAffectedRows = 0n } = await sql`
      delete from tillkit_deliveries where (endpoint_id, digest) in (values ${sql.join(part)})
        and received_at < ${before}`.execute(session);
    removed += Number(numAffectedRows);
  }
  return removed;
}

/** A statement takes a limited number of values. */
const ROWS_PER_STATEMENT = 1_000;

function parts<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const count = Math.ceil(rows.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, index) =>
    rows.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT),
  );
}
