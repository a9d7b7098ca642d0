import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Payment } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { CompiledQuery } from "kysely";

// npx tsx --conditions=@tillkit/source packages/ledger/test/bench/ledger.ts [operations]
// Ratios are against one bare prepared insert a commit, measured in the same run on the same disk.
const OPERATIONS = Number(process.argv[2] ?? 5_000);
const AT_ONCE = 64;
const NOON = Date.UTC(2026, 0, 6, 12);
const folder = mkdtempSync(join(tmpdir(), "tillkit-bench-"));

const shop = await openDatabase<object>(`sqlite:${join(folder, "reference.db")}`);
await shop.migrate({ owner: "bench", steps: [{ name: "0001", sqlite: "create table rows (body blob) strict" }] });
const ledger = await openLedger(`sqlite:${join(folder, "ledger.db")}`);
const body = new Uint8Array(1024);
const insert = CompiledQuery.raw("insert into rows (body) values (?)", [body]);

const receive = (digest: string) =>
  ledger.receive([{ endpointId: "endpoint-1", digest, bytes: body, receivedAt: NOON }]);
const commit = (index: number, kind: string) =>
  ledger.commit({
    payment: { next: payment(`${kind}-${index}`), expect: "new" },
    jobs: [{ kind: "confirm", storeId: "hats", paymentId: `${kind}-${index}`, payload: "", dueAt: NOON }],
    story: [{ paymentId: `${kind}-${index}`, at: NOON, who: "shopper", what: "started", detail: "" }],
  });

const reference = await measure(1, () => shop.db.executeQuery(insert));
console.log(`reference: one bare insert a commit      ${show(reference)}`);
report("receive, one at a time", await measure(1, (index) => receive(`single-${index}`)));
report(`receive, ${AT_ONCE} at once`, await measure(AT_ONCE, (index) => receive(`together-${index}`)));
report("commit, one at a time", await measure(1, (index) => commit(index, "single")));
report(`commit, ${AT_ONCE} at once`, await measure(AT_ONCE, (index) => commit(index, "together")));
report("find by id", await measure(1, (index) => ledger.find({ id: `single-${index}` })));
report("lock and unlock an order", await measure(1, lockAndUnlock));
report("jobs claimed and finished", await drain());

await ledger.close();
await shop.close();
rmSync(folder, { recursive: true });

/** Operations a second. */
async function measure(atOnce: number, operation: (index: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let index = 0; index < OPERATIONS; index += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, offset) => operation(index + offset)));
  }
  return (OPERATIONS * 1000) / (performance.now() - start);
}

async function lockAndUnlock(index: number): Promise<void> {
  const ref = { storeId: "hats", orderId: `order-${index}` };
  const fence = await ledger.lockOrder(ref, "bench", NOON, 60_000);
  if (fence !== null) await ledger.unlockOrder(ref, fence);
}

async function drain(): Promise<number> {
  const start = performance.now();
  for (let done = 0; ; ) {
    const jobs = await ledger.claim({ worker: "bench", now: NOON, leaseMs: 60_000, limit: 20 });
    if (jobs.length === 0) return (done * 1000) / (performance.now() - start);
    await Promise.all(jobs.map(({ id }) => ledger.commit({ finished: [id], story: [] })));
    done += jobs.length;
  }
}

function report(name: string, rate: number): void {
  console.log(`${name.padEnd(40)} ${show(rate)}   ${(rate / reference).toFixed(2)} × reference`);
}

function show(rate: number): string {
  return `${Math.round(rate).toLocaleString("en").padStart(9)}/s`;
}

function payment(id: string): Payment {
  return {
    id,
    ref: { storeId: "hats", orderId: id },
    attempt: `try-${id}`,
    environment: "test",
    account: null,
    credentialId: "credential-1",
    createdAt: NOON,
    owed: { minor: 5000, currency: "XOF" },
    wireAmount: 5000,
    request: `{"amount":5000,"title":"Hat","metadata":{"tillkit_reference":"${id}"}}`,
    reference: `${id}.0123456789abcdef`,
    session: null,
    transactionId: null,
    state: "intent",
    version: 1,
    checks: 0,
    nextCheckAt: null,
    storeWriteAt: null,
    continueUrl: null,
    finding: null,
    waiver: null,
  };
}
