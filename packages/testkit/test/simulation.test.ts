import type { StoreAdapter } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { runSimulation, type SimulationOptions, type Violation } from "../src/simulator.ts";

/** The kinds of miniature stores that the simulation can run; `MiniatureStore` describes each kind. */
const STORE_KINDS = ["callback", "read-then-write", "write-only"] as const;

function seeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

async function violationsIn(
  seedNumbers: readonly number[],
  options: Omit<SimulationOptions, "seed">,
): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const seed of seedNumbers) {
    const result = await runSimulation({ ...options, seed });
    violations.push(
      ...result.violations.map(({ invariant, reason }: Violation) => `seed ${seed}: ${invariant} ${reason}`),
    );
  }
  return violations;
}

describe("hours of faults, crashes, late and double payments, simulated", () => {
  it.each(STORE_KINDS)("hours of simulated faults violate no invariant in a %s store", async (store) => {
    expect(await violationsIn(seeds(20), { store })).toEqual([]);
  });

  it("the same seed gives the same simulated history, line for line", async () => {
    for (const store of STORE_KINDS) {
      for (const seed of seeds(10)) {
        const [first, second] = [await runSimulation({ seed, store }), await runSimulation({ seed, store })];
        expect(second.history()).toEqual(first.history());
        expect(second.evidence).toEqual(first.evidence);
      }
    }
  });
});

describe("the simulation of a wrong adapter", () => {
  it("the simulation finds an adapter that swallows the shop's errors", async () => {
    const careless = (adapter: StoreAdapter): StoreAdapter => ({
      ...adapter,
      markPaid: (receipt) =>
        adapter.markPaid(receipt).catch(() => ({ outcome: "recorded", evidence: "acknowledged" }) as const),
    });
    const violations = await violationsIn(seeds(60), { store: "callback", adapt: careless });
    // M6: what the ledger records, the shop shows.
    expect(violations.join("\n")).toContain("M6");
  });
});
