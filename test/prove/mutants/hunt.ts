// Runs inside a copy of the workspace that holds a mutant: goes on with the tiers until one of them notices.
import type { Tier } from "../tier.ts";
import { model } from "../tiers/model.ts";
import { simulation } from "../tiers/simulation.ts";

/** Where a mutant was noticed: the case of a tier, under seed 1. */
export type Place = { readonly tier: Tier["id"]; readonly case: number };

/** What came of a hunt. `at` null: nobody noticed. */
export type Hunt = { readonly at: Place | null; readonly why: string; readonly cases: number; readonly ms: number };

const SEED = 1;
const BATCH = 10;
const [seen, patienceMs] = process.argv.slice(2);

process.stdout.write(`${JSON.stringify(await hunt())}\n`);
process.exit();

async function hunt(): Promise<Hunt> {
  const startedAt = Date.now();
  let cases = 0;
  const notices = async (tier: Tier, from: number, to: number): Promise<Hunt | null> => {
    const { violations } = await tier.run({ seed: SEED, from, to });
    cases += to - from;
    // A tier that fell over has noticed nothing: a broken promise has a name.
    const first = violations.find((violation) => /\bI[1-9]\b/.test(violation.why));
    return first
      ? { at: { tier: tier.id, case: first.case }, why: first.why, cases, ms: Date.now() - startedAt }
      : null;
  };
  const place = JSON.parse(seen ?? "null") as Place | null;
  const found = place && (await notices(await tierOf(place.tier), place.case, place.case + 1));
  if (found) return found;
  for (let from = 0; Date.now() < startedAt + Number(patienceMs); from += BATCH) {
    const noticed = (await notices(simulation, from, from + BATCH)) ?? (await notices(model, from, from + BATCH));
    if (noticed) return noticed;
  }
  // Real processes are dear to begin with: only for what is left.
  const kills = await tierOf("T3");
  const noticed = await notices(kills, 0, kills.quick);
  return noticed ?? { at: null, why: "", cases, ms: Date.now() - startedAt };
}

async function tierOf(id: Tier["id"]): Promise<Tier> {
  if (id === "T1") return model;
  return id === "T2" ? simulation : (await import("../tiers/kills.ts")).kills;
}
