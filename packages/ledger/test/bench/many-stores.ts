// npm run bench -- stores [stores [engine]]: one ledger for 100,000 stores, compared with a ledger for ten, on both engines. Measures what
// a worker, a checkout and a changed API key cost, and how many jobs a small store waits for behind the flood of another store.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@tillkit/core";
import { createStoredTenants } from "@tillkit/core/hosts";
import type { NewJob } from "@tillkit/core/ledger";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { startPostgres } from "../../../../test/postgres/start-postgres.ts";

const FEW = 10;
const MANY = Number(process.argv[2] ?? 100_000);
const ENGINE = process.argv[3] ?? "both";
const JOBS_PER_STORE = 3;
const FLOOD = 50_000;
const ROWS_PER_COMMIT = 2_000;
const KEYS_AT_ONCE = 64;
const SAMPLES = 40;
/** Primes, so that the samples visit stores all over the ledger. */
const STORE_STEP = 7_919;
const SAMPLE_STEP = 104_729;
const NOON = Date.UTC(2026, 0, 6, 12);
const TOMORROW = NOON + 24 * 3_600_000;
const SECRET_KEYS = ["0123456789abcdef0123456789abcdef"];

const folder = mkdtempSync(join(tmpdir(), "tillkit-bench-"));
try {
  if (ENGINE !== "postgres")
    await compare("sqlite", `sqlite:${join(folder, "few.db")}`, `sqlite:${join(folder, "many.db")}`);
  if (ENGINE !== "sqlite") await comparePostgres();
} finally {
  rmSync(folder, { recursive: true });
}

async function comparePostgres(): Promise<void> {
  // On a machine without PostgreSQL, startPostgres opens PGlite instead, whose figures say nothing about a server.
  const [few, many] = [await startPostgres(), await startPostgres()];
  if (few.isServer && many.isServer) await compare("postgres", few.url, many.url);
  else console.log("postgres: no server on this machine, nothing measured");
  await Promise.all([few.stop(), many.stop()]);
}

async function compare(engine: string, fewUrl: string, manyUrl: string): Promise<void> {
  const few = await measureAll(`${engine}, ${FEW} stores`, fewUrl, FEW);
  const many = await measureAll(`${engine}, ${MANY.toLocaleString("en")} stores`, manyUrl, MANY);
  for (const [name, value] of Object.entries(many)) {
    const valueOfFew = few[name as keyof typeof few];
    console.log(
      `${engine}, ${name}: ${valueOfFew.toFixed(2)} with ${FEW} stores, ${value.toFixed(2)} with ${MANY.toLocaleString("en")}`,
    );
  }
}

