// npm run bench -- ledger [payments]: compares how long a confirm and a claim take in a ledger of 1,000 and in a ledger of 1,000,000
// finished payments, on both engines. One run alternates between the two ledgers, so that load affects both equally.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Payment } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { startPostgres } from "../../../../test/postgres/start-postgres.ts";
import { fillLedger } from "./fill-ledger.ts";

const FEW = 1_000;
const MANY = Number(process.argv[2] ?? 1_000_000);
const MAX_RATIO = 1.3;
const SLICES = 15;
const OPERATIONS_PER_SLICE = 200;
const WARM_UP = 1_000;
const NOON = Date.UTC(2026, 0, 6, 12);
const STORE = "store-7";

const folder = mkdtempSync(join(tmpdir(), "tillkit-bench-"));
try {
  await compare("sqlite", `sqlite:${join(folder, "few.db")}`, `sqlite:${join(folder, "many.db")}`);
  const servers = [await startPostgres(), await startPostgres()] as const;
  if (servers[0].isServer) await compare("postgres", servers[0].url, servers[1].url);
  else console.log("postgres: no server on this machine, nothing measured");
  await Promise.all(servers.map((server) => server.stop()));
} finally {
  rmSync(folder, { recursive: true });
}

type Operation = (ledger: Ledger) => Promise<void>;

async function compare(engine: string, fewUrl: string, manyUrl: string): Promise<void> {
  const few = await openFilledLedger(fewUrl, FEW);
  const many = await openFilledLedger(manyUrl, MANY);
  for (const [name, operation] of Object.entries({ confirm, claim })) {
    await measure(few, operation, WARM_UP);
    await measure(many, operation, WARM_UP);
    const slices: { few: number; many: number }[] = [];
    for (let slice = 0; slice < SLICES; slice += 1) {
      slices.push({ few: await measure(few, operation), many: await measure(many, operation) });
    }
    report(`${engine}, ${name}`, slices);
  }
  await few.close();
  await many.close();
}

async function openFilledLedger(url: string, payments: number): Promise<Ledger> {
  const ledger = await openLedger(url);
  const start = performance.now();
  await fillLedger(url, payments, STORE);
  console.log(
    `${payments.toLocaleString("en")} payments filled in ${((performance.now() - start) / 1_000).toFixed(0)} s`,
  );
  return ledger;
}

/** The ledger calls of a payment from its start to its confirmation by a webhook. */
async function confirm(ledger: Ledger): Promise<void> {
  const id = randomUUID();
  const ref = { storeId: STORE, orderId: `order-of-${id}` };
  let payment = newPayment(id);
  const save = async (change: Partial<Payment>, fence?: number) => {
    const next = { ...payment, ...change, version: payment.version + 1 };
    const result = await ledger.commit({
      ...(fence === undefined ? {} : { fence: { ref, value: fence } }),
      payment: { next, expect: payment.version },
      timeline: [{ paymentId: id, at: NOON, actor: "webhook", kind: "paid" }],
    });
    // A commit that does nothing would look fast.
    assert.equal(result, "done");
    payment = next;
  };
  assert.equal(await ledger.commit({ payment: { next: payment, expect: "new" }, timeline: [] }), "done");
  await save({ state: "open", session: { id: `cs-${id}`, url: "https://pay.example/x", expiresAt: NOON + 3_600_000 } });
  assert.equal((await ledger.find({ sessionId: `cs-${id}` }))?.id, id);
  const fence = (await ledger.lockOrder(ref, "bench", NOON, 60_000)) ?? 0;
  assert.equal((await ledger.paymentsOfOrder(ref)).length, 1);
  await save({ state: "verified", transactionId: `txn-${id}` }, fence);
  await save({ state: "recorded", nextCheckAt: null }, fence);
  await ledger.unlockOrder(ref, fence);
}

/** A delivery is received, then its job is claimed and finished. */
async function claim(ledger: Ledger): Promise<void> {
  await ledger.receive([
    { endpointId: "endpoint-1", digest: randomUUID(), bytes: new Uint8Array(64), receivedAt: NOON },
  ]);
  const [job] = await ledger.claim({ worker: "bench", now: NOON, leaseMs: 60_000, limit: 10 });
  assert.ok(job);
  await ledger.commit({ finished: [job.id], timeline: [] });
}

/** Milliseconds per operation. */
async function measure(ledger: Ledger, operation: Operation, count = OPERATIONS_PER_SLICE): Promise<number> {
  const start = performance.now();
  for (let done = 0; done < count; done += 1) await operation(ledger);
  return (performance.now() - start) / count;
}

function report(name: string, slices: readonly { few: number; many: number }[]): void {
  const median = (values: readonly number[]) =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const ratio = median(slices.map(({ few, many }) => many / few));
  const [few, many] = [median(slices.map((slice) => slice.few)), median(slices.map((slice) => slice.many))];
  const times = `${few.toFixed(2)} ms at ${FEW.toLocaleString("en")}, ${many.toFixed(2)} ms at ${MANY.toLocaleString("en")}`;
  console.log(
    `${name.padEnd(20)} ${times}: ${ratio.toFixed(2)} × (at most ${MAX_RATIO} ×)${ratio <= MAX_RATIO ? "" : "  MISSED"}`,
  );
  // A ratio that is not a number misses the goal too.
  if (!(ratio <= MAX_RATIO)) process.exitCode = 1;
}

function newPayment(id: string): Payment {
  return {
    ...NEW_PAYMENT_DEFAULTS,
    id,
    ref: { storeId: STORE, orderId: `order-of-${id}` },
    orderNumber: `order-of-${id}`,
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "credential-1",
    createdAt: NOON,
    amountDue: { minor: 5_000, currency: "XOF" },
    wireAmount: 5_000,
    request: `{"amount":5000,"title":"Hat","metadata":{"tillkit_reference":"${id}"}}`,
    reference: `${id}.0123456789abcdef`,
    session: null,
    state: "intent",
    nextCheckAt: NOON + 120_000,
  };
}
