/**
 * One figure of a benchmark. A program prints each on a line of standard output, as JSON, by `printMeasurement`. All lists have one
 * value for each round, and the values at the same place are of the same round.
 */
export type Measurement = {
  /** The row: `https, 64 in flight: CPU of a call`. */
  readonly what: string;
  /** `µs`, `requests/s`, `KB`. */
  readonly unit: string;
  readonly ours: readonly number[];
  /** The same figure of others, by their name. Empty when nobody else can be measured. */
  readonly peers: Readonly<Record<string, readonly number[]>>;
  readonly goal?: Goal;
  /** Shows the figures of the others themselves, for counts that may be zero. Without it, ours divided by theirs. */
  readonly showsValues?: true;
};

/** What our median must reach: as a ratio to a peer's of the same round, or in the unit of the figure. */
export type Goal =
  | { readonly atMost: number; readonly timesOf?: string }
  | { readonly atLeast: number; readonly timesOf?: string };

export function printMeasurement(measurement: Measurement): void {
  process.stdout.write(`${JSON.stringify(measurement)}\n`);
}

/** How often each contender is measured: `npm run bench -- all --rounds 3`. */
export function rounds(): number {
  return Number(process.env.TILLKIT_BENCH_ROUNDS ?? 7);
}

/**
 * Measures each contender once in every round, each time in another order, so that a neighbour who is busy for a while burdens all of
 * them alike. Says on standard error how far it is.
 *
 * @returns for each contender what it measured, one value for each round
 */
export async function measureInRounds<Name extends string, Figures>(
  contenders: Readonly<Record<Name, () => Promise<Figures>>>,
): Promise<Readonly<Record<Name, readonly Figures[]>>> {
  const names = Object.keys(contenders) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as Figures[]])) as Record<Name, Figures[]>;
  for (let round = 0; round < rounds(); round += 1) {
    process.stderr.write(`  round ${round + 1} of ${rounds()}\n`);
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) measured[name].push(await contenders[name]());
  }
  return measured;
}

/** One figure of what `measureInRounds` returned, ours apart from the others'. */
export function seriesOf<Figures>(
  measured: Readonly<Record<string, readonly Figures[]>>,
  figure: (figures: Figures) => number,
): Pick<Measurement, "ours" | "peers"> {
  const { ours = [], ...peers } = measured;
  const series = Object.entries(peers).map(([name, values]) => [name, values.map(figure)] as const);
  return { ours: ours.map(figure), peers: Object.fromEntries(series) };
}
