// Runs inside a copy of the workspace that holds a mutant: goes on with the tiers until one of them notices.
import type { Tier } from "../tier.ts";
import { model } from "../tiers/model.ts";
import { SQLITE_EVERY, simulation } from "../tiers/simulation.ts";

/** The tiers that the promise is hunted with. */
export type Hunter = "T1" | "T2" | "T3";

/** Where a mutant was noticed: the case of a tier, under seed 1. */
export type Place = { readonly tier: Hunter; readonly case: number };

/** What came of a hunt. `at` null: nobody noticed. */
export type Hunt = { readonly at: Place | null; readonly why: string; readonly cases: number; readonly ms: number };

/** What a mutant can be noticed in: a mutant of a ledger only in simulated cases that keep their ledger there. */
export type Ground = "engine" | "ledger";

const SEED = 1;
const BATCH = 10;
const [seen, patienceMs, ground] = process.argv.slice(2);

process.stdout.write(`${JSON.stringify(await hunt())}\n`);
process.exit();

async function hunt(): Promise<Hunt> {
  const startedAt = Date.now();
  let cases = 0;
  const notices = async (tier: Hunter, from: number, to: number): Promise<Hunt | null> => {
    const { violations } = await (await tierOf(tier)).run({ seed: SEED, from, to });
    cases += to - from;
    // A tier that fell over has noticed nothing: a broken promise has a name.
    const first = violations.find((violation) => /\b[IR][1-9]\b/.test(violation.why));
    return first ? { at: { tier, case: first.case }, why: first.why, cases, ms: Date.now() - startedAt } : null;
  };
  const place = JSON.parse(seen ?? "null") as Place | null;
  const found = place && (await notices(place.tier, place.case, place.case + 1));
  if (found) return found;
  const nobody = (): Hunt => ({ at: null, why: "", cases, ms: Date.now() - startedAt });
  // Without patience, only that place is looked at.
  if (Number(patienceMs) === 0) return nobody();
  for (let round = 0; Date.now() < startedAt + Number(patienceMs); round += 1) {
    const noticed = await (ground === "ledger" ? onSqlite(round) : inMemory(round * BATCH));
    if (noticed) return noticed;
  }
  // Real processes are dear to begin with: only for what is left.
  const noticed = await notices("T3", 0, (await tierOf("T3")).quick);
  return noticed ?? nobody();

  async function inMemory(from: number): Promise<Hunt | null> {
    return (await notices("T2", from, from + BATCH)) ?? (await notices("T1", from, from + BATCH));
  }

  async function onSqlite(round: number): Promise<Hunt | null> {
    const number = (round + 1) * SQLITE_EVERY - 1;
    // With its neighbour: a case that is run alone prints its whole history.
    return await notices("T2", number - 1, number + 1);
  }
}

async function tierOf(id: Hunter): Promise<Tier> {
  if (id === "T1") return model;
  return id === "T2" ? simulation : (await import("../tiers/kills.ts")).kills;
}
