// What a checkout costs the merchant's server, from startCheckout to the recorded order: with few payments in the ledger and with a
// million, and with several processes on one PostgreSQL. The service runs in this process, the merchant in others; the store is in memory.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openLedger } from "@tillkit/ledger";
import { startPostgres } from "../../postgres/start-postgres.ts";
import { bundleContender } from "./harness/bundle-contender.ts";
import { measureInRounds, printMeasurement, seriesOf } from "./harness/measurement.ts";
import { type Merchant, startMerchant, type WholeWay } from "./whole-way/merchant.ts";

const FEW_PAYMENTS = 1_000;
const MANY_PAYMENTS = Number(process.env.TILLKIT_BENCH_PAYMENTS ?? 1_000_000);
const ORDERS = 200;
const IN_FLIGHT = 16;
/** Of a large shop. */
const ORDERS_OF_A_DAY = 10_000;
const PROCESSES = [1, 2, 4] as const;
const FILL = fileURLToPath(new URL("../../../packages/ledger/test/bench/fill.ts", import.meta.url));
const RUN_SOURCE = ["--import", "tsx", "--conditions=@tillkit/source"];

const program = await bundleContender(new URL("./whole-way/one-merchant.ts", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "tillkit-whole-way-"));
try {
  await measureSizes();
  await measureProcesses();
} finally {
  await rm(folder, { recursive: true });
}

async function measureSizes(): Promise<void> {
  const few = await filledMerchant(join(folder, "few.db"), FEW_PAYMENTS);
  const many = await filledMerchant(join(folder, "many.db"), MANY_PAYMENTS);
  const small = `with ${FEW_PAYMENTS.toLocaleString("en")} payments`;
  const large = `with ${MANY_PAYMENTS.toLocaleString("en")} payments`;
  const measured = await measureAll({ ours: many, [small]: few });
  const { rssMb } = await few.checkOut(ORDERS_OF_A_DAY, IN_FLIGHT);
  await Promise.all([few.stop(), many.stop()]);
  const figure = (
    what: string,
    unit: string,
    of: (figures: WholeWay) => number,
    goal?: { atMost: number; timesOf?: string },
  ) => printMeasurement({ what: `SQLite, ${large}: ${what}`, unit, ...seriesOf(measured, of), ...(goal && { goal }) });
  figure("CPU of a checkout, beside a small ledger", "ms", ({ cpuMs }) => cpuMs, { atMost: 1.3, timesOf: small });
  figure("half of the orders paid within", "ms", ({ p50Ms }) => p50Ms);
  figure("99 of 100 paid within", "ms", ({ p99Ms }) => p99Ms);
  figure("memory", "MB", ({ rssMb }) => rssMb);
  const cpu = seriesOf(measured, ({ cpuMs }) => cpuMs);
  printMeasurement({
    what: "SQLite: CPU of a checkout",
    unit: "ms",
    ours: cpu.peers[small] ?? [],
    peers: {},
    goal: { atMost: 1 },
  });
  const orders = ORDERS_OF_A_DAY.toLocaleString("en");
  printMeasurement({ what: `SQLite: memory after ${orders} checkouts more`, unit: "MB", ours: [rssMb], peers: {} });
}

async function measureProcesses(): Promise<void> {
  const rates = new Map<number, readonly WholeWay[]>();
  for (const processes of PROCESSES) {
    // Each run has its own database: jobs left over from another run would ask that run's service.
    const postgres = await startPostgres({ durable: true });
    if (!postgres.isServer) {
      await postgres.stop();
      return;
    }
    // Processes that begin together on an empty database would only wait for each other's migrations.
    await (await openLedger(postgres.url)).close();
    const merchant = await startMerchant(program, postgres.url, processes);
    rates.set(processes, (await measureAll({ ours: merchant })).ours ?? []);
    await merchant.stop();
    await postgres.stop();
  }
  const cores = `${availableParallelism()} cores for all, the service and PostgreSQL too`;
  const [alone = [], ...others] = PROCESSES.map((processes) => rates.get(processes) ?? []);
  const peers = { "one process": alone.map(({ perSecond }) => perSecond) };
  printMeasurement({
    what: "PostgreSQL: CPU of a checkout",
    unit: "ms",
    ours: alone.map(({ cpuMs }) => cpuMs),
    peers: {},
  });
  for (const [index, measured] of others.entries()) {
    const ours = measured.map(({ perSecond }) => perSecond);
    const what = `PostgreSQL, ${PROCESSES[index + 1]} processes, ${cores}`;
    printMeasurement({ what, unit: "checkouts/s", ours, peers });
  }
}

async function filledMerchant(file: string, payments: number): Promise<Merchant> {
  const url = `sqlite:${file}`;
  await promisify(execFile)(process.execPath, [...RUN_SOURCE, FILL, url, String(payments), "boutique"]);
  return await startMerchant(program, url, 1);
}

async function measureAll(
  merchants: Readonly<Record<string, Merchant>>,
): Promise<Readonly<Record<string, readonly WholeWay[]>>> {
  const runs = Object.entries(merchants).map(
    ([name, merchant]) => [name, () => merchant.checkOut(ORDERS, IN_FLIGHT)] as const,
  );
  // Without a warm-up, the first round would measure how Node compiles.
  for (const [, run] of runs) {
    await run();
    await run();
  }
  return await measureInRounds(Object.fromEntries(runs));
}
