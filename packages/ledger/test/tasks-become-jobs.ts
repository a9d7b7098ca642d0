import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { LedgerSchema, Session } from "../src/database/schema.ts";
import { older, placeOlderLedger } from "./older-ledger.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const HOSTS = { hostKinds: ["shopify.webhook", "shopify.modification"] } as const;
const CLAIM = { worker: "w", leaseMs: HOUR, limit: 9, ...HOSTS };

/** The tasks of Shopify's app in a ledger of the last version that had an outbox. */
export function tasksBecomeJobs(where: string, newUrl: () => string): void {
  it(`every task of an older ledger ${where} is a job under its key, due, waiting, leased, dead or done`, async () => {
    const url = newUrl();
    await placeOlderLedger(url);
    const openedAt = Date.now() - SECOND;
    const ledger = await openLedger(url);
    expect((await ledger.listJobs({ kind: "shopify.webhook", limit: 9 })).rows).toHaveLength(3);
    expect((await ledger.listJobs({ kind: "shopify.modification", limit: 9 })).rows).toHaveLength(2);
    const claimedAt = async (at: number) =>
      (await ledger.claim({ ...CLAIM, now: at })).map(({ payload }) => keyOf(JSON.parse(payload)));
    expect(await claimedAt(older.now)).toEqual(["refunds/create 4"]);
    expect(await claimedAt(older.now + 5 * SECOND)).toEqual(["orders/updated 3"]);
    expect(await claimedAt(older.now + 15 * SECOND)).toEqual(["gid://2"]);
    const waiting = (await ledger.listJobs({ kind: "shopify.webhook", readyBefore: older.now + 13 * HOUR, limit: 9 }))
      .rows;
    expect(waiting.map(({ payload, readyAt }) => [keyOf(JSON.parse(payload)), readyAt])).toContainEqual([
      "shop/redact 2",
      older.now + 12 * HOUR,
    ]);
    const [dead] = (await ledger.listJobs({ kind: "shopify.modification", dead: true, limit: 9 })).rows;
    expect(dead).toMatchObject({ storeId: "hats", paymentId: null, attempts: 0, readyAt: null });
    expect(dead?.error).toEqual({ code: "refund_not_recorded", message: "A person must act first." });
    // Nothing tells since when it waits, so it waits from now on.
    expect(dead?.dueAt).toBeGreaterThanOrEqual(openedAt);
    expect(keyOf(JSON.parse(dead?.payload ?? ""))).toBe("gid://1");
    await ledger.close();
  });

  it(`a webhook that Shopify repeats after an older ledger ${where} was opened is run once at most`, async () => {
    const url = newUrl();
    await placeOlderLedger(url);
    const ledger = await openLedger(url);
    const before = (await ledger.listJobs({ limit: 99 })).rows.length;
    for (const { kind, uniqueKey, state } of older.tasks) {
      const isDone = uniqueKey === "orders/create 1";
      expect(await ledger.jobByKey("hats", uniqueKey)).toMatchObject({ isDone });
      const payload = JSON.stringify(state);
      const job = {
        kind: kind as "shopify.webhook",
        storeId: "hats",
        paymentId: null,
        payload,
        dueAt: older.now,
        uniqueKey,
      };
      await ledger.commit({ jobs: [job], timeline: [] });
    }
    expect((await ledger.listJobs({ limit: 99 })).rows).toHaveLength(before);
    expect(await ledger.forgetJobs(older.now)).toBe(0);
    expect(await ledger.forgetJobs(older.now + 1)).toBe(1);
    const { rows } = await readRecords(url);
    expect(rows).toEqual([{ kind: "shop", version: 1 }]);
    await ledger.close();
  });

  it(`a task that a process of an older version still adds ${where} becomes a job, once`, async () => {
    const url = newUrl();
    await placeOlderLedger(url);
    const ledger = await openLedger(url);
    const process = await openDatabase<LedgerSchema>(url);
    const now = older.now - 24 * HOUR;
    await writeTask(process.db, now, { id: "9" });
    expect(await ledger.jobByKey("hats", "gid://9")).toMatchObject({ isDone: false });
    const claimed = await ledger.claim({ ...CLAIM, now });
    expect(claimed.map(({ kind, payload }) => [kind, JSON.parse(payload)])).toEqual([
      ["shopify.modification", { id: "9" }],
    ]);
    await ledger.commit({ finished: claimed.map(({ id }) => id), timeline: [] });
    await writeTask(process.db, now + 1, { id: "9" });
    expect(await ledger.claim({ ...CLAIM, now: now + 1 })).toEqual([]);
    expect(await ledger.jobByKey("hats", "gid://9")).toMatchObject({ isDone: true });
    const { rows } = await readRecords(url);
    expect(rows).toEqual([{ kind: "shop", version: 1 }]);
    await process.close();
    await ledger.close();
  });
}

function keyOf(state: object): string | undefined {
  const { topic, gid } = state as { readonly topic?: string; readonly gid?: string };
  return older.tasks.find(({ uniqueKey }) => uniqueKey === gid || uniqueKey.startsWith(`${topic} `))?.uniqueKey;
}

/** Writes a task as the outbox did: the entry of its due time, then its row. */
async function writeTask(db: Session, dueAt: number, state: object): Promise<void> {
  const put = async (storeId: string, kind: string, key: string, value: unknown) =>
    await sql`insert into tillkit_records (store_id, kind, key, value, version)
      values (${storeId}, ${kind}, ${key}, ${JSON.stringify(value)}, 1)`.execute(db);
  await put("", "shopify-modification-due", `${String(dueAt).padStart(15, "0")} ["hats","gid://9"]`, null);
  const task = { state, attempts: 1, dueAt, doneAt: null, reason: null };
  await put("hats", "shopify-modification", "gid://9", task);
}

async function readRecords(url: string) {
  const database = await openDatabase<LedgerSchema>(url);
  const records = await sql`select kind, version from tillkit_records`.execute(database.db);
  await database.close();
  return records;
}
