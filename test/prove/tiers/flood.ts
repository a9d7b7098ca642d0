import { type Flood, type FloodResult, runFlood } from "../flood/flood.ts";
import { type Outcome, repeatCommand, type Slice, type Tier } from "../tier.ts";

type Case = Pick<Flood, "database" | "perSecond" | "seconds" | "orders" | "warmUp"> & {
  readonly apart?: Flood["apart"];
  /** The limit for the 99th percentile of the response times, or null to check only correctness on a busy machine. */
  readonly ackMs: number | null;
};

/** The load before ten times the peak. Without it, the first second would measure how Node warms up. */
const PEAK = { perSecond: 200, seconds: 5 };
const TWO_AND_TWO = { receivers: 2, workers: 2 };

/** `npm test` runs the first two. */
const CASES: readonly Case[] = [
  { database: "sqlite", perSecond: 200, seconds: 2, warmUp: null, orders: 10, ackMs: null },
  { database: "postgres", perSecond: 200, seconds: 2, warmUp: null, orders: 10, ackMs: null },
  { database: "sqlite", perSecond: 200, seconds: 30, warmUp: null, orders: 200, ackMs: 50 },
  { database: "postgres", perSecond: 200, seconds: 30, warmUp: null, orders: 200, ackMs: 50 },
  { database: "sqlite", perSecond: 2_000, seconds: 15, warmUp: PEAK, orders: 300, ackMs: 250 },
  { database: "postgres", perSecond: 2_000, seconds: 15, warmUp: PEAK, orders: 300, ackMs: 250 },
  { database: "postgres", perSecond: 2_000, seconds: 15, warmUp: PEAK, orders: 300, ackMs: 250, apart: TWO_AND_TWO },
];
const HANG_MS = 10_000;
/** On an idle machine, a server that does nothing responds within this time. */
const IDLE_P99_MS = 20;
/** The memory growth that a garbage collector may cause. Leaked bodies of a flood would be more. */
const GROWTH_MB = 64;

/** T7: deliveries at the peak rate and at ten times the peak rate while the store's API hangs, on both databases. */
export const flood: Tier = {
  id: "T7",
  title: "a flood of webhooks is answered in time while the shop's API hangs, and afterwards every order is paid once",
  cases: CASES.length,
  quick: 2,
  slice: 1,
  exclusive: true,
  async run({ seed, from, to }: Slice): Promise<Outcome> {
    const outcomes: Outcome[] = [];
    for (let number = from; number < to; number += 1) outcomes.push(await runCase(seed, number));
    return {
      cases: outcomes.length,
      violations: outcomes.flatMap(({ violations }) => violations),
      figures: Object.assign({}, ...outcomes.map(({ figures }) => figures)),
    };
  },
};

async function runCase(seed: number, number: number): Promise<Outcome> {
  const options = CASES[number];
  if (options === undefined) throw new RangeError(`Tier T7 has no case ${number}.`);
  const request = { apart: null, ...options, hangMs: HANG_MS, seed: seed + number, measured: options.ackMs !== null };
  let flooded = await runFlood(request);
  // Another program slowed the machine down, so the case runs again and the second result counts.
  if (isSlow(options, flooded) && flooded.reference.p99 > IDLE_P99_MS) flooded = await runFlood(request);
  const violations = [...flooded.violations, ...(options.ackMs === null ? [] : limitViolations(options, flooded))];
  const again = repeatCommand("T7", seed, number);
  return {
    cases: 1,
    violations: violations.map((why) => ({ case: number, why, again })),
    figures: figuresOf(options, flooded),
  };
}

function isSlow({ ackMs }: Case, { acks }: FloodResult): boolean {
  return ackMs !== null && acks.p99 > ackMs;
}

function limitViolations(options: Case, flooded: FloodResult): string[] {
  const { acks, reference, memoryMb } = flooded;
  const slow = `99 of 100 deliveries were answered within ${acks.p99.toFixed(0)} ms instead of ${options.ackMs} ms (a server that does nothing: ${reference.p99.toFixed(0)} ms).`;
  const growthMb = memoryMb.last - memoryMb.first;
  return [
    ...(isSlow(options, flooded) ? [slow] : []),
    ...(growthMb > GROWTH_MB ? [`The server's memory grew by ${growthMb.toFixed(0)} MB during the flood.`] : []),
  ];
}

function figuresOf({ database, perSecond, ackMs, apart = null }: Case, flooded: FloodResult): Record<string, number> {
  const { acks, reference, memoryMb, cpuMsEach, drainedMs } = flooded;
  const processes = apart ? ` on ${apart.receivers} receivers and ${apart.workers} workers` : "";
  const name = `${database} ${perSecond}/s${processes}`;
  const figures = {
    [`${name}: ack p50 ms`]: acks.p50,
    [`${name}: ack p99 ms`]: acks.p99,
    ...(ackMs === null ? {} : { [`${name}: ack p99 of a server that does nothing ms`]: reference.p99 }),
    [`${name}: CPU a delivery, its work included ms`]: cpuMsEach,
    [`${name}: backlog drained after ms`]: drainedMs,
    [`${name}: resident at most MB`]: Math.max(memoryMb.first, memoryMb.last),
  };
  return Object.fromEntries(Object.entries(figures).map(([what, value]) => [what, Math.round(value * 100) / 100]));
}