async function measureAll(title: string, url: string, stores: number) {
  const ledger = await openLedger(url, { secretKeys: SECRET_KEYS });
  const started = performance.now();
  await addWaitingJobs(ledger, stores);
  await addKeys(ledger, stores);
  console.log(`${title}: filled in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  const figures = {
    ...(await measureKeys(ledger, stores)),
    "claim of one due job, ms": await measureClaims(ledger, stores, 1),
    "claim of 20 due jobs of 20 stores, ms": await measureClaims(ledger, stores, Math.min(stores, 20)),
    ...(await measureFlood(ledger)),
  };
  await ledger.close();
  return figures;
}

/** Open payments: every store has jobs that are due tomorrow. */
async function addWaitingJobs(ledger: Ledger, stores: number): Promise<void> {
  const jobs: NewJob[] = [];
  for (let store = 0; store < stores; store += 1) {
    for (let count = 0; count < JOBS_PER_STORE; count += 1) jobs.push(jobOf(nameOf(store), TOMORROW));
  }
  await addJobs(ledger, jobs);
}

async function addJobs(ledger: Ledger, jobs: readonly NewJob[]): Promise<void> {
  for (let from = 0; from < jobs.length; from += ROWS_PER_COMMIT)
    await ledger.commit({ jobs: jobs.slice(from, from + ROWS_PER_COMMIT), timeline: [] });
}

async function addKeys(ledger: Ledger, stores: number): Promise<void> {
  const tenants = createStoredTenants({ credentials: ledger.credentials, clock: systemClock });
  for (let from = 0; from < stores; from += KEYS_AT_ONCE) {
    const count = Math.min(KEYS_AT_ONCE, stores - from);
    await Promise.all(Array.from({ length: count }, (_, index) => tenants.put(keyOf(from + index))));
  }
}

/**
 * Measures how long a new process waits for its first API key, a checkout for the key of its store, and an owner for a key to be
 * stored; and how much memory the keys take.
 */
async function measureKeys(ledger: Ledger, stores: number) {
  const tenants = createStoredTenants({ credentials: ledger.credentials, clock: systemClock });
  const heapBefore = heapUsed();
  const { ms: first } = await timed(() => tenants.credentialFor(nameOf(0), "test"));
  let next = 0;
  const other = await median(async () => {
    next = (next + STORE_STEP) % stores;
    await tenants.credentialFor(nameOf(next), "test");
    await tenants.service(`key-${next}`);
  });
  // A key is encrypted and committed each time, so the same key costs as much as a changed one.
  const store = await median(() => tenants.put(keyOf(next)));
  const storeAndRead = await median(async () => {
    await tenants.put(keyOf(next));
    await tenants.credentialFor(nameOf(next), "test");
  });
  return {
    "first API key read by a new process, ms": first,
    "API key and client of a store, ms": other,
    "API key stored, ms": store,
    "API key stored and read, ms": storeAndRead,
    "API keys in memory, MB": (heapUsed() - heapBefore) / 2 ** 20,
  };
}

async function measureClaims(ledger: Ledger, stores: number, due: number): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const names = Array.from({ length: due }, (_, index) =>
      nameOf((sample * SAMPLE_STEP + index * STORE_STEP) % stores),
    );
    await addJobs(
      ledger,
      names.map((name) => jobOf(name, NOON)),
    );
    const { ms, result: claimed } = await timed(() => claim(ledger));
    times.push(ms);
    assert.equal(claimed.length, due);
    await ledger.commit({ finished: claimed.map(({ id }) => id), timeline: [] });
  }
  return medianOf(times);
}

/** One store has a flood of due jobs; then a job of a small store becomes due. */
async function measureFlood(ledger: Ledger) {
  await addJobs(
    ledger,
    Array.from({ length: FLOOD }, (_, index) => jobOf("flooded", NOON - FLOOD + index)),
  );
  const times: number[] = [];
  const waits: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await addJobs(ledger, [jobOf("small", NOON)]);
    for (let claimedBefore = 0; ; ) {
      const { ms, result: jobs } = await timed(() => claim(ledger));
      times.push(ms);
      await ledger.commit({ finished: jobs.map(({ id }) => id), timeline: [] });
      const place = jobs.findIndex(({ storeId }) => storeId === "small");
      if (place >= 0) {
        waits.push(claimedBefore + place);
        break;
      }
      claimedBefore += jobs.length;
      assert.ok(jobs.length > 0);
    }
  }
  return {
    "claim beside a flood, ms": medianOf(times),
    "jobs before a small store's job, at most": Math.max(...waits),
  };
}

function claim(ledger: Ledger) {
  return ledger.claim({ worker: "bench", now: NOON, leaseMs: 60_000, limit: 20 });
}

function jobOf(storeId: string, dueAt: number): NewJob {
  return { kind: "confirm", storeId, paymentId: null, payload: "", dueAt };
}

// A multiplicative hash, so that stores with neighbouring numbers are far apart in an index.
function nameOf(store: number): string {
  return `store-${String((store * 2_654_435_761) % 4_294_967_296).padStart(10, "0")}`;
}

function keyOf(store: number) {
  return {
    id: `key-${store}`,
    storeIds: [nameOf(store)],
    apiKey: `svc_sk_test_${String(store).padStart(32, "0")}`,
    baseUrl: "https://service.example",
    endpointId: `endpoint-${store}`,
    webhookSecrets: ["whsec_0123456789abcdef0123456789abcdef"],
  };
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) times.push((await timed(work)).ms);
  return medianOf(times);
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
