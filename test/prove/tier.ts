/** One kind of test: many cases, each of which tries to violate the invariants. */
export type Tier = {
  readonly id: "T1" | "T2" | "T3" | "T4" | "T5" | "T6" | "T7" | "T8" | "T9" | "T10" | "T11";
  /** What the tier shows, in one sentence. */
  readonly title: string;
  /** The number of cases of the full run. */
  readonly cases: number;
  /** The number of cases of `npm test`. */
  readonly quick: number;
  /** The maximum number of cases per slice. Slices are the unit of progress, distribution and resumption. */
  readonly slice: number;
  /** Whether no other slice may run at the same time, because the tier measures time or needs the whole machine. */
  readonly exclusive: boolean;
  /** Whether the tier only computes, so that its slices can run in the bundled program `run-bundled-slice.ts`. */
  readonly bundled?: true;
  run(slice: Slice): Promise<Outcome>;
};

/** The cases from `from` (inclusive) to `to` (exclusive). Seed and number determine a case wherever that is possible. */
export type Slice = { readonly seed: number; readonly from: number; readonly to: number };

export type Outcome = {
  readonly cases: number;
  readonly violations: readonly Violation[];
  /** Figures are added over the slices. A figure whose name ends in ` ms` or ` MB` keeps its maximum instead. */
  readonly figures?: Readonly<Record<string, number>>;
};

/** A violated invariant: the case, the reason and the command that repeats the case. */
export type Violation = { readonly case: number; readonly why: string; readonly again: string };

/** The figures of several slices or cases together. */
export function addFigures(outcomes: readonly Pick<Outcome, "figures">[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { figures = {} } of outcomes) {
    for (const [name, value] of Object.entries(figures)) {
      const before = sums[name] ?? 0;
      sums[name] = / (?:ms|MB)$/.test(name) ? Math.max(before, value) : before + value;
    }
  }
  return sums;
}

/** The command that runs one case alone. */
export function repeatCommand(tier: Tier["id"], seed: number, number: number): string {
  return `npm run prove -- --tier ${tier} --seed ${seed} --case ${number}`;
}
