// npm run bench -- shopify [seconds]
//
// Shopify posts 200 payments a second for a minute to an app server in its own process, with a ledger in a file. Fails unless
// every post is answered with a redirect URL, 99 of 100 within 250 ms, and the memory of the process does not grow. For
// comparison it first measures a server without logic, because on a busy machine even that server may need more time.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { money } from "@tillkit/core";
import { createSandbox } from "@tillkit/sandbox";
import { createShopifySimulator, type SimulatedShop } from "@tillkit/shopify-simulator";
import { freePort } from "../../../../test/programs/free-port.ts";
import { configOf, connectionOf, saveSettings } from "../simulator/app-config.ts";
import { killProcess, startAppProcess } from "../simulator/start-app-process.ts";

const POSTS_PER_SECOND = 200;
const P99_MS = 250;
const WARM_UP_SECONDS = 5;
const MAX_HEAP_GROWTH_BYTES = 16 * 1024 * 1024;

const seconds = Number(process.argv[2] ?? 60);
const folder = await mkdtemp(join(tmpdir(), "tillkit-bench-"));
const simulator = await createShopifySimulator();
const sandbox = await createSandbox();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const more = { database: `sqlite:${join(folder, "ledger.db")}`, logLevel: "error" as const };
const config = configOf({ url, mode: "offsite", simulator, sandbox, more });
simulator.connectApp(connectionOf(url, "offsite"));
const shop = simulator.openShop("acme");
const child = await startAppProcess({ config, port, aheadMs: 0 });

try {
  const { status } = await saveServiceKey(shop);
  if (status !== 303) throw new Error(`The shop's settings were not saved (${status}).`);
  const timesOfEmptyServer = await postToEmptyServer();
  await postFor(shop, WARM_UP_SECONDS);
  const before = await usageOf(child);
  const { times, failed } = await postFor(shop, seconds);
  const after = await usageOf(child);
  process.exitCode = report({ times, failed, timesOfEmptyServer }, before, after) ? 0 : 1;
} finally {
  await killProcess(child);
  await Promise.all([simulator.close(), sandbox.close()]);
  await rm(folder, { recursive: true, force: true });
}

function saveServiceKey(target: SimulatedShop): Promise<Response> {
  return saveSettings(target, url, { testKey: sandbox.keys.test.secret, testSecret: "whsec_of_the_bench" });
}

/** Posts payments at a constant rate, however long the answers take. */
async function postFor(sender: SimulatedShop, durationSeconds: number) {
  const times: number[] = [];
  let failed = 0;
  const total = money(12_500, "XOF");
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let post = 0; post < durationSeconds * POSTS_PER_SECOND; post += 1) {
    const dueIn = startedAt + (post * 1_000) / POSTS_PER_SECOND - performance.now();
    if (dueIn > 1) await new Promise((resolve) => setTimeout(resolve, dueIn));
    const posting = sender.startPayment({ total }).then(({ answer }) => {
      times.push(answer.durationMs);
      if (answer.redirectUrl === null) failed += 1;
    });
    underWay.push(posting);
  }
  await Promise.all(underWay);
  return { times: times.sort((a, b) => a - b), failed };
}

type ResourceUsage = { readonly heapUsed: number; readonly rss: number; readonly cpuMs: number };

async function usageOf(app: ChildProcess): Promise<ResourceUsage> {
  const reported = once(app, "message");
  app.send("report the usage");
  const [usage] = await reported;
  return usage as ResourceUsage;
}

type Measurement = {
  readonly times: readonly number[];
  readonly failed: number;
  readonly timesOfEmptyServer: readonly number[];
};

function report(
  { times, failed, timesOfEmptyServer }: Measurement,
  before: ResourceUsage,
  after: ResourceUsage,
): boolean {
  const within = (share: number) => quantile(times, share);
  const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  const heapGrowth = after.heapUsed - before.heapUsed;
  console.log(`${times.length} payment posts in ${seconds} s, ${POSTS_PER_SECOND} a second`);
  console.log(`  without a redirect URL        ${failed}`);
  console.log(`  half within                   ${within(0.5).toFixed(1)} ms`);
  console.log(`  99 of 100 within              ${within(0.99).toFixed(1)} ms   (at most ${P99_MS})`);
  console.log(`  … of a server that does nothing ${quantile(timesOfEmptyServer, 0.99).toFixed(1)} ms`);
  console.log(`  slowest                       ${within(1).toFixed(1)} ms`);
  console.log(
    `  heap                          ${mb(before.heapUsed)} → ${mb(after.heapUsed)}   (grows by ${mb(MAX_HEAP_GROWTH_BYTES)} at most)`,
  );
  console.log(`  resident                      ${mb(before.rss)} → ${mb(after.rss)}`);
  console.log(`  processor time of a post      ${((after.cpuMs - before.cpuMs) / times.length).toFixed(2)} ms`);
  const isKept = failed === 0 && within(0.99) < P99_MS && heapGrowth < MAX_HEAP_GROWTH_BYTES;
  console.log(isKept ? "All limits are kept." : "A limit is exceeded.");
  return isKept;
}

function quantile(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

async function postToEmptyServer(): Promise<readonly number[]> {
  const empty = fork(fileURLToPath(new URL("./empty-process.ts", import.meta.url)), { execArgv: process.execArgv });
  const [emptyPort] = await once(empty, "message");
  simulator.connectApp({ url: `http://127.0.0.1:${emptyPort}`, paymentUrl: "/shopify/payment" });
  const { times } = await postFor(shop, WARM_UP_SECONDS);
  simulator.connectApp(connectionOf(url, "offsite"));
  await killProcess(empty);
  return times;
}
