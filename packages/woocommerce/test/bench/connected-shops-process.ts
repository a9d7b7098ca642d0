// The server that connected-shops.ts measures: [database, key, idle time in ms]. Sends its usage and ends.
import { createServer } from "node:http";
import { createWooCommerceServer } from "../../src/index.ts";
import type { ConnectedUsage } from "./measure-processes.ts";

const [database = "", key = "", idleMs = "0"] = process.argv.slice(2);
let swept = 0;
const countSweeps = (message: string) => {
  if (message.startsWith("woo.sweep_")) swept += 1;
};
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

// Every shop was used once, so that the process holds all of them.
const { engine } = server.checkout;
const shops = await storeIds();
for (const storeId of shops) await engine.store(storeId);

// The keys are tried at the start, at a service that refuses every call, and each shop's orders are read once a day, for the first time
// after a minute. Nobody answers at the addresses of these shops.
await wait(50_000);
const beforeSweep = process.cpuUsage();
while (swept < shops.length) await wait(1_000);
const sweepMs = cpuMsSince(beforeSweep);
const before = process.cpuUsage();
await wait(Number(idleMs));
const usedMs = cpuMsSince(before);
const usage: ConnectedUsage = { readyMs, readyCpuMs, rssMb: process.memoryUsage.rss() / 1e6, sweepMs, usedMs };
process.send?.(usage, () => process.exit(0));

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
