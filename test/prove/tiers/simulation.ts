import { openLedger } from "@tillkit/ledger";
import { runSimulation, type SimulationOptions, type SimulationResult } from "@tillkit/testkit/simulator";
import { type Outcome, repeatCommand, type Slice, type Tier, type Violation } from "../tier.ts";

const STORES = ["callback", "read-then-write", "write-only"] as const;
/** One case in 100 stores its ledger in SQLite, so that the simulation also covers the SQL statements. */
export const SQLITE_EVERY = 100;

/** T2: the production engine in one process and in virtual time. A seed decides every fault. */
export const simulation: Tier = {
  id: "T2",
  title: "hours of faults, crashes, late and double payments violate no invariant, whatever the seed",
  cases: 1_000_000,
  quick: 300,
  slice: 1_000,
  exclusive: false,
  bundled: true,
  run,
};

/** The options of one case. */
export function caseOf(seed: number, number: number): SimulationOptions {
  const store = STORES[number % STORES.length] ?? "read-then-write";
  const onSqlite = number % SQLITE_EVERY === SQLITE_EVERY - 1;
  return {
    // Every seed of a run has its own range of a million simulation seeds.
    seed: seed * 1_000_000 + number,
    store,
    ...(onSqlite ? { openLedger: () => openLedger("sqlite::memory:") } : {}),
  };
}

// Recording the stack of every simulated fault takes time. A case that runs alone, to be analysed, has its stacks.
async function run(slice: Slice): Promise<Outcome> {
  const { stackTraceLimit } = Error;
  if (slice.to - slice.from > 1) Error.stackTraceLimit = 0;
  try {
    return await runCases(slice);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function runCases({ seed, from, to }: Slice): Promise<Outcome> {
  const violations: Violation[] = [];
  const startedAt = performance.now();
  const figures = { payments: 0, deaths: 0, webhooks: 0 };
  for (let number = from; number < to; number += 1) {
    const result = await runCase(seed, number);
    figures.payments += result.evidence.payments.length;
    figures.deaths += result.deaths;
    figures.webhooks += result.evidence.webhooks.length;
    if (to - from === 1) printHistory(result);
    for (const { invariant, reason } of result.violations) {
      const again = repeatCommand("T2", seed, number);
      violations.push({ case: number, why: `${invariant}: ${reason}`, again });
    }
  }
  const msPerCase = (performance.now() - startedAt) / (to - from);
  return { cases: to - from, violations, figures: { ...figures, "slowest slice, a case ms": msPerCase } };
}

async function runCase(seed: number, number: number): Promise<SimulationResult> {
  try {
    return await runSimulation(caseOf(seed, number));
  } catch (error) {
    if (Error.stackTraceLimit > 0) throw error;
    // Without a stack, only the number of the case leads to the fault.
    throw new Error(`case ${number} failed: ${error}`, { cause: error });
  }
}

// A single case is being analysed, so print its whole history.
function printHistory({ history, hazards }: SimulationResult): void {
  process.stdout.write(`${[JSON.stringify(hazards), ...history()].join("\n")}\n`);
}
