import { describe, expect, it } from "vitest";
import { type Hazards, type NaiveHandler, naiveHandlers, runSimulation } from "../src/simulator.ts";

const SEEDS = 200;

/** Replaces the shop's hazards: a slow shop whose connections often break. */
function withUnreliableShop(chosen: Hazards): Hazards {
  return { ...chosen, store: { latencyMs: 2_000, faults: 0.7, down: 0, refuses: null } };
}

/** The first seed in which a payment was lost or an order was marked paid twice or wrongly; null if there is none. */
async function firstBrokenSeed(handler: Omit<NaiveHandler, "name">): Promise<number | null> {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const result = await runSimulation({ ...handler, seed, store: "read-then-write", hazards: withUnreliableShop });
    if (result.violations.some(({ invariant }) => ["I1", "I2", "I3"].includes(invariant))) return seed;
  }
  return null;
}

describe("naive handlers and the engine under the same faults", () => {
  it.each(naiveHandlers)(
    "the simulation finds lost or repeated payments in a naive webhook handler ($name)",
    async (handler) => {
      expect(await firstBrokenSeed(handler)).not.toBeNull();
    },
  );

  it("the engine violates no invariant in the same histories", async () => {
    expect(await firstBrokenSeed({})).toBeNull();
  });
});
