import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Payment } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const NOON = Date.UTC(2026, 0, 6, 12);
const CUSTOMERS = 50;

let folder: string;
let file: string;
let ledger: Ledger;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-erased-"));
  file = join(folder, "ledger.db");
  ledger = await openLedger(`sqlite:${file}`);
  await payOrders(ledger);
});
afterEach(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The ways in which personal data is erased. */
const ERASURES: readonly (readonly [string, (erasing: Ledger) => Promise<unknown>])[] = [
  ["orders are erased", (erasing) => erasing.eraseOrders(orders())],
  ["a shop is erased", (erasing) => erasing.eraseStore("hats")],
  ["old payments are pruned", (erasing) => erasing.prune({ before: NOON + 1, limit: 100 })],
];

describe("personal data on the disk", () => {
  it.each(ERASURES)("no byte of an address is left in the files after %s", async (_how, erase) => {
    expect(addressesOnDisk()).toBe(CUSTOMERS);
    await erase(ledger);
    expect(addressesOnDisk()).toBe(0);
  });

  it("an address that another process was reading is gone soon after that process has read it", async () => {
    const reader = await startReading();
    await ledger.eraseOrders(orders());
    expect(addressesOnDisk()).toBe(CUSTOMERS);
    await reader.end();
    await expect.poll(addressesOnDisk).toBe(0);
  });

  it("a program that closes right after an erasure waits for the reader, so that nothing is left", async () => {
    const reader = await startReading();
    await ledger.eraseOrders(orders());
    const closing = ledger.close();
    await reader.end();
    await closing;
    expect(addressesOnDisk()).toBe(0);
  });

  it("what an older version left in the free pages of a file is gone after one vacuum", async () => {
    await ledger.close();
    const older = await openDatabase<object>(`sqlite:${file}`);
    await sql`pragma secure_delete = off`.execute(older.db);
    await sql`delete from tillkit_deliveries`.execute(older.db);
    await sql`update tillkit_payments set request = ''`.execute(older.db);
    await older.close();
    expect(addressesOnDisk()).toBe(CUSTOMERS);
    ledger = await openLedger(`sqlite:${file}`);
    await ledger.vacuum?.();
    expect(addressesOnDisk()).toBe(0);
    expect(await ledger.find({ id: "p1" })).not.toBeNull();
  });
});

/** Another program that has begun to read the file. Until `end` it keeps the earlier versions of all pages. */
async function startReading() {
  const { db, close } = await openDatabase<object>(`sqlite:${file}`);
  await sql`begin`.execute(db);
  await sql`select count(*) from tillkit_payments`.execute(db);
  return {
    async end() {
      await sql`commit`.execute(db);
      await close();
    },
  };
}

const addressOf = (customer: number) => `awa.diop.${customer}@example.com`;

/** How many customers' addresses can be read in the database, its log and its index, byte by byte. */
function addressesOnDisk(): number {
  const bytes = [file, `${file}-wal`, `${file}-shm`].filter(existsSync).map((path) => readFileSync(path));
  const isOnDisk = (address: string) => bytes.some((content) => content.includes(address));
  return customers().filter((customer) => isOnDisk(addressOf(customer))).length;
}

function customers(): readonly number[] {
  return Array.from({ length: CUSTOMERS }, (_, index) => index + 1);
}

function orders() {
  return customers().map((customer) => ({ storeId: "hats", orderId: `${customer}` }));
}

/** One paid order of each customer, with its webhook. Every second body is longer than a page of the file. */
async function payOrders(paying: Ledger): Promise<void> {
  for (const customer of customers()) {
    const body = JSON.stringify({ email: addressOf(customer), note: "x".repeat(customer % 2 === 0 ? 10 : 9_000) });
    const key = { endpointId: "shop", digest: `digest ${customer}` };
    await paying.commit({ payment: { next: paymentOf(customer, body), expect: "new" }, timeline: [] });
    await paying.receive([{ ...key, bytes: new TextEncoder().encode(body), receivedAt: NOON }]);
    const outcome = { outcome: "processed", paymentId: `p${customer}`, processedAt: NOON } as const;
    await paying.commit({ processed: [{ ...key, ...outcome }], timeline: [] });
  }
  for (const { id } of await paying.claim({ worker: "w", now: NOON, leaseMs: 1_000, limit: 100 }))
    await paying.commit({ finished: [id], timeline: [] });
}

function paymentOf(customer: number, request: string): Payment {
  return {
    ...NEW_PAYMENT_DEFAULTS,
    id: `p${customer}`,
    ref: { storeId: "hats", orderId: `${customer}` },
    orderNumber: `${customer}`,
    attempt: "",
    environment: "test",
    account: null,
    credentialId: "credential",
    createdAt: NOON,
    amountDue: { minor: 5_000, currency: "XOF" },
    wireAmount: 5_000,
    request,
    reference: `p${customer}.0123456789abcdef`,
    session: null,
    state: "recorded",
  };
}
