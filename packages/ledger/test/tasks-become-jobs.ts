import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { LedgerSchema, Session } from "../src/database/schema.ts";
import { HISTORY } from "../src/migrations/history.ts";

const NOON = Date.UTC(2026, 0, 6, 12);
const MINUTE = 60_000;
const SHOP = "acme.myshopify.com";
const HOSTS = { hostKinds: ["shopify.webhook", "shopify.modification"] } as const;

type FormerTask = {
  readonly state: object;
  readonly dueAt: number | null;
  readonly scheduledAt?: number;
  readonly doneAt: number | null;
  readonly reason: string | null;
};

const WAITING: FormerTask = { state: {}, dueAt: NOON, scheduledAt: NOON, doneAt: null, reason: null };

/** Writes a task as the former queue did: the entry of its due time, then its row. */
async function writeTask(db: Session, kind: string, key: string, task: Partial<FormerTask>): Promise<void> {
  const row = { ...WAITING, attempts: 1, ...task };
  const put = async (storeId: string, rowKind: string, rowKey: string, value: unknown) =>
    await sql`insert into tillkit_records (store_id, kind, key, value, version)
      values (${storeId}, ${rowKind}, ${rowKey}, ${JSON.stringify(value)}, 1)`.execute(db);
  if (row.dueAt !== null)
    await put("", `${kind}-due`, `${String(row.dueAt).padStart(15, "0")} ${JSON.stringify([SHOP, key])}`, null);
  await put(SHOP, kind, key, row);
}

/** The tasks of Shopify's app in a ledger that was written before jobs of hosts. */
export function tasksBecomeJobs(where: string, newUrl: () => string): void {
  it(`every task of an older ledger ${where} is a job under its key after the migration, due, waiting, leased, dead or done`, async () => {
    const url = newUrl();
    const old = await openDatabase<LedgerSchema>(url);
    await old.migrate({ ...HISTORY, steps: HISTORY.steps.slice(0, 8) });
    const webhook = { topic: "refunds/create", refundId: "é1", orderIds: ["7"] };
    await writeTask(old.db, "shopify-webhook", "refunds/create 1", { state: webhook });
    await writeTask(old.db, "shopify-webhook", "orders/create 2", {
      dueAt: null,
      doneAt: NOON - MINUTE,
      scheduledAt: 1,
    });
    await writeTask(old.db, "shopify-webhook", "shop/redact 3", { dueAt: NOON + 720 * MINUTE });
    await writeTask(old.db, "shopify-modification", "gid://1", { dueAt: null, reason: "refund_not_recorded" });
    await sql`insert into tillkit_records (store_id, kind, key, value, version)
      values (${SHOP}, 'shopify-shop', 'shop', 'not JSON', 4)`.execute(old.db);
    await old.close();

    const ledger = await openLedger(url);
    const { rows } = await ledger.listJobs({ limit: 9 });
    const known = { storeId: SHOP, paymentId: null, attempts: 0, error: null };
    expect(rows.toSorted((left, right) => left.payload.localeCompare(right.payload))).toHaveLength(3);
    const [redact] = rows.filter(({ readyAt }) => readyAt === NOON + 720 * MINUTE);
    expect(redact).toMatchObject({ ...known, kind: "shopify.webhook", payload: "{}", dueAt: NOON + 720 * MINUTE });
    const [dead] = rows.filter(({ readyAt }) => readyAt === null);
    expect(dead).toMatchObject({ kind: "shopify.modification", storeId: SHOP, payload: "{}", dueAt: NOON });
    expect(dead?.error).toEqual({ code: "refund_not_recorded", message: "A person must act first." });
    const claimed = await ledger.claim({ worker: "w", now: NOON, leaseMs: MINUTE, limit: 9, ...HOSTS });
    expect(claimed.map(({ kind, payload }) => [kind, JSON.parse(payload)])).toEqual([["shopify.webhook", webhook]]);
    for (const key of ["refunds/create 1", "orders/create 2", "shop/redact 3", "gid://1"]) {
      const isDone = key === "orders/create 2";
      expect(await ledger.jobByKey(SHOP, key)).toMatchObject({ isDone });
    }
    expect(await ledger.forgetJobs(NOON - MINUTE)).toBe(0);
    expect(await ledger.forgetJobs(NOON)).toBe(1);
    expect(await ledger.records.list({ kind: "shopify-webhook", limit: 9 })).toEqual([]);
    expect(await ledger.records.list({ kind: "shopify-webhook-due", limit: 9 })).toEqual([]);
    await ledger.close();
    const after = await openDatabase<LedgerSchema>(url);
    const { rows: left } = await sql`select kind, version from tillkit_records`.execute(after.db);
    expect(left).toEqual([{ kind: "shopify-shop", version: 4 }]);
    await after.close();
  });

  it(`a task that a process of an older version still adds ${where} becomes a job, once`, async () => {
    const url = newUrl();
    const ledger = await openLedger(url);
    const older = await openDatabase<LedgerSchema>(url);
    await writeTask(older.db, "shopify-modification", "gid://1", { state: { id: "1" } });
    expect(await ledger.jobByKey(SHOP, "gid://1")).toMatchObject({ isDone: false });
    const claimed = await ledger.claim({ worker: "w", now: NOON, leaseMs: MINUTE, limit: 9, ...HOSTS });
    expect(claimed.map(({ kind, payload }) => [kind, JSON.parse(payload)])).toEqual([
      ["shopify.modification", { id: "1" }],
    ]);
    await ledger.commit({ finished: claimed.map(({ id }) => id), timeline: [] });
    await writeTask(older.db, "shopify-modification", "gid://1", { dueAt: NOON + 1, state: { id: "1" } });
    expect(await ledger.countJobs(NOON)).toEqual({ due: 0, waiting: 0, dead: 0 });
    expect(await ledger.jobByKey(SHOP, "gid://1")).toMatchObject({ isDone: true });
    const { rows } = await sql`select * from tillkit_records`.execute(older.db);
    expect(rows).toEqual([]);
    await older.close();
    await ledger.close();
  });
}
