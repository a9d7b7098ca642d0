import { invariants } from "../invariants/invariants.ts";
import type { OpenStore, SimulatableStore } from "../store-under-test.ts";
import { type Bound, explore } from "./explore.ts";
import type { Found } from "./found.ts";
import { formatDeviations, replay } from "./replay.ts";
import { runSchedule } from "./run-schedule.ts";
import type { Scenario } from "./scenario.ts";
import { scenariosOf } from "./scenarios/own-store.ts";

export type ExploreStoreOptions = {
  /** When the search ends, in milliseconds. Default: 10 seconds. */
  readonly maxMs?: number;
};

/** The bounds of the search, one after the other. */
const BOUNDS: readonly Bound[] = [
  { preemptions: 0, faults: 0 },
  { preemptions: 1, faults: 0 },
  { preemptions: 0, faults: 1 },
  { preemptions: 1, faults: 1 },
];

/**
 * Tries every schedule of small scenarios with your store: webhook and return, two payments of an order, an owner who edits, cancels or
 * refunds meanwhile; first without a fault, then with one in every request. Returns the story of the first schedule that violates an invariant:
 * each step with its time, `✗` at a fault, `↷` where another process goes first.
 *
 * @param openStore called once for each schedule; it opens a new, empty store
 * @throws Error when the store itself fails outside the faults of the search
 */
export async function exploreStore(
  openStore: OpenStore<SimulatableStore>,
  { maxMs = 10_000 }: ExploreStoreOptions = {},
): Promise<readonly string[]> {
  const { stackTraceLimit } = Error;
  // Recording the stack of every fault takes time.
  Error.stackTraceLimit = 0;
  try {
    const scenarios = await scenariosOf(openStore);
    const story = await findStory(scenarios, performance.now() + maxMs);
    return story === null ? await findNothingPaid(scenarios) : [story];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function findStory(scenarios: readonly Scenario[], endsAt: number): Promise<string | null> {
  for (const bound of BOUNDS) {
    for (const scenario of scenarios) {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) return null;
      const { found } = await explore(scenario, { bound, maxMs: leftMs });
      if (found[0]) return await storyOf(scenario, found[0]);
    }
  }
  return null;
}

async function storyOf(scenario: Scenario, { deviations, violations }: Found): Promise<string> {
  const reasons = violations.map(({ invariant, reason }) => {
    const title = invariants.find(({ id }) => id === invariant)?.title ?? "";
    return `${reason}. Violated: ${title} (${invariant})`;
  });
  const { story } = await replay(scenario, deviations);
  return [`Scenario ${scenario.name}, schedule ${formatDeviations(deviations)}: ${reasons.join(" ")}`, ...story].join(
    "\n",
  );
}

// A search in which nothing is ever paid finds nothing.
async function findNothingPaid([scenario]: readonly Scenario[]): Promise<readonly string[]> {
  const evidence = scenario && (await runSchedule(scenario, [])).evidence;
  if (evidence?.orders.some(({ effects }) => effects.length > 0)) return [];
  return ["No order was paid without any fault: see whether the probe's timesPaid counts what your shop ships."];
}
