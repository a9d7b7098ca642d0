// Runs inside a copy of the workspace that holds a mutant: goes on with the tiers until one of them notices.

import type { Tier } from "../tier.ts";
import { model } from "../tiers/model.ts";
import { simulation } from "../tiers/simulation.ts";

/** What came of a hunt. `killedBy` null: nobody noticed. */
export type Hunt = {
  readonly killedBy: Tier["id"] | null;
  readonly why: string;
  /** Cases of each tier that ran. */
  readonly cases: number;
  readonly ms: number;
};

const SEED = 1;
const BATCH = 10;
const PATIENCE_MS = 60_000;
const KILLS = 60;

process.stdout.write(`${JSON.stringify(await hunt())}\n`);
process.exit();

async function hunt(): Promise<Hunt> {
  const startedAt = Date.now();
  let cases = 0;
  const notices = async (tier: Tier, from: number, to: number): Promise<Hunt | null> => {
    const { violations } = await tier.run({ seed: SEED, from, to });
    cases += to - from;
    const [first] = violations;
    return first ? { killedBy: tier.id, why: first.why, cases, ms: Date.now() - startedAt } : null;
  };
  for (let from = 0; Date.now() < startedAt + PATIENCE_MS; from += BATCH) {
    const found = (await notices(simulation, from, from + BATCH)) ?? (await notices(model, from, from + BATCH));
    if (found) return found;
  }
  // Real processes: dear to begin with, so only for what is left.
  const { kills } = await import("../tiers/kills.ts");
  const found = await notices(kills, 0, KILLS);
  return found ?? { killedBy: null, why: "", cases, ms: Date.now() - startedAt };
}
