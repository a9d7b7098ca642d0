// npm run bench -- operators [payments]: the server time and the size of the operators' pages in a ledger of 1,000,000 payments, on
// both engines. Every page is requested once, while nothing of the page is cached, and then twenty times more. `/export.csv` is left out
// and `/settlement` has no period, because with a period both wait for the service.
// A page misses its target when it fails, when it is larger than 30 KB, or when the first request or a repeated request takes more than
// 60 ms of CPU in this process and in the database. Wall times are printed with the load of the machine, because other programs lengthen
// them.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type StoreAdapter, silentLog, systemClock } from "@tillkit/core";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { createCheckoutServer } from "@tillkit/server";
import { type Database, openDatabase } from "@tillkit/sql";
import express from "express";
import { sql } from "kysely";
import { startPostgres } from "../../../../test/postgres/start-postgres.ts";
import { fillLedger } from "./fill-ledger.ts";

const PAYMENTS = Number(process.argv[2] ?? 1_000_000);
const MAX_CPU_MS = 60;
const MAX_BYTES = 30 * 1_024;
const TOKEN = "the token of this bench, which is long enough";
/** The end of the year whose payments the ledger holds. */
const NOW = Date.UTC(2026, 0, 5, 12);

const REPEATS = 20;

/** `:paid`, `:held` and `:delivery` stand for rows of the ledger. */
const PATHS = [
  "/login",
  "",
  "?period=24h",
  "?period=30d",
  "?period=90d",
  "?period=90d&store=store-7",
  "?period=90d&zone-of=Asia/Kolkata",
  "/payments",
  "/payments?state=closed",
  "/test",
  "/live",
  "/test/payments",
  "/live/payments",
  "/test/payments?state=recorded",
  "/test/payments?method=WAVE",
  "/test/refunds",
  "/live/disputes",
  "/technical",
  "/payments?method=SPI&store=store-7",
  "/payments?least=4000&most=6000&currency=XOF&from=2025-06-01&until=2025-06-02",
  "/payments/:paid",
  "/payments/:held",
  "/payments/:held/accept",
  "/payments/:paid/refund",
  "/find?q=500000",
  "/find?q=txn_500000",
  "/find?q=nothing-has-this-number",
  "/refunds",
  "/disputes",
  "/deliveries",
  "/deliveries?outcome=orphan",
  "/deliveries/:delivery",
  "/dead",
  "/endpoints",
  "/export",
  "/settlement",
  "/time-zone",
  "/acts",
];

const shop: StoreAdapter = {
  platform: "none",
  writes: { kind: "conditional" },
  findOrder: async () => null,
  markPaid: async () => ({ outcome: "gone" }),
  holdForReview: async () => undefined,
  shopperUrl: async () => "https://shop.example/",
};

const folder = mkdtempSync(join(tmpdir(), "tillkit-bench-"));
try {
  await measureEngine("sqlite", `sqlite:${join(folder, "ledger.db")}`);
  const server = await startPostgres();
  if (server.isServer) await measureEngine("postgres", server.url);
  else console.log("postgres: no server on this machine, nothing measured");
  await server.stop();
} finally {
  rmSync(folder, { recursive: true });
}

async function measureEngine(engine: string, url: string): Promise<void> {
  const ledger = await openLedger(url);
  await fillLedger(url, PAYMENTS, "store-7");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credential = { id: "credential-1", apiKey: "svc_sk_test_0123456789abcdefghijklmnopqrstuv", baseUrl: address };
  const checkout = createCheckoutServer({
    publicUrl: address,
    keys: ["a key of this bench that is long enough"],
    ledger,
    stores: { "store-7": shop, "store-8": shop },
    credentials: [
      { ...credential, storeIds: ["store-7", "store-8"], endpointId: "endpoint-1", webhookSecrets: ["whsec_1"] },
    ],
    operators: { tokens: [TOKEN] },
    clock: { ...systemClock, now: () => NOW },
    log: silentLog,
  });
  server.on("request", express().use(checkout.router));
  const cookie = await logIn(address);
  // A new process compiles its code during its first request.
  await get(`${address}/operators/time-zone`, cookie);
  const ids = await idsOf(ledger);
  const database = await openDatabase<object>(url);
  for (const path of PATHS) {
    const zone = /zone-of=(.+)$/.exec(path)?.[1];
    const cookies = zone === undefined ? cookie : `${cookie}; tillkit_zone=${encodeURIComponent(zone)}`;
    const pageUrl = `${address}/operators${path.replace(/:(\w+)/, (_, name: string) => ids[name] ?? "missing")}`;
    report(engine, path, await measurePage(pageUrl, cookies, () => databaseCpuMs(database)));
  }
  await database.close();
  await checkout.close();
  server.close();
  server.closeAllConnections();
  await ledger.close();
}

