import { type Flood, type Flooded, runFlood } from "../flood/flood.ts";
import { type Outcome, repeatCommand, type Slice, type Tier } from "../tier.ts";

type Case = Pick<Flood, "engine" | "perSecond" | "seconds" | "orders" | "before"> & {
  /** The 99th percentile of the answers' times; null: only what is right and wrong counts, for machines that do much else. */
  readonly ackMs: number | null;
};

/** Ten times the peak come to a server that has been at its peak: in its first second it would measure how Node warms up. */
const PEAK = { perSecond: 200, seconds: 5 };

/** The first two are those of `npm test`. */
const CASES: readonly Case[] = [
  { engine: "sqlite", perSecond: 200, seconds: 2, before: null, orders: 10, ackMs: null },
  { engine: "postgres", perSecond: 200, seconds: 2, before: null, orders: 10, ackMs: null },
  { engine: "sqlite", perSecond: 200, seconds: 30, before: null, orders: 200, ackMs: 50 },
  { engine: "postgres", perSecond: 200, seconds: 30, before: null, orders: 200, ackMs: 50 },
  { engine: "sqlite", perSecond: 2_000, seconds: 15, before: PEAK, orders: 300, ackMs: 250 },
  { engine: "postgres", perSecond: 2_000, seconds: 15, before: PEAK, orders: 300, ackMs: 250 },
];
const HANG_MS = 10_000;
/** A server that does nothing answers within this on a machine that is left alone. */
const CALM_MS = 20;
/** What a garbage collector may keep; the bodies of a flood that were never let go are more. */
const GROWTH_MB = 64;

/** T7: deliveries at their peak and at ten times it, while the store's API hangs, on both engines. */
export const flood: Tier = {
  id: "T7",
  title: "a flood of webhooks is answered in time while the shop hangs, and afterwards every order is paid once",
  cases: CASES.length,
  quick: 2,
  slice: 1,
  alone: true,
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
  const wanted = CASES[number];
  if (wanted === undefined) throw new RangeError(`Tier T7 has no case ${number}.`);
  const wish = { ...wanted, hangMs: HANG_MS, seed: seed + number, measured: wanted.ackMs !== null };
  let flooded = await runFlood(wish);
  // Somebody else had the machine: once more, and then it counts.
  if (slow(wanted, flooded) && flooded.reference.p99 > CALM_MS) flooded = await runFlood(wish);
  const broken = [...flooded.broken, ...(wanted.ackMs === null ? [] : tooMuch(wanted, flooded))];
  const again = repeatCommand("T7", seed, number);
  return {
    cases: 1,
    violations: broken.map((why) => ({ case: number, why, again })),
    figures: figuresOf(wanted, flooded),
  };
}

function slow({ ackMs }: Case, { acks }: Flooded): boolean {
  return ackMs !== null && acks.p99 > ackMs;
}

function tooMuch(wanted: Case, flooded: Flooded): string[] {
  const { acks, reference, memoryMb } = flooded;
  const late = `99 of 100 deliveries were answered within ${acks.p99.toFixed(0)} ms instead of ${wanted.ackMs} ms (a server that does nothing: ${reference.p99.toFixed(0)} ms).`;
  const grown = memoryMb.last - memoryMb.first;
  return [
    ...(slow(wanted, flooded) ? [late] : []),
    ...(grown > GROWTH_MB ? [`The server's memory grew by ${grown.toFixed(0)} MB during the flood.`] : []),
  ];
}

function figuresOf({ engine, perSecond, ackMs }: Case, flooded: Flooded): Record<string, number> {
  const { acks, reference, memoryMb, cpuMsEach, drainedMs } = flooded;
  const name = `${engine} ${perSecond}/s`;
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
