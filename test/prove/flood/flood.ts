import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "@tillkit/core";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { createSeededRandom } from "@tillkit/testkit";
import { startPostgres } from "../../postgres/start-postgres.ts";
import { type Delivery, deliveryOf } from "./events.ts";
import { type Session, startExternalServices } from "./external-services.ts";
import { type LoadResult, randomTimes, sendLoad } from "./load.ts";
import { startMerchant } from "./merchant-process.ts";
import { startMerchants } from "./merchants.ts";
import { ENDPOINT, findSecrets, type Usage } from "./messages.ts";

export type Flood = {
  readonly database: "sqlite" | "postgres";
  readonly perSecond: number;
  readonly seconds: number;
  /** The warm-up of a server that just started. Its answers count, its response times do not. */
  readonly warmUp: { readonly perSecond: number; readonly seconds: number } | null;
  /** The number of paid orders. Every delivery is about one of them. */
  readonly orders: number;
  /** How long the store's API delays every answer during the flood. */
  readonly hangMs: number;
  readonly seed: number;
  /** Receivers and workers as processes of their own on one PostgreSQL; null: one process does both. */
  readonly apart: { readonly receivers: number; readonly workers: number } | null;
  /** Whether response times count and are compared with the reference. */
  readonly measured: boolean;
};

export type FloodResult = {
  readonly acks: Spread;
  /** The same requests at the same rate to a server that does nothing, measured before and after; the slower measurement counts. */
  readonly reference: Spread;
  /** The maximum in the first and in the last third of the flood, without its warm-up. */
  readonly memoryMb: { readonly first: number; readonly last: number };
  readonly cpuMsEach: number;
  readonly drainedMs: number;
  readonly violations: readonly string[];
};

type Spread = { readonly p50: number; readonly p99: number; readonly max: number };

const CONNECTIONS = 64;
const REFERENCE_SECONDS = 3;
const DRAINED_WITHIN_MS = 180_000;
const SAMPLE_MS = 500;
const DRAIN_CHECK_MS = 250;
const DUE_SOON_MS = 3_000;

