import type { Database } from "@tillkit/sql";
import { sql } from "kysely";

/** In milliseconds. */
export type Percentiles = { readonly median: number; readonly p99: number };

/** Runs `operation` on both ledgers in turns, so that load affects both equally. */
export async function compare<Ledger>(
  few: Ledger,
  many: Ledger,
  operation: (ledger: Ledger) => Promise<unknown>,
  { rounds = 20, perRound = 50 } = {},
): Promise<{ readonly few: Percentiles; readonly many: Percentiles }> {
  const [fewTimes, manyTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    await time(few, operation, perRound, fewTimes);
    await time(many, operation, perRound, manyTimes);
  }
  return { few: percentilesOf(fewTimes), many: percentilesOf(manyTimes) };
}

async function time<Ledger>(
  ledger: Ledger,
  operation: (ledger: Ledger) => Promise<unknown>,
  count: number,
  into: number[],
) {
  for (let done = 0; done < count; done += 1) {
    const start = performance.now();
    await operation(ledger);
    into.push(performance.now() - start);
  }
}

/** Runs `operation` again and again while `work` runs. */
export async function during<Result>(
  work: () => Promise<Result>,
  operation: () => Promise<unknown>,
): Promise<{ readonly result: Result; readonly seconds: number; readonly operation: Percentiles }> {
  const times: number[] = [];
  let isRunning = true;
  const repeat = async () => {
    while (isRunning) {
      await time(null, operation, 1, times);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const repeated = repeat();
  const start = performance.now();
  const result = await work();
  const seconds = (performance.now() - start) / 1_000;
  isRunning = false;
  await repeated;
  return { result, seconds, operation: percentilesOf(times) };
}

function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = [...times].sort((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99) };
}

export type Space = { readonly gigabytes: string; readonly deadRows: number; readonly wal: number };

/** The space of the two tables of the history, with their partitions and indexes, and the bytes of log written so far. */
export async function spaceOf({ db }: Database<object>): Promise<Space> {
  const { rows } = await sql<{ name: string; rows: number; indexes: number; dead: number }>`
    select case when relname like 'tillkit_deliveries%' then 'deliveries' else 'timeline' end as name,
      sum(pg_table_size(relid))::bigint as rows, sum(pg_indexes_size(relid))::bigint as indexes,
      sum(n_dead_tup)::bigint as dead
    from pg_stat_user_tables where relname like 'tillkit_deliveries%' or relname like 'tillkit_timeline%'
    group by 1 order by 1`.execute(db);
  const wal = await sql<{
    bytes: number;
  }>`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as bytes`.execute(db);
  return {
    gigabytes: rows.map((row) => `${row.name} ${gigabytes(row.rows)} + ${gigabytes(row.indexes)} indexes`).join(", "),
    deadRows: rows.reduce((sum, { dead }) => sum + dead, 0),
    wal: wal.rows[0]?.bytes ?? Number.NaN,
  };
}

export function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`;
}
