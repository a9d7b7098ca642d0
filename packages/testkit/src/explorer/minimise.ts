import type { Found } from "./found.ts";
import { type Deviation, runSchedule } from "./run-schedule.ts";
import type { Scenario } from "./scenario.ts";

/** Leaves out each deviation without which the same invariant is violated. */
export async function minimise(scenario: Scenario, found: Found): Promise<Found> {
  const wanted = found.violations[0]?.invariant;
  let least = found;
  for (const left of found.deviations) {
    const deviations = least.deviations.filter((deviation) => deviation !== left);
    const violations = await violationsOf(scenario, deviations);
    if (violations.some(({ invariant }) => invariant === wanted)) least = { deviations, violations };
  }
  return least;
}

// Without an earlier deviation, a later one may be of another decision, or of none.
async function violationsOf(scenario: Scenario, deviations: readonly Deviation[]): Promise<Found["violations"]> {
  try {
    return (await runSchedule(scenario, deviations)).violations ?? [];
  } catch {
    return [];
  }
}
