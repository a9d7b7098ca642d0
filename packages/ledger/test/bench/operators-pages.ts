// npm run bench:operators [-- payments]: the server time and the size of the operators' pages in a ledger of 1,000,000 payments, on
// both engines. Every page is requested once, so that nothing of it is cached, and then five times more.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StoreAdapter, silentLog, systemClock } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createCheckoutServer } from "@tillkit/server";
import express from "express";
import { startPostgres } from "../../../../test/start-postgres.ts";
import { fillLedger } from "./fill-ledger.ts";

const PAYMENTS = Number(process.argv[2] ?? 1_000_000);
const MAX_MS = 100;
const MAX_BYTES = 30 * 1_024;
const TOKEN = "the token of this bench, which is long enough";
/** The end of the year whose payments the ledger holds. */
const NOW = Date.UTC(2026, 0, 5, 12);

const PATHS = [
  "",
  "?period=24h",
  "?period=30d",
  "?period=90d",
  "?period=90d&store=store-7",
  "/payments",
  "/payments?state=closed",
  "/payments?mode=test&method=WAVE",
  "/payments?mode=live",
  "/payments?method=SPI&store=store-7",
  "/payments?least=4000&most=6000&currency=XOF&from=2025-06-01&until=2025-06-02",
  "/find?q=500000",
  "/find?q=txn_500000",
  "/find?q=nothing-has-this-number",
  "/refunds",
  "/disputes",
  "/deliveries",
  "/dead",
];

const shop: StoreAdapter = {
  platform: "none",
  writes: { kind: "conditional" },
  findOrder: async () => null,
  markPaid: async () => ({ outcome: "gone", detail: "no such order" }),
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
  for (const path of PATHS) report(engine, path, await measurePage(`${address}/operators${path}`, cookie));
  await checkout.close();
  server.close();
  server.closeAllConnections();
  await ledger.close();
}

/** `cpuMs`: this process's time for a repeated request, which other programs on the machine do not lengthen. */
type Measured = {
  readonly firstMs: number;
  readonly cpuMs: number;
  readonly againMs: number;
  readonly bytes: number;
  readonly status: number;
};

async function measurePage(url: string, cookie: string): Promise<Measured> {
  const first = await get(url, cookie);
  const again: number[] = [];
  const cpu = process.cpuUsage();
  for (let time = 0; time < 5; time += 1) again.push((await get(url, cookie)).ms);
  const { user, system } = process.cpuUsage(cpu);
  const cpuMs = (user + system) / 1_000 / again.length;
  return {
    firstMs: first.ms,
    cpuMs,
    againMs: again.sort((a, b) => a - b)[2] ?? 0,
    bytes: first.bytes,
    status: first.status,
  };
}

/** The bytes are those on the wire: a browser accepts gzip. */
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

function report(engine: string, path: string, { firstMs, cpuMs, againMs, bytes, status }: Measured): void {
  const isMissed = firstMs > MAX_MS || bytes > MAX_BYTES || status >= 500;
  if (isMissed) process.exitCode = 1;
  const times = `first ${firstMs.toFixed(0).padStart(5)} ms, then ${againMs.toFixed(0).padStart(4)} ms, ${cpuMs.toFixed(0).padStart(3)} ms CPU`;
  const size = `${(bytes / 1_024).toFixed(1).padStart(5)} KB`;
  console.log(`${engine.padEnd(9)} ${times}, ${size}, ${status}  /operators${path}${isMissed ? "  MISSED" : ""}`);
}
