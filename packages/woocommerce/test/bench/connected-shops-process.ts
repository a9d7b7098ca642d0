// The server that connected-shops.ts measures: [database, key, idle time in ms]. Sends its usage and ends.
import { createServer } from "node:http";
import { createWooCommerceServer } from "../../src/index.ts";
import type { ConnectedUsage } from "./measure-processes.ts";

const [database = "", key = "", idleMs = "0"] = process.argv.slice(2);
let swept = 0;
const countSweeps = (message: string) => {
  if (message.startsWith("woo.sweep_")) swept += 1;
};
const MAX_SWEPT = 1_000;
const SETTLE_MS = 10_000;
const server = await createWooCommerceServer(
  {
    publicUrl: "http://127.0.0.1:8080",
    database,
    keys: [key],
    service: { baseUrl: "http://127.0.0.1:9" },
    operators: { tokens: ["the token of the operators of the bench, long enough"] },
    stores: "self-service",
  },
  { log: { info: countSweeps, warn: countSweeps, error: countSweeps } },
);
const http = createServer(server.listener);
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
server.start();
const readyMs = performance.now();
const readyCpuMs = cpuMsSince();

const { engine } = server.checkout;
const shops = await storeIds();
const isSweepAwaited = shops.length <= MAX_SWEPT;
// The keys are tried at the start, at a service that refuses every call, and each shop's orders are read once a day, for the first time
// after a minute. Nobody answers at the addresses of these shops, and so many take too long to wait for.
const early = isSweepAwaited ? null : await measureIdle();
// Every shop was used once, so that the process holds all that it ever holds.
for (const storeId of shops) await engine.store(storeId);
const rssMb = process.memoryUsage.rss() / 1e6;
const sweepMs = isSweepAwaited ? await measureSweep() : null;
const idle = early ?? (await measureIdle());
const usage: ConnectedUsage = { readyMs, readyCpuMs, rssMb, sweepMs, ...idle };
process.send?.(usage, () => process.exit(0));

async function measureSweep(): Promise<number> {
  await wait(50_000);
  const before = process.cpuUsage();
  while (swept < shops.length) await wait(1_000);
  return cpuMsSince(before);
}

/** Before the first sweep, or after it. */
async function measureIdle(): Promise<Pick<ConnectedUsage, "idlePercent">> {
  await wait(SETTLE_MS);
  const [before, startedAt] = [process.cpuUsage(), performance.now()];
  await wait(Number(idleMs));
  return { idlePercent: (100 * cpuMsSince(before)) / (performance.now() - startedAt) };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function cpuMsSince(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

async function storeIds(): Promise<readonly string[]> {
  const credentials = (await server.checkout.storedCredentials?.list()) ?? [];
  return credentials.flatMap(({ storeIds }) => storeIds);
}
