import { type Equation, type Payment, type PaymentState, type Refund, silentLog } from "@tillkit/core";
import { balance, equationOf, NEW_PAYMENT_DEFAULTS, type RefundState, sumOfEquations } from "@tillkit/core/ledger";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { type Database, openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { LedgerSchema } from "../src/database/schema.ts";
import { sumAllChanges } from "../src/payment-hours.ts";
import { older, placeOlderLedger } from "./older-ledger.ts";

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 0, 6, 12);
const STATES: readonly PaymentState[] = ["intent", "open", "verified", "recorded", "refunded"];
const hoursFrom = (begin: number) => ({
  bars: Array.from({ length: 48 }, (_, hour) => begin + hour * HOUR),
  until: begin + 48 * HOUR,
});
const ALL_HOURS = hoursFrom(NOON);

/** Tests that the ledger's sums agree with its payments, on one engine. */
export function figuresAgree(where: string, newUrl: () => string): void {
  it(`the figures ${where} are the same before and after summing, and agree with the payments themselves`, async () => {
    const url = newUrl();
    const ledger = await openLedger(url);
    const database = await openDatabase<LedgerSchema>(url);
    const figures = async () => sorted((await ledger.paymentStatistics(ALL_HOURS)).groups);
    for (const index of STATES.keys()) {
      for (let number = 0; number < 40; number += 1) {
        // Some payments stop at each state, so every state has payments in the end.
        if (index > number % 6) continue;
        await commitState(ledger, number, index);
      }
      const before = await figures();
      await sumAllChanges(database);
      expect(await countRows(database, "tillkit_payment_changes")).toBe(0);
      expect(await figures()).toEqual(before);
      expect(before).toEqual(await countPayments(ledger, database));
    }
    const { groups } = await ledger.paymentStatistics({ ...ALL_HOURS, storeId: "store-1" });
    expect(groups.reduce((total, { count }) => total + count, 0)).toBe(20);
    await ledger.eraseStore("store-1");
    await sumAllChanges(database);
    expect(await figures()).toEqual(await countPayments(ledger, database));
    expect(await countRows(database, "tillkit_payment_hours where count = 0")).toBe(0);
    await ledger.close();
    await database.close();
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
      { bar: 1, state: "intent", count: 1, ...figure(0) },
    ]);
    await ledger.close();
    await database.close();
  });

  it(`the money of the payments of an older ledger ${where} is in the figures after it was opened`, async () => {
    const url = newUrl();
    await placeOlderLedger(url);
    const ledger = await openLedger(url);
    const database = await openDatabase<LedgerSchema>(url);
    const begin = Math.floor(older.now / HOUR - 24) * HOUR;
    // The first commit starts the computation of the equations in the background.
    const next = { ...paymentOf(1), environment: "test" as const, createdAt: older.now };
    await ledger.commit({ payment: { next, expect: "new" }, timeline: [] });
    await expect.poll(() => countRows(database, "tillkit_payments where sum_currency is null")).toBe(0);
    const { groups } = await ledger.paymentStatistics(hoursFrom(begin));
    expect(sorted(groups)).toEqual(await countPayments(ledger, database, begin));
    const { received, returned, leaving, disputed } = sumOfEquations(
      "XOF",
      groups.map(({ equation }) => equation),
    );
    for (const part of [received, returned, leaving, disputed]) expect(part.minor).toBeGreaterThan(0);
    await ledger.close();
    await database.close();
  });
}

/** Statements after which no sum can be stored. */
const REJECT_SUMS = {
  sqlite: `create trigger reject_sums before insert on tillkit_payment_hours begin select raise(abort, 'full'); end`,
  postgres: "alter table tillkit_payment_hours add constraint reject_sums check (false)",
} as const;

type Group = { readonly bar: number; readonly state: string; readonly count: number; readonly equation: Equation };

function figure(received: number, returned = 0) {
  return { equation: balance(null, "XOF", { received, returned, leaving: 0, disputed: 0 }) };
}

function sorted(groups: readonly Group[]): readonly Group[] {
  return groups
    .map(({ bar, state, count, equation }) => ({ bar, state, count, equation }))
    .sort((left, right) => left.bar - right.bar || left.state.localeCompare(right.state));
}

/** The groups, from the equations of the payments themselves. */
async function countPayments(ledger: Ledger, { db }: Database<LedgerSchema>, begin = NOON): Promise<readonly Group[]> {
  const { rows } = await sql<{ id: string }>`select id from tillkit_payments`.execute(db);
  const groups = new Map<string, Group>();
  for (const { payment, movements } of await ledger.paymentsWithMovements(rows.map(({ id }) => id))) {
    const { createdAt, state } = payment;
    const bar = Math.floor((createdAt - begin) / HOUR);
    const known = groups.get(`${bar} ${state}`) ?? { bar, state, count: 0, ...figure(0) };
    const equation = sumOfEquations("XOF", [known.equation, equationOf(payment, movements)]);
    groups.set(`${bar} ${state}`, { ...known, count: known.count + 1, equation });
  }
  return sorted([...groups.values()]);
}

async function countRows({ db }: Database<LedgerSchema>, rowsOf: string): Promise<number> {
  const { rows } = await sql.raw<{ count: number }>(`select count(*) as count from ${rowsOf}`).execute(db);
  return rows[0]?.count ?? -1;
}

/** One commit of a payment. Some refunds are committed with their payment, others alone. */
async function commitState(ledger: Ledger, number: number, index: number): Promise<void> {
  const state = STATES[index] ?? "intent";
  const next = { ...paymentOf(number), state, version: index + 1 };
  const payment = { next, expect: index === 0 ? ("new" as const) : index };
  const refunds = [refundOf(number, state === "refunded" ? "completed" : "requested")];
  expect(await ledger.commit({ payment, ...(number % 3 === 0 ? { refunds } : {}), timeline: [] })).toBe("done");
  if (number % 3 === 1) expect(await ledger.commit({ refunds, timeline: [] })).toBe("done");
}

function refundOf(number: number, state: RefundState): Refund {
  return {
    key: `refund-${number}`,
    paymentId: `payment-${number}`,
    origin: "store",
    amount: { minor: 100 + number, currency: "XOF" },
    request: "{}",
    transactionId: "txn_1",
    state,
    refundId: null,
    requestedAt: NOON,
    readOnlySince: null,
    mark: null,
    markReadAt: null,
    unmarkedKey: null,
    otherKeys: [],
  };
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
