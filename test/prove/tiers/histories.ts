import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { startPostgres } from "../../postgres/start-postgres.ts";
import { checkHistory } from "../histories/check-history.ts";
import type { CallPlan } from "../histories/observed-call.ts";
import { startWorkers, type Workers } from "../histories/workers.ts";
import { type Outcome, repeatCommand, type Slice, type Tier, type Violation } from "../tier.ts";

const PROCESSES = 3;
const CALLS = 24;
const HOUR = 3_600_000;

/** Even cases run on a SQLite file, odd cases on PostgreSQL, or on PGlite if the machine has no PostgreSQL server. */
export const histories: Tier = {
  id: "T6",
  title: "processes that share a ledger see one order of events, and no lease, job or payment is given to two of them",
  cases: 4_000,
  quick: 30,
  slice: 200,
  exclusive: false,
  run,
};

async function run({ seed, from, to }: Slice): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-histories-"));
  const postgres = await startPostgres();
  const urls = [`sqlite:${join(folder, "ledger.db")}`, postgres.url];
  const ledgers = await Promise.all(urls.map((url) => openLedger(url)));
  const workers = await startWorkers(PROCESSES, urls);
  const names = ["on SQLite", postgres.isServer ? "on PostgreSQL" : "on PGlite"];
  const figures: Record<string, number> = {};
  const violations: Violation[] = [];
  try {
    for (let number = from; number < to; number += 1) {
      const ledgerIndex = number % 2;
      for (const why of await checkOneHistory(ledgers[ledgerIndex], workers, { seed, number, ledgerIndex })) {
        violations.push({
          case: number,
          why: `${names[ledgerIndex]}: ${why}`,
          again: repeatCommand("T6", seed, number),
        });
      }
      figures[names[ledgerIndex] ?? ""] = (figures[names[ledgerIndex] ?? ""] ?? 0) + 1;
    }
    return { cases: to - from, violations, figures };
  } finally {
    await workers.close();
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type CaseOptions = { readonly seed: number; readonly number: number; readonly ledgerIndex: number };

async function checkOneHistory(
  ledger: Ledger | undefined,
  workers: Workers,
  { seed, number, ledgerIndex }: CaseOptions,
): Promise<readonly string[]> {
  if (!ledger) throw new Error(`There is no ledger ${ledgerIndex}.`);
  const startsAt = Date.UTC(2026, 0, 6) + number * 10 * HOUR;
  const plans = Array.from({ length: PROCESSES }, (_, index): CallPlan => {
    const callSeed = ((seed * 1_000_003 + number) * PROCESSES + index) % 2_000_000_000;
    const marksFrom = index * 1_000;
    return {
      worker: `worker ${index}`,
      marksFrom,
      seed: callSeed,
      calls: CALLS,
      name: `history ${number}`,
      startsAt,
      orders: 2,
    };
  });
  return await checkHistory(ledger, await workers.run(ledgerIndex, plans), startsAt);
}
