import type { Archived, ArchiveRequest, LedgerArchive } from "@tillkit/core/ledger";
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
      const removed = await database.transaction((session) => removeArchived(session, histories, request));
      await database.truncateLog?.();
      return { ...removed, next };
    },
  };
}

/** A payment keeps its whole history while one of its entries or deliveries is younger than `before`. */
async function archivableHistories(
  session: Session,
  { paymentIds, deliveries }: Candidates,
  before: number,
): Promise<readonly HistoryRows[]> {
  const unfinished = new Set(await findUnfinished(session, paymentIds));
  const finalIds = paymentIds.filter((id) => !unfinished.has(id));
  const histories = await readHistories(session, finalIds);
  const old = histories.filter(
    (history) =>
      history.timeline.every(({ at }) => at < before) &&
      history.deliveries.every(({ received_at }) => received_at < before),
  );
  return deliveries.length === 0 ? old : [...old, { payment: null, paymentId: null, timeline: [], deliveries }];
}

async function findUnfinished(session: Session, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  return await findPaymentIds(session, sql`payment.id in (${sql.join(ids)}) and not (${IS_FINAL})`);
}

/**
 * Removes only rows that were written to the archive. A payment that is no longer final keeps its rows, entries that another process
 * added meanwhile stay, and rows that another archive has removed already are not counted.
 */
async function removeArchived(
  session: Session,
  histories: readonly HistoryRows[],
  { before, at, name }: ArchiveRequest,
): Promise<Omit<Archived, "next">> {
  const ids = histories.map(({ paymentId }) => paymentId).filter((id) => id !== null);
  const unfinished = new Set<string | null>(await findUnfinished(session, ids));
  const finalHistories = histories.filter(({ paymentId }) => !unfinished.has(paymentId));
  const paymentsOfEntries = await removeEntries(session, finalHistories, before);
  const deliveries = await removeDeliveries(session, finalHistories, before);
  const removed = new Set(paymentsOfEntries);
  const archived = finalHistories.filter(({ paymentId, payment }) => payment !== null && removed.has(paymentId));
  const entries = archived.map(
    ({ paymentId }) => ({ paymentId, at, actor: "operator", kind: "archived", name }) as const,
  );
  if (entries.length > 0) await appendTimeline(session, entries);
  return { payments: archived.length, deliveries, timelineEntries: paymentsOfEntries.length };
}

/**
 * Returns the payment id of each removed entry. SQLite reuses the sequence number of a removed last entry for a new entry. If another
 * archive has removed ours and such a new entry has its number, the condition on `at` keeps the new entry.
 */
async function removeEntries(session: Session, histories: readonly HistoryRows[], before: number) {
  const removed: (string | null)[] = [];
  const sequences = histories.flatMap(({ timeline }) => timeline.map(({ sequence }) => sequence));
  for (const part of splitForStatements(sequences)) {
    const deletion = session.deleteFrom("tillkit_timeline").where("sequence", "in", part).where("at", "<", before);
    const rows = await deletion.returning("payment_id").execute();
    removed.push(...rows.map(({ payment_id }) => payment_id));
  }
  return removed;
}

/** The condition on `received_at` keeps a delivery that arrived again after another archive had removed it. */
async function removeDeliveries(session: Session, histories: readonly HistoryRows[], before: number): Promise<number> {
  const keys = histories.flatMap(({ deliveries }) =>
    deliveries.map(({ endpoint_id, digest }) => sql`(${endpoint_id}, ${digest})`),
  );
  let removed = 0;
  for (const part of splitForStatements(keys)) {
    const { numAffectedRows = 0n } = await sql`
      delete from tillkit_deliveries where (endpoint_id, digest) in (values ${sql.join(part)})
        and received_at < ${before}`.execute(session);
    removed += Number(numAffectedRows);
  }
  return removed;
}

/** A statement takes a limited number of values. */
const ROWS_PER_STATEMENT = 1_000;

function splitForStatements<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const count = Math.ceil(rows.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, index) =>
    rows.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT),
  );
}
