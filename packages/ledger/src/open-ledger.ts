import { type Ledger as CoreLedger, type Log, silentLog } from "@tillkit/core";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { spendCalls } from "./call-budgets.ts";
import { commitChange } from "./commit-change.ts";
import { createCredentials } from "./credentials/credentials.ts";
import { moveCredentials } from "./credentials/move-credentials.ts";
import { reencryptCredentials } from "./credentials/reencrypt-credentials.ts";
import type { LedgerSchema, Session } from "./database/schema.ts";
import { createDeliveryBatcher, findDelivery, findUnmatched, storeDeliveries } from "./deliveries/deliveries.ts";
import { createJobClaims } from "./jobs/claim-jobs.ts";
import { addsDueJobs, createJobNotifier } from "./jobs/job-notifier.ts";
import { findJobByKey, nextReadyAt, renewJobs } from "./jobs/jobs.ts";
import { HISTORY } from "./migrations/history.ts";
import { createHourSums } from "./payment-hours.ts";
import { findDisputes } from "./payments/disputes.ts";
import { lockOrder, renewOrderLock, unlockOrder } from "./payments/order-locks.ts";
import { findOpenPayments, findPayment, findPaymentsOfOrder } from "./payments/payments.ts";
import { findMarkHistory, findRefunds } from "./payments/refunds.ts";
import { readTimeline } from "./payments/timeline.ts";
import { findTransactions } from "./payments/transactions.ts";
import { createRecords } from "./records/records.ts";
import { createSecretCipher } from "./records/secret-cipher.ts";
import { createSecrets, reencryptSecrets } from "./records/secrets.ts";
import { createArchive } from "./retention/archive.ts";
import { createRetention } from "./retention/retention.ts";
import { createLedgerView } from "./view/ledger-view.ts";
import { createOperatorActs } from "./view/operator-acts.ts";

export type LedgerOptions = {
  /**
   * The keys that encrypt `secrets` and `credentials`: random texts of at least 32 characters, newest first. The first key encrypts,
   * every key decrypts, and `reencryptSecrets` moves all of both to the first key. Without keys everything but these two works.
   */
  readonly secretKeys?: readonly string[];
  /** PostgreSQL only: the schema of the tables, which is created when it is missing. The default is the connection's schema. */
  readonly schema?: string | undefined;
  /**
   * PostgreSQL only: the address at which new jobs of other processes are announced. Needed behind a pooler such as PgBouncer,
   * which accepts LISTEN but passes no notification on: name the address of the server itself. The default is the ledger's `url`.
   */
  readonly listenUrl?: string | undefined;
  /**
   * For programs that only look: the database itself refuses every write, and nothing is migrated. Tables of an older version are
   * refused with `database_older`. Members that write reject.
   */
  readonly readOnly?: boolean | undefined;
  /** Receives failures of work in the background: `ledger.hours_not_summed`, with its `code`, and `ledger.credentials_unreadable`. The default logs nothing. */
  readonly log?: Log;
};

/** The `Ledger` of `@tillkit/core` in a database. */
export type Ledger = CoreLedger & {
  /** Encrypts all secrets with the newest key and returns how many had an older key. Afterwards the older keys can be removed. */
  reencryptSecrets(): Promise<number>;
  /**
   * Rewrites the file, so that what an older version of Tillkit erased cannot be read in its free pages. Once is enough: since then erased
   * bytes are overwritten. Other processes cannot write meanwhile. SQLite only.
   */
  readonly vacuum?: () => Promise<void>;
};

/**
 * Opens the ledger at `sqlite:/path/to/file.db`, `sqlite::memory:` or `postgres://user:password@host/database` and migrates its
 * tables. The names of its tables start with `tillkit_`, so that they can share a database with a shop's own tables. Several
 * processes can open the same file, and processes of several machines can open the same PostgreSQL database.
 * @throws DatabaseError `database_url_invalid`, `engine_not_supported`, `database_not_opened`, `database_busy`, `database_newer`,
 * `database_older`; CheckoutError `configuration_invalid` for a secret key that is too short
 */
export async function openLedger(url: string, options: LedgerOptions = {}): Promise<Ledger> {
  const cipher = createSecretCipher(options.secretKeys ?? []);
  const log = options.log ?? silentLog;
  const database = await openDatabase<LedgerSchema>(url, options);
  try {
    await database.migrate(HISTORY);
    if (!options.readOnly) await moveCredentials(database, cipher, log);
  } catch (error) {
    await database.close();
    throw error;
  }
  const { db, transaction } = database;
  const notifier = createJobNotifier(database);
  const countCommit = createHourSums(database, log);
  const storeInBatches = createDeliveryBatcher((take) => storeDeliveries(database, take));
  return {
    find: (by) => findPayment(db, by),
    paymentsOfOrder: (ref) => findPaymentsOfOrder(db, ref),
    openPayments: (credentialId, limit) => findOpenPayments(db, credentialId, limit),
    transactions: (paymentId) => findTransactions(db, [paymentId]),
    refunds: (paymentId) => findRefunds(db, [paymentId]),
    disputes: (paymentId) => findDisputes(db, [paymentId]),
    markHistory: (credentialId) => findMarkHistory(db, credentialId),
    timeline: (by) => readTimeline(db, by),
    async commit(change) {
      const result = await commitChange(database, change);
      if (result === "done" && addsDueJobs(change)) notifier.notify();
      if (result === "done" && change.payment) countCommit();
      return result;
    },
    async receive(rows) {
      await storeInBatches(rows);
      if (rows.length > 0) notifier.notify();
    },
    delivery: (endpointId, digest) => findDelivery(db, endpointId, digest),
    unmatchedDeliveries: (transactionIds) => findUnmatched(db, transactionIds),
    claim: createJobClaims(database),
    renewJobs: (ids, worker, now, leaseMs) => transaction((session) => renewJobs(session, ids, worker, now + leaseMs)),
    nextDueAt: async (hostKinds) => {
      const times = [await nextReadyAt(db), hostKinds?.length ? await nextReadyAt(db, hostKinds) : null];
      return times.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first));
    },
    jobByKey: (storeId, uniqueKey) => findJobByKey(db, storeId, uniqueKey),
    lockOrder: (ref, worker, now, leaseMs) =>
      transaction((session) => lockOrder(session, ref, { worker, now, until: now + leaseMs })),
    unlockOrder: (ref, fence) => transaction((session) => unlockOrder(session, ref, fence)),
    renewOrder: (ref, fence, now, leaseMs) =>
      transaction((session) => renewOrderLock(session, ref, fence, now + leaseMs)),
    ...createLedgerView(db, database.engine),
    ...createOperatorActs(db),
    ...createRetention(database),
    ...createArchive(database),
    spend: (request) => spendCalls(database, request),
    credentials: createCredentials(database, cipher),
    records: createRecords(database),
    secrets: createSecrets(database, cipher),
    reencryptSecrets: async () =>
      (await reencryptCredentials(database, cipher)) + (await reencryptSecrets(database, cipher)),
    onNewJobs: (listener) => notifier.subscribe(listener),
    ...(database.engine === "postgres" ? { currentTime: () => postgresTime(db) } : {}),
    ...(database.vacuum ? { vacuum: database.vacuum } : {}),
    ...(database.condition ? { condition: database.condition } : {}),
    async close() {
      await notifier.close();
      await database.close();
    },
  };
}

async function postgresTime(db: Session): Promise<number> {
  const { rows } = await sql<{
    now: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("A select without a table returned no row.");
  return row.now;
}
