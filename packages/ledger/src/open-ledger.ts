import type { Ledger as CoreLedger } from "@tillkit/core";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { spend } from "./budgets.ts";
import { claimJobs } from "./claim.ts";
import { commitChange } from "./commit.ts";
import { findDelivery, keepDeliveries } from "./deliveries.ts";
import { disputesOf } from "./disputes.ts";
import { nextReadyAt, renewJobs } from "./jobs.ts";
import { HISTORY } from "./migrations/history.ts";
import { lockOrder, renewOrder, unlockOrder } from "./order-locks.ts";
import { findPayment, openPayments, siblingsOf } from "./payments.ts";
import { createReception } from "./reception.ts";
import { createRecords } from "./records.ts";
import { refundsOf } from "./refunds.ts";
import { createRetention } from "./retention.ts";
import type { LedgerSchema, Session } from "./schema.ts";
import { createSeal } from "./seal.ts";
import { createSecrets, resealSecrets } from "./secrets.ts";
import { storyOf } from "./story.ts";
import { createView } from "./view.ts";
import { addsWork, createWorkSignal } from "./work-signal.ts";

export type LedgerOptions = {
  /**
   * Seal `secrets`: random texts of at least 32 characters, newest first. The first seals, any opens; what is sealed under
   * an older one is sealed anew by `resealSecrets`. Without them everything but `secrets` works.
   */
  readonly secretKeys?: readonly string[];
  /** PostgreSQL only: the schema for all tables, made when it is missing. Beside a shop's own tables unless set. */
  readonly schema?: string | undefined;
};

/** Core's Ledger in a database. */
export type Ledger = CoreLedger & {
  /** Seals all secrets with the newest key and answers how many were not; after that older keys can go. */
  resealSecrets(): Promise<number>;
};

/**
 * Opens the ledger at `sqlite:/path/to/file.db`, `sqlite::memory:` or `postgres://user:password@host/database` and brings its
 * tables up to date. All of them begin with `tillkit_`, so a shop's own tables may live beside them. Several processes may open
 * the same file, and processes of several machines the same PostgreSQL.
 * @throws DatabaseError `database_url_invalid`, `engine_not_supported`, `database_not_opened`, `database_busy`, `database_newer`;
 * CheckoutError `configuration_invalid` for a secret key that is too short
 */
export async function openLedger(url: string, { secretKeys = [], schema }: LedgerOptions = {}): Promise<Ledger> {
  const seal = createSeal(secretKeys);
  const database = await openDatabase<LedgerSchema>(url, { schema });
  try {
    await database.migrate(HISTORY);
  } catch (error) {
    await database.close();
    throw error;
  }
  const { db, transaction } = database;
  const signal = createWorkSignal(database);
  const receive = createReception((take) => keepDeliveries(database, take));
  return {
    find: (by) => findPayment(db, by),
    siblings: (ref) => siblingsOf(db, ref),
    openPayments: (credentialId, limit) => openPayments(db, credentialId, limit),
    refunds: (paymentId) => refundsOf(db, paymentId),
    disputes: (paymentId) => disputesOf(db, paymentId),
    timeline: (by) => storyOf(db, by),
    async commit(change) {
      const answer = await commitChange(database, change);
      if (answer === "done" && addsWork(change)) signal.tell();
      return answer;
    },
    async receive(rows) {
      await receive(rows);
      if (rows.length > 0) signal.tell();
    },
    delivery: (endpointId, digest) => findDelivery(db, endpointId, digest),
    claim: (want) => claimJobs(database, want),
    renewJobs: (ids, worker, now, leaseMs) => transaction((session) => renewJobs(session, ids, worker, now + leaseMs)),
    nextDueAt: () => nextReadyAt(db),
    lockOrder: (ref, worker, now, leaseMs) =>
      transaction((session) => lockOrder(session, ref, { worker, now, until: now + leaseMs })),
    unlockOrder: (ref, fence) => transaction((session) => unlockOrder(session, ref, fence)),
    renewOrder: (ref, fence, now, leaseMs) => transaction((session) => renewOrder(session, ref, fence, now + leaseMs)),
    ...createView(db),
    ...createRetention(database),
    spend: (want) => spend(database, want),
    records: createRecords(database),
    secrets: createSecrets(database, seal),
    resealSecrets: () => resealSecrets(database, seal),
    onNewJobs: (hear) => signal.onWork(hear),
    ...(database.engine === "postgres" ? { currentTime: () => postgresTime(db) } : {}),
    async close() {
      await signal.close();
      await database.close();
    },
  };
}

async function postgresTime(db: Session): Promise<number> {
  const { rows } = await sql<{
    now: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
  return rows[0]?.now ?? Number.NaN;
}