/** Runs one flood on an empty ledger, from the first payment to the last job. */
export async function runFlood(flood: Flood): Promise<FloodResult> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-flood-"));
  const postgres = flood.database === "postgres" ? await startPostgres({ durable: true }) : null;
  const ledgerUrl = postgres?.url ?? `sqlite:${join(folder, "ledger.db")}`;
  try {
    return await floodLedger(flood, ledgerUrl);
  } finally {
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function floodLedger(flood: Flood, ledgerUrl: string): Promise<FloodResult> {
  const externalServices = await startExternalServices();
  const merchants = await startMerchants(flood, ledgerUrl, externalServices.url);
  const ledger = await openLedger(ledgerUrl);
  const random = createSeededRandom(flood.seed);
  await merchants.start(flood.orders);
  const warmUpTimes = flood.warmUp ? randomTimes(flood.warmUp.perSecond, flood.warmUp.seconds, random.fraction) : [];
  const start = (flood.warmUp?.seconds ?? 0) * 1_000;
  const times = [
    ...warmUpTimes,
    ...randomTimes(flood.perSecond, flood.seconds, random.fraction).map((time) => start + time),
  ];
  const deliveries = deliveriesAbout(externalServices.sessions, times.length, random.fraction);
  const request = (index: number) => at(deliveries, index % deliveries.length).wire;
  const referenceBefore = await measureReference(flood, request);

  await merchants.work();
  externalServices.hang(flood.hangMs);
  const { cpuMs } = await merchants.usage();
  const samples: Usage[] = [];
  const sampler = setInterval(async () => samples.push(await merchants.usage()), SAMPLE_MS);
  const answers = await sendLoad({ urls: merchants.urls, times, request, connections: CONNECTIONS });
  clearInterval(sampler);
  externalServices.hang(0);
  const floodEnd = performance.now();
  await drain(ledger, () => externalServices.effects.size >= flood.orders);
  const drainedMs = performance.now() - floodEnd;
  await merchants.close();
  await externalServices.close();
  const referenceAfter = await measureReference(flood, request);

  const unprocessed = await countUnprocessed(ledger);
  const lost = await countLost(ledger, new Set(deliveries));
  await ledger.close();
  return {
    acks: spreadOf(answers.latencies.subarray(warmUpTimes.length)),
    reference: referenceBefore.p99 > referenceAfter.p99 ? referenceBefore : referenceAfter,
    // A process that just started still grows while it warms up.
    memoryMb: memoryOf(samples.slice(start / SAMPLE_MS)),
    cpuMsEach: ((samples.at(-1)?.cpuMs ?? 0) - cpuMs) / times.length,
    drainedMs,
    violations: [
      ...wrongStatuses(answers),
      ...(unprocessed === 0
        ? []
        : [`${unprocessed} deliveries are still unprocessed ${Math.round(drainedMs / 1_000)} s after the flood.`]),
      ...(lost === 0 ? [] : [`${lost} deliveries were answered with 200 and are not in the ledger.`]),
      ...wrongOrders(externalServices.effects, flood.orders),
      ...findSecrets(merchants.output()).map((word) => `The server printed "${word.slice(0, 6)}…".`),
    ],
  };
}

/** Random deliveries about the sessions. One in ten repeats an earlier delivery byte for byte. */
function deliveriesAbout(sessions: readonly Session[], count: number, fraction: () => number): readonly Delivery[] {
  const deliveries: Delivery[] = [];
  for (let number = 0; number < count; number += 1) {
    const repeats = number > 0 && fraction() < 0.1;
    deliveries.push(repeats ? pick(deliveries, fraction) : deliveryOf(pick(sessions, fraction), number));
  }
  return deliveries;
}

async function measureReference(flood: Flood, request: (index: number) => Buffer): Promise<Spread> {
  if (!flood.measured) return { p50: 0, p99: 0, max: 0 };
  const merchant = await startMerchant("empty", "");
  const random = createSeededRandom(flood.seed + 1);
  const times = randomTimes(flood.perSecond, REFERENCE_SECONDS, random.fraction);
  const { latencies } = await sendLoad({ urls: [merchant.url], times, request, connections: CONNECTIONS });
  await merchant.close();
  return spreadOf(latencies);
}

/** Waits until nothing is due and every order is paid, or until the timeout. */
async function drain(ledger: Ledger, paid: () => boolean): Promise<void> {
  const until = performance.now() + DRAINED_WITHIN_MS;
  for (let quietChecks = 0; quietChecks < 3 && performance.now() < until; await sleep(DRAIN_CHECK_MS)) {
    const next = await ledger.nextDueAt();
    quietChecks = paid() && (next === null || next > Date.now() + DUE_SOON_MS) ? quietChecks + 1 : 0;
  }
}

/** Counts the unprocessed deliveries, including claimed ones. The server has stopped. */
async function countUnprocessed(ledger: Ledger): Promise<number> {
  // At this time every lease of the stopped server has ended.
  const request = { worker: "inspector", now: Date.now() + limits.jobLeaseMs, leaseMs: 60 * 60_000, limit: 100 };
  let unprocessed = 0;
  for (let jobs = await ledger.claim(request); jobs.length > 0; jobs = await ledger.claim(request)) {
    unprocessed += jobs.filter(({ kind }) => kind === "delivery").length;
  }
  return unprocessed;
}

/** Counts the acknowledged bodies that the ledger does not store. */
async function countLost(ledger: Ledger, accepted: Iterable<Delivery>): Promise<number> {
  let lost = 0;
  for (const { digest, bytes } of accepted) {
    const stored = await ledger.delivery(ENDPOINT, digest);
    if (stored === null || Buffer.compare(stored.bytes, bytes) !== 0) lost += 1;
  }
  return lost;
}

function wrongStatuses({ statuses }: LoadResult): string[] {
  const counts = new Map<number, number>();
  for (const status of statuses) if (status !== 200) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} genuine deliveries were answered with ${status || "nothing"}.`);
}

function wrongOrders(effects: ReadonlyMap<string, number>, orders: number): string[] {
  const twice = [...effects]
    .filter(([, count]) => count > 1)
    .map(([order]) => `${order} was marked paid more than once.`);
  return effects.size === orders ? twice : [...twice, `${orders} orders were paid, ${effects.size} are marked paid.`];
}

function spreadOf(latencies: Float64Array): Spread {
  const sorted = latencies.slice().sort();
  const quantile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: quantile(0.5), p99: quantile(0.99), max: quantile(1) };
}

function memoryOf(samples: readonly Usage[]): { first: number; last: number } {
  const third = Math.ceil(samples.length / 3);
  const highest = (part: readonly Usage[]) => Math.max(...part.map(({ rssMb }) => rssMb));
  return { first: highest(samples.slice(0, third)), last: highest(samples.slice(-third)) };
}

function pick<Value>(values: readonly Value[], fraction: () => number): Value {
  return at(values, Math.floor(fraction() * values.length));
}

function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index];
  if (value === undefined) throw new RangeError(`There is no value ${index}.`);
  return value;
}
