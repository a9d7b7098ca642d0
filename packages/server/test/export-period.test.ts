import { money, type Payment } from "@tillkit/core";
import { type Change, NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { expect, test } from "vitest";
import { exportPayments } from "../src/export/export-payments.ts";
import { exportSettlement } from "../src/export/export-settlement.ts";
import { noFees } from "../src/export/fees.ts";
import { readPeriod } from "../src/operators/handlers/export-period.ts";
import { readFilters } from "../src/operators/handlers/payment-filters.ts";

const DAYS_WITHOUT_MIDNIGHT = [
  ["2026-03-08", "America/Havana", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"],
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z"],
  ["2026-03-29", "Atlantic/Azores", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"],
] as const;

test.each(DAYS_WITHOUT_MIDNIGHT)(
  "an export and a filter of the day %s, whose midnight does not exist in %s, begin at 01:00",
  (day, zone, begin, end) => {
    const period = { from: Date.parse(begin), until: Date.parse(end), environment: "live" };
    expect(readPeriod({ from: day, until: day }, { zone, mode: "live" })).toEqual(period);
    expect(readFilters({ from: day, until: day }, { zone, mode: "live" }).filter).toEqual(period);
  },
);

test.each(DAYS_WITHOUT_MIDNIGHT)(
  "an export that ends before the day %s in %s ends at its midnight",
  (day, zone, begin) => {
    const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    expect(readPeriod({ from: dayBefore, until: dayBefore }, { zone, mode: "live" })?.until).toBe(Date.parse(begin));
  },
);

test.each(DAYS_WITHOUT_MIDNIGHT)(
  "the settlement of the day %s in %s counts its payments from 01:00 on, and those before on the day before",
  async (day, zone, begin, end) => {
    const ledger = createMemoryLedger();
    const first = Date.parse(begin);
    for (const createdAt of [first - 1, first, Date.parse(end) - 1]) await ledger.commit(paidAt(createdAt));
    const query = { from: first - 86_400_000, until: Date.parse(end) };
    const lines = (await textOf(exportSettlement(ledger, noFees, query, zone))).trim().split("\n").slice(1);
    const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    expect(lines.map((line) => line.split(",").slice(0, 3))).toEqual([
      [day, "XOF", "2"],
      [dayBefore, "XOF", "1"],
    ]);
    const ofDay = { ...readPeriod({ from: day, until: day }, { zone, mode: "live" }) };
    expect((await textOf(exportPayments(ledger, noFees, ofDay))).trim().split("\n")).toHaveLength(3);
  },
);

function paidAt(createdAt: number): Change {
  const id = `payment ${createdAt}`;
  const amount = money(5_000, "XOF");
  const next: Payment = {
    ...NEW_PAYMENT_DEFAULTS,
    ...{ id, ref: { storeId: "boutique", orderId: id }, orderNumber: id, attempt: "", environment: "live" },
    ...{ account: null, credentialId: "c", createdAt, amountDue: amount, wireAmount: amount.minor, request: "{}" },
    ...{ reference: id, session: null, state: "recorded", amountReceived: amount },
  };
  return { payment: { next, expect: "new" }, timeline: [] };
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}
