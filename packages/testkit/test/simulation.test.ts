import type { StoreAdapter } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { type Broken, runSimulation, type SimulationOptions } from "../src/index.ts";

const KINDS = ["asking", "blind", "tell-only"] as const;
const SEEDS = Array.from({ length: 8 }, (_, index) => index + 1);

async function brokenIn(seeds: readonly number[], options: Omit<SimulationOptions, "seed">): Promise<string[]> {
  const broken: string[] = [];
  for (const seed of seeds) {
    const result = await runSimulation({ ...options, seed });
    broken.push(...result.broken.map(({ invariant, why }: Broken) => `seed ${seed}: ${invariant} ${why}`));
  }
  return broken;
}

describe("hours of faults, crashes, late and double payments, simulated", () => {
  it.each(KINDS)("break no promise in a shop that is %s", { timeout: 120_000 }, async (store) => {
    expect(await brokenIn(SEEDS, { store })).toEqual([]);
  });

  it("really happen: shoppers pay, and processes die", { timeout: 60_000 }, async () => {
    const results = await Promise.all([3, 6, 9].map((seed) => runSimulation({ seed, store: "asking" })));
    const history = results.flatMap((result) => result.history);
    expect(history.filter((line) => line.includes("is paid")).length).toBeGreaterThan(2);
    expect(results.some(({ kills }) => kills > 10)).toBe(true);
  });

  it("are the same again for the same seed", { timeout: 60_000 }, async () => {
    const [first, second] = [
      await runSimulation({ seed: 6, store: "blind" }),
      await runSimulation({ seed: 6, store: "blind" }),
    ];
    expect(second).toEqual(first);
  });
});

describe("the simulation finds", () => {
  it("a shop that claims to refuse a second write and cannot", { timeout: 120_000 }, async () => {
    const boastful = (adapter: StoreAdapter): StoreAdapter => ({ ...adapter, writes: { kind: "conditional" } });
    // An old write lands after the order was edited, because nobody waited for it.
    const broken = await brokenIn([1], { store: "blind", adapt: boastful });
    expect(broken.join("\n")).toContain("I2");
    expect(await brokenIn([1], { store: "blind" })).toEqual([]);
  });

  it("an adapter that swallows what the shop answered", { timeout: 120_000 }, async () => {
    const careless = (adapter: StoreAdapter): StoreAdapter => ({
      ...adapter,
      markPaid: (receipt) =>
        adapter.markPaid(receipt).catch(() => ({ outcome: "recorded", evidence: "acknowledged" }) as const),
    });
    const broken = await brokenIn([1, 2, 3, 4, 5, 6], { store: "asking", adapt: careless });
    expect(broken.join("\n")).toContain("I3");
  });
});
