// npm run bench -- connected [shops] [postgres://…]: a checkout server with 1,000 shops that connected themselves: how soon it is ready, its
// memory once every shop was used, and its processor time while nothing happens. SQLite unless an address of an empty database is given.
import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { saveLinkSecret } from "@tillkit/php-bridge";
import { createStoreRegistry, registeredEndpointId } from "@tillkit/server";
import { WOOCOMMERCE } from "../../src/protocol/platform.ts";

const MAX_START_MS = 5_000;
const MAX_MEMORY_MB = 250;
const MAX_IDLE_PERCENT = 2;
const IDLE_MS = 60_000;
const KEY = "a key of the bench that signs links, never of a real host";

/** What the measured process reports: `readyCpuMs`, its processor time until it was ready, and `usedMs` while it was idle. */
export type ConnectedUsage = {
  readonly readyMs: number;
  readonly readyCpuMs: number;
  readonly rssMb: number;
  readonly usedMs: number;
};

const [countText = "1000", address] = process.argv.slice(2);
const count = Number(countText);
const folder = await mkdtemp(join(tmpdir(), "tillkit-connected-"));
const database = address ?? `sqlite:${join(folder, "ledger.db")}`;
try {
  await connectShops();
  const { readyMs, readyCpuMs, rssMb, usedMs } = await measure();
  const idlePercent = (100 * usedMs) / IDLE_MS;
  const what = `${count} connected shops on ${address === undefined ? "SQLite" : "PostgreSQL"}`;
  const start = `${readyMs.toFixed(0)} ms, ${readyCpuMs.toFixed(0)} ms of a core`;
  report(`${what}: ready`, start, `at most ${MAX_START_MS} ms`, readyMs <= MAX_START_MS);
  report(`${what}: memory`, `${rssMb.toFixed(0)} MB`, `at most ${MAX_MEMORY_MB} MB`, rssMb <= MAX_MEMORY_MB);
  const isIdle = idlePercent < MAX_IDLE_PERCENT;
  report(`${what}: idle`, `${idlePercent.toFixed(2)} % of a core`, `under ${MAX_IDLE_PERCENT} %`, isIdle);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function report(what: string, measured: string, limit: string, isWithinLimit: boolean): void {
  console.log(`${what.padEnd(44)} ${measured}  (${limit})${isWithinLimit ? "" : "  MISSED"}`);
  if (!isWithinLimit) process.exitCode = 1;
}

/** Writes what the connection of each shop leaves in the ledger. */
async function connectShops(): Promise<void> {
  const ledger = await openLedger(database, { secretKeys: [KEY] });
  const registry = createStoreRegistry(ledger.records, systemClock);
  const now = Date.now();
  for (let number = 0; number < count; number += 1) {
    const storeId = `shop-${number}`;
    const id = registeredEndpointId(storeId, "test");
    const apiKey = `svc_sk_test_of_shop_${number}`;
    await saveLinkSecret(
      WOOCOMMERCE,
      storeId,
      `the link secret of shop ${number}, which is long enough`,
      ledger.secrets,
    );
    await ledger.credentials.put({
      ...{ id, storeIds: [storeId], environment: "test", apiKey, endpointId: id },
      baseUrl: "http://127.0.0.1:9",
      webhookSecrets: [`whsec_of_shop_${number}`],
    });
    const times = { stateSince: now, connectedAt: now };
    const facts = { name: `Shop ${number}`, currencies: ["XOF"], language: "fr", pluginVersion: "0.1.0" } as const;
    await registry.put({ storeId, address: `https://shop-${number}.example`, state: "connected", ...facts, ...times });
  }
  await ledger.close();
}

async function measure(): Promise<ConnectedUsage> {
  const program = fileURLToPath(new URL("./connected-shops-process.ts", import.meta.url));
  const child = fork(program, [database, KEY, String(IDLE_MS)]);
  return await new Promise((resolve, reject) => {
    child.once("message", (usage: ConnectedUsage) => resolve(usage));
    child.once("exit", (code) => reject(new Error(`The measured server ended with ${code}.`)));
  });
}
