import type { Task } from "./plan.ts";
import type { DoneSlice, SavedRun } from "./saved-run.ts";
import { addFigures, type Tier, type Violation } from "./tier.ts";

/** The result of one tier. `ms`: the time in which at least one of its slices was running. */
export type TierResult = {
  readonly id: Tier["id"];
  readonly title: string;
  readonly cases: number;
  readonly violations: number;
  readonly ms: number;
  readonly figures: Readonly<Record<string, number>>;
};

/** The results of the tiers in the plan, without other saved slices. */
export function resultsOf(saved: SavedRun, plan: readonly Task[]): readonly TierResult[] {
  const tiers = [...new Set(plan.map(({ tier }) => tier))].sort((left, right) =>
    left.id.localeCompare(right.id, "en", { numeric: true }),
  );
  return tiers.map((tier) => {
    const slices = slicesDone(saved, plan, tier);
    return {
      id: tier.id,
      title: tier.title,
      cases: sum(slices.map(({ outcome }) => outcome.cases)),
      violations: sum(slices.map(({ outcome, more }) => outcome.violations.length + more)),
      ms: busyMs(slices),
      figures: addFigures(slices.map(({ outcome }) => outcome)),
    };
  });
}

export function violationsOf(saved: SavedRun, plan: readonly Task[]): readonly (Violation & { tier: Tier["id"] })[] {
  const planned = sliceKeysOf(plan);
  return saved.slices
    .filter((done) => planned.has(sliceKey(done.tier, done)))
    .flatMap(({ tier, outcome }) => outcome.violations.map((violation) => ({ tier, ...violation })));
}

export function isDone(saved: SavedRun, { tier, slice }: Task): boolean {
  return saved.slices.some((done) => sliceKey(done.tier, done) === sliceKey(tier.id, slice));
}

function slicesDone(saved: SavedRun, plan: readonly Task[], tier: Tier): readonly DoneSlice[] {
  const planned = sliceKeysOf(plan);
  return saved.slices.filter((done) => done.tier === tier.id && planned.has(sliceKey(done.tier, done)));
}

function sliceKeysOf(plan: readonly Task[]): ReadonlySet<string> {
  return new Set(plan.map(({ tier, slice }) => sliceKey(tier.id, slice)));
}

function sliceKey(tier: string, { from, to }: { readonly from: number; readonly to: number }): string {
  return `${tier} ${from} ${to}`;
}

/** The time in which at least one slice was running, without the breaks between two runs. */
function busyMs(slices: readonly DoneSlice[]): number {
  let total = 0;
  let until = 0;
  for (const { startedAt, endedAt } of [...slices].sort((left, right) => left.startedAt - right.startedAt)) {
    total += Math.max(0, endedAt - Math.max(startedAt, until));
    until = Math.max(until, endedAt);
  }
  return total;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
