import { invariants } from "../invariants/invariants.ts";
import type { OpenStore, SimulatableStore } from "../store-under-test.ts";
import type { Hazards } from "./hazards/hazards.ts";
import { runSimulation, type SimulationResult } from "./simulation.ts";

export type SimulateOptions = {
  /** The number of seeds, counted from 1, or a list of seeds. The same seed gives the same history. */
  readonly seeds: number | readonly number[];
  /** Changes the hazards that a seed chose. */
  readonly hazards?: (chosen: Hazards) => Hazards;
};

/**
 * Runs your store through hours of faults for each seed: the shop is slow, down, loses answers or takes writes late; processes die;
 * shoppers pay twice or late; owners edit, cancel and refund. Returns one sentence for each violated invariant, with its seed.
 * `(await runSimulation({ seed, store: openStore })).history()` shows what happened with a seed.
 *
 * @param openStore called once for each seed; it opens a new, empty store
 * @throws Error when the store itself fails outside the simulated faults
 */
export async function simulate(
  openStore: OpenStore<SimulatableStore>,
  { seeds, hazards }: SimulateOptions,
): Promise<readonly string[]> {
  const seedList = typeof seeds === "number" ? Array.from({ length: seeds }, (_, index) => index + 1) : seeds;
  const violations: string[] = [];
  let paidOrders = 0;
  for (const seed of seedList) {
    const result = await runSimulation({ seed, store: openStore, ...(hazards ? { hazards } : {}) });
    violations.push(...sentencesOf(seed, result));
    paidOrders += result.evidence.orders.filter(({ effects }) => effects.length > 0).length;
  }
  if (paidOrders > 0) return violations;
  return [
    ...violations,
    `No order was paid with any of ${seedList.length} seeds: run more seeds, or see whether the probe's timesPaid counts what your shop ships.`,
  ];
}

function sentencesOf(seed: number, { violations }: SimulationResult): readonly string[] {
  return violations.map(({ invariant, reason }) => {
    const title = invariants.find(({ id }) => id === invariant)?.title ?? "";
    return `Seed ${seed}: ${reason}. Violated: ${title} (${invariant})`;
  });
}
