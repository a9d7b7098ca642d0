// npx tsx --conditions=@tillkit/source packages/ledger/test/bench/ledger.ts [operations]
// The ratios compare with a bare prepared insert per commit. This reference is measured again before every slice, because the
// load of disk and machine changes every second. The report shows the median, the lowest and the highest ratio.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Payment } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS, type NewJob } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { CompiledQuery } from "kysely";

const OPERATIONS = Number(process.argv[2] ?? 5_000);
const SLICES = 7;
const CONCURRENCY = 64;
const NOON = Date.UTC(2026, 0, 6, 12);
const folder = mkdtempSync(join(tmpdir(), "tillkit-bench-"));

const referenceDatabase = await openDatabase<object>(`sqlite:${join(folder, "reference.db")}`);
await referenceDatabase.migrate({
  owner: "bench",
  steps: [{ name: "0001", sqlite: "create table rows (body blob) strict" }],
});
const ledger = await openLedger(`sqlite:${join(folder, "ledger.db")}`);
const body = new Uint8Array(1024);
const insert = CompiledQuery.raw("insert into rows (body) values (?)", [body]);

const receive = (digest: string) =>
  ledger.receive([{ endpointId: "endpoint-1", digest, bytes: body, receivedAt: NOON }]);
const committedIds: string[] = [];
const newJob = (storeId: string, paymentId: string): NewJob => ({
  kind: "confirm",
  storeId,
  paymentId,
  payload: "",
  dueAt: NOON,
});

let nextIndex = 0;
await report("receive, one at a time", 1, (index) => receive(`delivery-${index}`));
await report(`receive, ${CONCURRENCY} at once`, CONCURRENCY, (index) => receive(`delivery-${index}`));
await report("commit, one at a time", 1, commit);
await report(`commit, ${CONCURRENCY} at once`, CONCURRENCY, commit);
await report("find by id", 1, findPayment);
await report("lock and unlock an order", 1, lockAndUnlock);
await report("add, claim and finish 10 jobs", 1, addClaimAndFinish);

await ledger.close();
await referenceDatabase.close();
rmSync(folder, { recursive: true });

async function report(name: string, atOnce: number, operation: (index: number) => Promise<unknown>): Promise<void> {
  const rates: number[] = [];
  const ratios: number[] = [];
  for (let slice = 0; slice < SLICES; slice += 1) {
    const reference = await measure(1, () => referenceDatabase.db.executeQuery(insert));
    const rate = await measure(atOnce, operation);
    rates.push(rate);
    ratios.push(rate / reference);
  }
  const { lowest, median, highest } = spread(ratios);
  const perSecond = Math.round(spread(rates).median).toLocaleString("en").padStart(8);
  const ratio = `${median.toFixed(2)} × reference (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
  console.log(`${name.padEnd(30)} ${perSecond}/s   ${ratio}`);
}

/** Operations per second in one slice. */
async function measure(atOnce: number, operation: (index: number) => Promise<unknown>): Promise<number> {
  const rounds = Math.ceil(OPERATIONS / SLICES / atOnce);
  const start = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(Array.from({ length: atOnce }, () => operation(nextIndex++)));
  }
  return (rounds * atOnce * 1000) / (performance.now() - start);
}

function spread(values: readonly number[]): { lowest: number; median: number; highest: number } {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return { lowest: at(0), median: at(Math.floor(sorted.length / 2)), highest: at(sorted.length - 1) };
}

async function commit(index: number): Promise<void> {
  const id = `payment-${index}`;
  const result = await ledger.commit({
    payment: { next: newPayment(id), expect: "new" },
    jobs: [newJob("hats", id)],
    timeline: [{ paymentId: id, at: NOON, actor: "shopper", kind: "started" }],
  });
  // A commit that does nothing would look fast.
  assert.equal(result, "done");
  committedIds.push(id);
}

async function findPayment(index: number): Promise<void> {
  const id = committedIds[index % committedIds.length] ?? "";
  assert.equal((await ledger.find({ id }))?.id, id);
}

async function lockAndUnlock(index: number): Promise<void> {
  const ref = { storeId: "hats", orderId: `order-${index}` };
  const fence = await ledger.lockOrder(ref, "bench", NOON, 60_000);
  assert.equal(fence, 1);
  await ledger.unlockOrder(ref, 1);
}

async function addClaimAndFinish(index: number): Promise<void> {
  await ledger.commit({ jobs: Array.from({ length: 10 }, () => newJob("shoes", `payment-${index}`)), timeline: [] });
  const jobs = await ledger.claim({ worker: "bench", now: NOON, leaseMs: 60_000, limit: 100 });
  assert.ok(jobs.length >= 10);
  await ledger.commit({ finished: jobs.map(({ id }) => id), timeline: [] });
}

function newPayment(id: string): Payment {
  return {
    ...NEW_PAYMENT_DEFAULTS,
    id,
    ref: { storeId: "hats", orderId: id },
    orderNumber: id,
    attempt: `try-${id}`,
    environment: "test",
    account: null,
    credentialId: "credential-1",
    createdAt: NOON,
    amountDue: { minor: 5000, currency: "XOF" },
    wireAmount: 5000,
    request: `{"amount":5000,"title":"Hat","metadata":{"tillkit_reference":"${id}"}}`,
    reference: `${id}.0123456789abcdef`,
    session: null,
    state: "intent",
  };
}
