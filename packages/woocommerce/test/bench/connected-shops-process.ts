// The server that connected-shops.ts measures: [database, key, idle time in ms]. Sends its usage and ends.
import { createServer } from "node:http";
import { createWooCommerceServer } from "../../src/index.ts";
import type { ConnectedUsage } from "./measure-processes.ts";

const [database = "", key = "", idleMs = "0"] = process.argv.slice(2);
const server = await createWooCommerceServer({
  publicUrl: "http://127.0.0.1:8080",
  database,
  keys: [key],
  service: { baseUrl: "http://127.0.0.1:9" },
  operators: { tokens: ["the token of the operators of the bench, long enough"] },
  stores: "self-service",
});
const http = createServer(server.listener);
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
server.start();
const readyMs = performance.now();
const readyCpuMs = cpuMsSince();

// Every shop was used once, so that the process holds all of them.
const { engine } = server.checkout;
for (const storeId of await storeIds()) await engine.store(storeId);

// The keys are tried at the start, and this service refuses every call.
await new Promise((resolve) => setTimeout(resolve, 20_000));
const before = process.cpuUsage();
await new Promise((resolve) => setTimeout(resolve, Number(idleMs)));
const usedMs = cpuMsSince(before);
const usage: ConnectedUsage = { readyMs, readyCpuMs, rssMb: process.memoryUsage.rss() / 1e6, usedMs };
process.send?.(usage, () => process.exit(0));

function cpuMsSince(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

async function storeIds(): Promise<readonly string[]> {
  const credentials = (await server.checkout.storedCredentials?.list()) ?? [];
  return credentials.flatMap(({ storeIds }) => storeIds);
}
