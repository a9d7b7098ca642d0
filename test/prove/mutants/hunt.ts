// Runs inside a copy of the workspace that holds a mutant, and runs cases of the tiers until one notices it.
import type { Tier } from "../tier.ts";
import { model } from "../tiers/model.ts";
import { SQLITE_EVERY, simulation } from "../tiers/simulation.ts";

/** The tiers that hunt the mutants of invariants. */
export type HuntingTier = "T1" | "T2" | "T3";

/** The case of a tier, under seed 1, that noticed a mutant. */
export type Detection = { readonly tier: HuntingTier; readonly case: number };

/** The result of a hunt. `at` is null if no case noticed the mutant. */
export type Hunt = { readonly at: Detection | null; readonly why: string; readonly cases: number; readonly ms: number };

/** The part that a mutant changes. Only simulated cases with their ledger on SQLite can notice a mutant of the ledger's SQL. */
export type MutatedPart = "engine" | "ledger";

const SEED = 1;
const BATCH = 10;
const [lastDetection, huntMs, part] = process.argv.slice(2);

process.stdout.write(`${JSON.stringify(await hunt())}\n`);
process.exit();

async function hunt(): Promise<Hunt> {
  const startedAt = Date.now();
  let cases = 0;
  const notices = async (tier: HuntingTier, from: number, to: number): Promise<Hunt | null> => {
    const { violations } = await (await tierOf(tier)).run({ seed: SEED, from, to });
    cases += to - from;
    // Only a violation that names an invariant, such as I3 or R5, counts. A tier that crashed has noticed nothing.
    const first = violations.find((violation) => /\b[IRM][1-9]\b/.test(violation.why));
    return first ? { at: { tier, case: first.case }, why: first.why, cases, ms: Date.now() - startedAt } : null;
  };
  const last = JSON.parse(lastDetection ?? "null") as Detection | null;
  const found = last && (await notices(last.tier, last.case, last.case + 1));
  if (found) return found;
  const unnoticed = (): Hunt => ({ at: null, why: "", cases, ms: Date.now() - startedAt });
  // With a hunt of 0 ms only the last detection runs.
  if (Number(huntMs) === 0) return unnoticed();
  for (let round = 0; Date.now() < startedAt + Number(huntMs); round += 1) {
    const noticed = await (part === "ledger" ? onSqlite(round) : inMemory(round * BATCH));
    if (noticed) return noticed;
  }
  // Real processes start slowly, so they run only if nothing else noticed the mutant.
  const noticed = await notices("T3", 0, (await tierOf("T3")).quick);
  return noticed ?? unnoticed();

  async function inMemory(from: number): Promise<Hunt | null> {
    return (await notices("T2", from, from + BATCH)) ?? (await notices("T1", from, from + BATCH));
  }

  async function onSqlite(round: number): Promise<Hunt | null> {
    const number = (round + 1) * SQLITE_EVERY - 1;
    // Runs two cases, because a case that runs alone prints its whole history.
    return await notices("T2", number - 1, number + 1);
  }
}

async function tierOf(id: HuntingTier): Promise<Tier> {
  if (id === "T1") return model;
  return id === "T2" ? simulation : (await import("../tiers/kills.ts")).kills;
}
