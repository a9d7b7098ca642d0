import { type Bound, explore, formatDeviations, replay, type Scenario } from "@tillkit/testkit/explorer";
import { scenarios } from "../explorer/scenarios.ts";
import { type Outcome, repeatCommand, type Slice, type Tier, type Violation } from "../tier.ts";

/** What the cases of each seed may deviate from the default schedule: the first half of seed 1 is what CI runs, every later seed is deeper. */
const BOUNDS: readonly (readonly Bound[])[] = [
  [bound(1, 0), bound(0, 1), bound(2, 0), bound(1, 1)],
  [bound(3, 0), bound(0, 2)],
  [bound(2, 1), bound(1, 2)],
];

/** T11: every schedule of small scenarios within a bound. A case is one scenario within one bound. */
export const schedules: Tier = {
  id: "T11",
  title: "no schedule of a small scenario violates an invariant, within a bound of preemptions and faults",
  cases: scenarios.length * (BOUNDS[0] ?? []).length,
  quick: 16,
  slice: 4,
  exclusive: false,
  bundled: true,
  run,
};

async function run({ seed, from, to }: Slice): Promise<Outcome> {
  const { stackTraceLimit } = Error;
  // Recording the stack of every fault takes time.
  Error.stackTraceLimit = 0;
  const violations: Violation[] = [];
  const figures: Record<string, number> = { schedules: 0, states: 0 };
  try {
    for (let number = from; number < to; number += 1) {
      const { scenario, bound } = caseOf(seed, number);
      const { schedules, states, found } = await explore(scenario, { bound });
      figures.schedules = (figures.schedules ?? 0) + schedules;
      figures.states = (figures.states ?? 0) + states;
      for (const { deviations, violations: of } of found) {
        const why = `${of.map(({ invariant, reason }) => `${invariant}: ${reason}`).join("; ")}. Story: ${storyCommand(scenario, deviations)}`;
        violations.push({ case: number, why, again: repeatCommand("T11", seed, number) });
        if (to - from === 1) process.stdout.write(`${(await replay(scenario, deviations)).story.join("\n")}\n`);
      }
    }
    return { cases: to - from, violations, figures };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function bound(preemptions: number, faults: number): Bound {
  return { preemptions, faults };
}

function caseOf(seed: number, number: number): { readonly scenario: Scenario; readonly bound: Bound } {
  const ofSeed = BOUNDS[Math.min(seed, BOUNDS.length) - 1] ?? [];
  const scenario = scenarios[number % scenarios.length];
  const ofCase = ofSeed[Math.floor(number / scenarios.length) % ofSeed.length];
  if (!scenario || !ofCase) throw new Error(`There is no case ${number} of seed ${seed}.`);
  return { scenario, bound: ofCase };
}

function storyCommand({ name }: Scenario, deviations: Parameters<typeof formatDeviations>[0]): string {
  return `node --import tsx --conditions=@tillkit/source test/prove/explorer/tell-story.ts ${name} ${formatDeviations(deviations)}`;
}
