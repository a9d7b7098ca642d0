import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@tillkit/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OrderFact } from "../src/facts/facts.ts";
import { createExportReader, type ExportOptions } from "../src/readers/export/read-export.ts";
import { readDate, readNumber } from "../src/readers/export/values.ts";
import { openFactStore } from "../src/store/fact-store.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillkit-export-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(text: string, options: Partial<ExportOptions> = {}) {
  const file = join(folder, "orders.csv");
  await writeFile(file, text);
  const store = await openFactStore("sqlite::memory:");
  const reader = createExportReader({ shop: "export", file, ...options });
  const job = {
    from: 0,
    until: Date.now(),
    now: Date.now(),
    recheckMs: 0,
    clock: systemClock,
    signal: new AbortController().signal,
  };
  const more = {
    onProgress: () => undefined,
    hashCustomer: (text: unknown) => (text === "" ? null : `hash of ${String(text).length}`),
  };
  const coverage = await reader.read({ ...job, ...more, store: store.source("shop export") });
  const orders: OrderFact[] = [];
  for await (const order of store.facts<OrderFact>("order")) orders.push(order);
  await store.close();
  return { coverage, orders };
}

const TRANSACTION = "0d3c2a52-3f0e-4f55-9b2f-8d5a9e1f7c11";

describe("an export of orders", () => {
  it("the columns of Shopify's export are understood, and an order with several items is one order", async () => {
    const { orders, coverage } = await read(
      `Name,Email,Financial Status,Paid at,Currency,Total,Created at,Payment Method,Payment Reference,Refunded Amount,Lineitem name\n` +
        `#1001,a@example.com,paid,2026-01-31 10:05:00 +0100,EUR,"1,250.50",2026-01-31 10:00:00 +0100,Pay,${TRANSACTION},0.00,Hat\n` +
        `#1001,a@example.com,,,,,2026-01-31 10:00:00 +0100,,,,Shoe\n` +
        `#1002,b@example.com,partially_refunded,2026-02-01 10:05:00 +0100,EUR,20.00,2026-02-01 10:00:00 +0100,Pay,,5.00,Hat\n`,
    );
    expect(orders).toMatchObject([
      {
        id: "1001",
        state: "paid",
        total: { minor: 125_050, currency: "EUR" },
        names: [TRANSACTION],
        method: "pay",
        createdAt: Date.UTC(2026, 0, 31, 9),
      },
      { id: "1002", state: "paid", refunded: { minor: 500 } },
    ]);
    expect(coverage.shows).toMatchObject({ refunds: true, methods: true, ids: true });
    expect(JSON.stringify(orders)).not.toContain("example.com");
  });

  it("a French spreadsheet with semicolons, comma decimals and its own words is understood", async () => {
    const { orders } = await read(
      `N°;Commande;Date;Montant TTC;Devise;État;Moyen de paiement\n` +
        `12;C-12;31/01/2026 10:00;12 500,00 F CFA;XOF;Réglée;Wave\n13;C-13;01/02/2026 09:30;4 000;XOF;Annulée;Wave\n`,
      { mapping: { total: "Montant TTC" }, zoneMinutes: 60 },
    );
    expect(orders.map(({ id, state, total, createdAt }) => [id, state, total.minor, createdAt])).toEqual([
      ["C-12", "paid", 12_500, Date.UTC(2026, 0, 31, 9)],
      ["C-13", "cancelled", 4_000, Date.UTC(2026, 1, 1, 8, 30)],
    ]);
  });

  it("a column that nothing is known of is asked for by name", async () => {
    await expect(read("Numéro de dossier,Somme\n1,5\n")).rejects.toMatchObject({
      code: "mapping_missing",
      message: expect.stringContaining("Numéro de dossier, Somme"),
    });
  });

  it("nested JSON is read by the names of its fields", async () => {
    const row = {
      id: 5,
      created_at: "2026-01-31T10:00:00Z",
      amounts: { grand: 5000 },
      currency: "XOF",
      status: "complete",
    };
    const { orders } = await read(JSON.stringify({ orders: [row] }), { mapping: { total: "amounts.grand" } });
    expect(orders).toMatchObject([{ id: "5", state: "paid", total: { minor: 5_000, currency: "XOF" } }]);
  });

  it.each([
    ["12 500,00 F CFA", "12500.00"],
    ["1,250.50", "1250.50"],
    ["1.250,5", "1250.5"],
    ["12.500", "12500"],
    ["12,500", "12500"],
    ["5000", "5000"],
    ["-3,20 €", "-3.20"],
  ])("the number %s is read", (text, number) => expect(readNumber(text)).toBe(number));

  it.each([
    ["2026-01-31T10:00:00.123Z", Date.UTC(2026, 0, 31, 10)],
    ["2026-01-31 10:00:00 +0100", Date.UTC(2026, 0, 31, 9)],
    ["2026-01-31", Date.UTC(2026, 0, 31)],
    ["31/01/2026 10:00", Date.UTC(2026, 0, 31, 10)],
    ["01/31/2026", Date.UTC(2026, 0, 31)],
    ["1769853600", 1_769_853_600_000],
    ["soon", null],
  ])("the date %s is read", (text, at) => expect(readDate(text, 0)).toBe(at));
});
