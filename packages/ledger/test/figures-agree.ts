import { NEW_PAYMENT_DEFAULTS, type Payment, type PaymentState, silentLog } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { LedgerSchema } from "../src/database/schema.ts";
import { HISTORY } from "../src/migrations/history.ts";
import { sumAllChanges } from "../src/payment-hours.ts";

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 0, 6, 12);
const STATES: readonly PaymentState[] = ["intent", "open", "verified", "recorded", "refunded"];
const ALL_HOURS = { bars: Array.from({ length: 48 }, (_, hour) => NOON + hour * HOUR), until: NOON + 48 * HOUR };

/** Tests that the ledger's sums agree with its payments, on one engine. */
export function figuresAgree(where: string, newUrl: () => string): void {
  it(`the figures ${where} are the same before and after summing, and agree with the payments themselves`, async () => {
    const url = newUrl();
    const ledger = await openLedger(url);
    const database = await openDatabase<LedgerSchema>(url);
    const figures = async () => sorted((await ledger.paymentStatistics(ALL_HOURS)).groups);
    for (const [index, state] of STATES.entries()) {
      for (let number = 0; number < 40; number += 1) {
        // Some payments stop at each state, so every state has payments in the end.
        if (index > number % 6) continue;
        const next = { ...paymentOf(number), state, version: index + 1 };
        expect(await ledger.commit({ payment: { next, expect: index === 0 ? "new" : index }, timeline: [] })).toBe(
          "done",
        );
      }
      const before = await figures();
      await sumAllChanges(database);
      expect(await countUnsummed()).toBe(0);
      expect(await figures()).toEqual(before);
      expect(before).toEqual(await countPayments());
    }
    const { groups } = await ledger.paymentStatistics({ ...ALL_HOURS, storeId: "store-1" });
    expect(groups.reduce((total, { count }) => total + count, 0)).toBe(20);
    await ledger.eraseStore("store-1");
    await sumAllChanges(database);
    expect(await figures()).toEqual(await countPayments());
    expect(await countEmptyRows()).toBe(0);
    await ledger.close();
    await database.close();

    async function countPayments() {
      const { rows } = await sql<{ created_at: number; state: string; amount: number }>`
        select created_at, state, amount_due_minor as amount from tillkit_payments`.execute(database.db);
      const counts = new Map<string, { bar: number; state: string; count: number; amount: number }>();
      for (const { created_at: at, state, amount } of rows) {
        const bar = Math.floor((at - NOON) / HOUR);
        const known = counts.get(`${bar} ${state}`) ?? { bar, state, count: 0, amount: 0 };
        counts.set(`${bar} ${state}`, { ...known, count: known.count + 1, amount: known.amount + amount });
      }
      return sorted([...counts.values()]);
    }

    async function countUnsummed(): Promise<number> {
      return await countRows("select count(*) as count from tillkit_payment_changes");
    }

    async function countEmptyRows(): Promise<number> {
      return await countRows("select count(*) as count from tillkit_payment_hours where count = 0");
    }

    async function countRows(query: string): Promise<number> {
      const { rows } = await sql.raw<{ count: number }>(query).execute(database.db);
      return rows[0]?.count ?? -1;
    }
  });

  it(`a ledger ${where} sums its changes by itself while payments are written`, async () => {
    const url = newUrl();
    const ledger = await openLedger(url);
    const database = await openDatabase<LedgerSchema>(url);
    for (let number = 0; number < 300; number += 1)
      await ledger.commit({ payment: { next: paymentOf(number), expect: "new" }, timeline: [] });
    await expect
      .poll(async () => (await sql`select 1 from tillkit_payment_hours`.execute(database.db)).rows.length)
      .toBeGreaterThan(10);
    const { rows } = await sql`select 1 from tillkit_payment_changes`.execute(database.db);
    // The ledger sums after every 256 commits.
    expect(rows.length).toBeLessThan(256);
    await ledger.close();
    await database.close();
  });

  it(`a ledger ${where} that cannot sum its changes logs a warning, and its figures stay right`, async () => {
    const url = newUrl();
    const warnings: unknown[] = [];
    const warn = (message: string, fields = {}) => warnings.push({ message, ...fields });
    const ledger = await openLedger(url, { log: { ...silentLog, warn } });
    const database = await openDatabase<LedgerSchema>(url);
    await sql.raw(REJECT_SUMS[database.engine]).execute(database.db);
    await ledger.commit({ payment: { next: paymentOf(1), expect: "new" }, timeline: [] });
    await expect.poll(() => warnings).toMatchObject([{ message: "ledger.hours_not_summed", code: expect.any(String) }]);
    expect(sorted((await ledger.paymentStatistics(ALL_HOURS)).groups)).toEqual([
      { bar: 1, state: "intent", count: 1, amount: 1_001 },
    ]);
    await ledger.close();
    await database.close();
  });

  it(`the payments of an older ledger ${where} are in the figures after its migration`, async () => {
    const url = newUrl();
    const old = await openDatabase<LedgerSchema>(url);
    // The sums come with the fourth migration.
    await old.migrate({ ...HISTORY, steps: HISTORY.steps.slice(0, 3) });
    for (const [number, state] of [
      [1, "recorded"],
      [2, "recorded"],
      [3, "closed"],
    ] as const)
      await sql`insert into tillkit_payments (id, store_id, order_id, attempt, environment, credential_id, created_at,
          amount_due_minor, amount_due_currency, wire_amount, request, reference, state, version, checks, store_tries)
        values (${`p${number}`}, ${`store-${number}`}, '1', '', 'live', 'c', ${NOON + number * HOUR}, 5000, 'XOF', 5000,
          '', '', ${state}, 1, 0, 0)`.execute(old.db);
    await old.close();
    const ledger = await openLedger(url);
    const common = { environment: "live", currency: "XOF", method: null, count: 1, amount: 5_000 };
    expect(sorted((await ledger.paymentStatistics(ALL_HOURS)).groups)).toEqual([
      { bar: 1, state: "recorded", count: 1, amount: 5_000 },
      { bar: 2, state: "recorded", count: 1, amount: 5_000 },
      { bar: 3, state: "closed", count: 1, amount: 5_000 },
    ]);
    expect((await ledger.paymentStatistics({ ...ALL_HOURS, storeId: "store-2" })).groups).toEqual([
      { bar: 2, state: "recorded", ...common },
    ]);
    await ledger.close();
  });
}

/** Statements after which no sum can be stored. */
const REJECT_SUMS = {
  sqlite: `create trigger reject_sums before insert on tillkit_payment_hours begin select raise(abort, 'full'); end`,
  postgres: "alter table tillkit_payment_hours add constraint reject_sums check (false)",
} as const;

type Group = { readonly bar: number; readonly state: string; readonly count: number; readonly amount: number };

function sorted(groups: readonly Group[]): readonly Group[] {
  return groups
    .map(({ bar, state, count, amount }) => ({ bar, state, count, amount }))
    .sort((left, right) => left.bar - right.bar || left.state.localeCompare(right.state));
}

function paymentOf(number: number): Payment {
  const id = `payment-${number}`;
  return {
    ...NEW_PAYMENT_DEFAULTS,
    id,
    ref: { storeId: `store-${number % 2}`, orderId: id },
    orderNumber: id,
    attempt: "",
    environment: "live",
    account: null,
    credentialId: "credential-1",
    createdAt: NOON + (number % 48) * HOUR + number * 1_000,
    amountDue: { minor: 1_000 + number, currency: "XOF" },
    wireAmount: 1_000 + number,
    request: "{}",
    reference: `${id}.0123456789abcdef`,
    session: null,
    state: "intent",
  };
}
