import { type Digest, mix } from "./digest.ts";
import type { Found } from "./found.ts";
import { minimise } from "./minimise.ts";
import { type Decision, type Deviation, runSchedule } from "./run-schedule.ts";
import type { Scenario } from "./scenario.ts";

/** How many preemptions and faults a schedule may have. */
export type Bound = { readonly preemptions: number; readonly faults: number };

export type ExploreOptions = {
  readonly bound: Bound;
  /** Ends the search early, in milliseconds of real time. Default: never. */
  readonly maxMs?: number;
  /** The number of violating schedules after which the search ends. Default: 1. */
  readonly maxFound?: number;
};

export type Exploration = {
  readonly scenario: string;
  readonly bound: Bound;
  readonly schedules: number;
  /** The number of different states in which a decision was made. */
  readonly states: number;
  /** Whether every schedule within the bound was tried, or led to a state that another one had reached. */
  readonly isComplete: boolean;
  readonly found: readonly Found[];
};

/** What is left to be tried: a schedule, and what its later deviations may cost. */
type Task = { readonly deviations: readonly Deviation[]; readonly left: Bound };

/**
 * Tries every schedule of a scenario within the bound. Depth first: each schedule is played again from the beginning. A schedule ends where
 * it reaches a state from which at least as much was tried before.
 * @throws Error if the scenario itself fails, which is no fault of the engine
 */
export async function explore(scenario: Scenario, options: ExploreOptions): Promise<Exploration> {
  const { bound, maxMs = Number.POSITIVE_INFINITY, maxFound = 1 } = options;
  const endsAt = performance.now() + maxMs;
  const seen = createSeenStates();
  const tasks: Task[] = [{ deviations: [], left: bound }];
  const found: Found[] = [];
  let schedules = 0;
  for (let task = tasks.pop(); task !== undefined && found.length < maxFound; task = tasks.pop()) {
    if (performance.now() > endsAt) return result(false);
    schedules += 1;
    const { violations } = await playTask(scenario, task, tasks, seen);
    if (violations === null || violations.length === 0) continue;
    found.push(await minimise(scenario, { deviations: task.deviations, violations }));
  }
  return result(found.length < maxFound);

  function result(isComplete: boolean): Exploration {
    return { scenario: scenario.name, bound, schedules, states: seen.count(), isComplete, found };
  }
}

async function playTask(scenario: Scenario, { deviations, left }: Task, tasks: Task[], seen: SeenStates) {
  const further: Task[] = [];
  const visit = (decision: Decision) => {
    if (!seen.add(decision.state(), left)) return false;
    further.push(...alternativesOf(decision, deviations, left));
    return true;
  };
  const played = await runSchedule(scenario, deviations, { visit });
  // The latest alternative is tried first, so that few tasks wait.
  for (const task of further) tasks.push(task);
  return played;
}

function alternativesOf({ index, options }: Decision, deviations: readonly Deviation[], left: Bound): Task[] {
  return options.flatMap(({ preemptions, faults }, option) => {
    const rest = { preemptions: left.preemptions - preemptions, faults: left.faults - faults };
    const isAffordable = option > 0 && rest.preemptions >= 0 && rest.faults >= 0;
    return isAffordable ? [{ deviations: [...deviations, { at: index, option }], left: rest }] : [];
  });
}

type SeenStates = {
  /** Returns false if as much was tried from this state before. */
  add(state: string, left: Bound): boolean;
  count(): number;
};

function createSeenStates(): SeenStates {
  const bounds = new Map<Digest, readonly Bound[]>();
  return {
    count: () => bounds.size,
    add(state, left) {
      const key = mix(0, state);
      const known = bounds.get(key) ?? [];
      const isKnown = known.some(({ preemptions, faults }) => preemptions >= left.preemptions && faults >= left.faults);
      if (!isKnown) bounds.set(key, [...known, left]);
      return !isKnown;
    },
  };
}
