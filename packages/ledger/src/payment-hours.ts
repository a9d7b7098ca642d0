import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, type Log } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "./database/schema.ts";
import { writeSums } from "./view/payment-sums.ts";

type HourSum = Selectable<LedgerSchema["tillkit_payment_hours"]>;

/** The store id under which the sums of all stores together are kept. */
export const ALL_STORES = "";

/** Between small transactions, other processes can write payments. */
const CHANGES_PER_TRANSACTION = 1_000;
const PAYMENTS_PER_TRANSACTION = 200;
/** How long the filling of equations rests, in times of its work. */
const REST = 3;
/** A statement takes a limited number of values. */
const ROWS_PER_STATEMENT = 100;
const COMMITS_BETWEEN_SUMS = 256;
/** The advisory lock of the process that sums. The number is arbitrary and must never change. */
const ADVISORY_LOCK = 1_414_097_004;

/**
 * Returns a function to call after each commit of a payment. At the first call and at every 256th, the function starts to move the
 * changes that triggers stored into the sums by hour; no commit waits for this. A failure is logged and tried again after the next
 * 256 commits; until then the figures read the changes themselves, which is slower and equally right.
 */
export function createHourSums(database: Database<LedgerSchema>, log: Log): () => void {
  let commits = COMMITS_BETWEEN_SUMS - 1;
  let isRunning = false;
  return function countCommit() {
    commits += 1;
    if (commits < COMMITS_BETWEEN_SUMS || isRunning) return;
    commits = 0;
    isRunning = true;
    void fillSums(database)
      .then(() => sumAllChanges(database))
      .catch((error: unknown) => {
        const code = codeOf(error);
        // Another commit continues the sums after the next start.
        if (code !== "database_closed") log.warn("ledger.hours_not_summed", { code });
      })
      .finally(() => {
        isRunning = false;
      });
  };
}

/** Computes the equations of payments whose older version stored none. A million of them take minutes, in which shoppers pay. */
async function fillSums({ engine, transaction }: Database<LedgerSchema>): Promise<void> {
  const isLocked = engine === "postgres" ? sql`for update skip locked` : sql``;
  let filled: number;
  do {
    const startedAt = performance.now();
    filled = await transaction(async (session) => {
      const { rows } = await sql<{ id: string }>`select id from tillkit_payments where sum_currency is null
        order by sequence limit ${PAYMENTS_PER_TRANSACTION} ${isLocked}`.execute(session);
      await writeSums(
        session,
        rows.map(({ id }) => id),
      );
      return rows.length;
    });
    if (filled > 0) await sleep((performance.now() - startedAt) * REST, undefined, { ref: false });
  } while (filled > 0);
}

export async function sumAllChanges(database: Database<LedgerSchema>): Promise<void> {
  let moved: number;
  do moved = await sumChanges(database);
  while (moved === CHANGES_PER_TRANSACTION);
}

/** Moves the oldest changes to the sums and returns how many it moved. A change counts in exactly one of the two tables. */
async function sumChanges({ engine, transaction }: Database<LedgerSchema>): Promise<number> {
  return await transaction(async (session) => {
    if (engine === "postgres" && !(await takeSumLock(session))) return 0;
    const { rows } = await sql<HourSum>`delete from tillkit_payment_changes where sequence in (
        select sequence from tillkit_payment_changes order by sequence limit ${CHANGES_PER_TRANSACTION})
      returning hour, store_id, environment, currency, state, method, count,
        received, returned, leaving, disputed`.execute(session);
    const sums = sumByGroup(rows);
    for (let first = 0; first < sums.length; first += ROWS_PER_STATEMENT)
      await addToHours(session, sums.slice(first, first + ROWS_PER_STATEMENT));
    if (sums.length > 0) await session.deleteFrom("tillkit_payment_hours").where(sql<boolean>`count = 0`).execute();
    return rows.length;
  });
}

// One process sums at a time: two processes that add to the same rows in different orders would deadlock.
async function takeSumLock(session: Session): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${ADVISORY_LOCK}) as locked`.execute(session);
  return rows[0]?.locked === true;
}

function sumByGroup(changes: readonly HourSum[]): readonly HourSum[] {
  const sums = new Map<string, HourSum>();
  for (const change of changes) {
    for (const store_id of [change.store_id, ALL_STORES]) {
      const { hour, environment, currency, state, method } = change;
      const key = JSON.stringify([store_id, hour, environment, currency, state, method]);
      const sum = sums.get(key) ?? { ...change, store_id, ...NOTHING };
      const added = SUMS.map((name) => [name, sum[name] + change[name]]);
      sums.set(key, { ...sum, ...Object.fromEntries(added) });
    }
  }
  return [...sums.values()].filter((sum) => SUMS.some((name) => sum[name] !== 0));
}

async function addToHours(session: Session, sums: readonly HourSum[]): Promise<void> {
  const added = SUMS.map((name) => [
    name,
    sql<number>`tillkit_payment_hours.${sql.ref(name)} + excluded.${sql.ref(name)}`,
  ]);
  await session
    .insertInto("tillkit_payment_hours")
    .values([...sums])
    .onConflict((conflict) =>
      conflict
        .columns(["store_id", "hour", "environment", "currency", "state", "method"])
        .doUpdateSet(Object.fromEntries(added)),
    )
    .execute();
}

const SUMS = ["count", "received", "returned", "leaving", "disputed"] as const;
const NOTHING = { count: 0, received: 0, returned: 0, leaving: 0, disputed: 0 };