async function idsOf(ledger: Ledger): Promise<Readonly<Record<string, string>>> {
  const [paid] = (await ledger.listPayments({ states: ["recorded"], limit: 1 })).rows;
  const [held] = (await ledger.listPayments({ states: ["review"], limit: 1 })).rows;
  const [delivery] = (await ledger.listDeliveries({ limit: 1 })).rows;
  return {
    paid: paid?.id ?? "",
    held: held?.id ?? "",
    delivery: `${delivery?.endpointId}/${delivery?.digest}`,
  };
}

/** The time that the connections of PostgreSQL have used so far, from Linux; 0 on SQLite, which works in this process. */
async function databaseCpuMs({ engine, db }: Database<object>): Promise<number> {
  if (engine === "sqlite" || process.platform !== "linux") return 0;
  const { rows } = await sql<{
    pid: number;
  }>`select pid from pg_stat_activity where backend_type = 'client backend'`.execute(db);
  const ticks = rows.map(({ pid }) => {
    // After the name in brackets, which may contain blanks: utime and stime are the 12th and 13th field.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  const msPerTick = 10;
  return ticks.reduce((sum, value) => sum + value, 0) * msPerTick;
}

/** `firstCpuMs`, `cpuMs`: CPU of this process and of the database for the first request, and on average for a repeated request. */
type Measurement = {
  readonly firstMs: number;
  readonly firstCpuMs: number;
  readonly cpuMs: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly bytes: number;
  readonly status: number;
};

async function measurePage(url: string, cookie: string, databaseCpu: () => Promise<number>): Promise<Measurement> {
  const repeatMs: number[] = [];
  const cpuNow = async () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000 + (await databaseCpu());
  };
  const before = await cpuNow();
  const first = await get(url, cookie);
  const afterFirst = await cpuNow();
  for (let time = 0; time < REPEATS; time += 1) repeatMs.push((await get(url, cookie)).ms);
  const afterAll = await cpuNow();
  const sorted = repeatMs.sort((a, b) => a - b);
  const { bytes, status } = first;
  const at = (share: number) => sorted[Math.ceil(REPEATS * share) - 1] ?? 0;
  return {
    firstMs: first.ms,
    firstCpuMs: afterFirst - before,
    cpuMs: (afterAll - afterFirst) / REPEATS,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    bytes,
    status,
  };
}

/** `bytes` counts the compressed body, because browsers accept gzip. */
async function get(url: string, cookie: string): Promise<{ ms: number; bytes: number; status: number }> {
  const start = performance.now();
  return await new Promise((resolve, reject) => {
    const headers = { cookie, "accept-encoding": "gzip", "accept-language": "en" };
    request(url, { headers }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.byteLength;
      });
      response.on("end", () => resolve({ ms: performance.now() - start, bytes, status: response.statusCode ?? 0 }));
    })
      .on("error", reject)
      .end();
  });
}

async function logIn(address: string): Promise<string> {
  const page = await fetch(`${address}/operators/login`);
  const cookie = page.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const form = /name="form" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const body = new URLSearchParams({ form, token: TOKEN });
  const answer = await fetch(`${address}/operators/login`, {
    method: "POST",
    body,
    headers: { cookie },
    redirect: "manual",
  });
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

function report(engine: string, path: string, measured: Measurement): void {
  const { firstMs, firstCpuMs, medianMs, p95Ms, cpuMs, bytes, status } = measured;
  const isMissed = Math.max(firstCpuMs, cpuMs) > MAX_CPU_MS || bytes > MAX_BYTES || status >= 500;
  if (isMissed) process.exitCode = 1;
  const ms = (value: number) => value.toFixed(0).padStart(4);
  const wall = `first ${ms(firstMs)} ms, median ${ms(medianMs)} ms, p95 ${ms(p95Ms)} ms`;
  const times = `CPU first ${ms(firstCpuMs)} ms, then ${ms(cpuMs)} ms; wall ${wall}, load ${(loadavg()[0] ?? 0).toFixed(1)}`;
  const size = `${(bytes / 1_024).toFixed(1).padStart(5)} KB`;
  console.log(`${engine.padEnd(9)} ${times}, ${size}, ${status}  /operators${path}${isMissed ? "  MISSED" : ""}`);
}
