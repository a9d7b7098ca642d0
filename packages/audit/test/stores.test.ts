import { afterAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../../test/postgres/start-postgres.ts";
import { newFinding } from "../src/findings/finding.ts";
import { findingStoreOf } from "../src/guard/finding-store.ts";
import { auditLimits } from "../src/limits.ts";
import { factStoreOf, openFactDatabase } from "../src/store/fact-store.ts";
import { createWorld, newPayment } from "./shop-world.ts";

const postgres = await startPostgres();
afterAll(() => postgres.stop());

const amount = { minor: 500, currency: "XOF" };
const world = createWorld(1);
const finding = (since: number) =>
  newFinding({
    kind: "money_of_nobody",
    certainty: "certain",
    because: [],
    amount,
    since,
    orders: [],
    payments: [newPayment(world, since, amount)],
  });

describe.each([
  ["SQLite", "sqlite::memory:"],
  ["PostgreSQL", postgres.url],
])("what audit and guard keep in %s", (engine, url) => {
  it(`facts of several pages in ${engine} are read back once each, and the last one of an id counts`, async () => {
    const database = await openFactDatabase(url);
    const store = factStoreOf(database);
    const source = store.source("service live");
    const payments = Array.from({ length: auditLimits.factsPerRead + 700 }, (_, index) =>
      newPayment(world, index, amount),
    );
    const rows = payments.map((fact) => ({ kind: "payment" as const, id: fact.id, at: fact.at, fact }));
    await source.save([...rows, ...rows.slice(0, 3).map((row) => ({ ...row, fact: { ...row.fact, fee: 77 } }))]);
    await store.source("another").save(rows.slice(0, 5));
    const read = new Map<string, number | null>();
    for await (const { id, fee } of store.facts<(typeof payments)[number]>("payment", "service live")) {
      expect(read.has(id)).toBe(false);
      read.set(id, fee);
    }
    expect(read.size).toBe(payments.length);
    expect([...read.values()].filter((fee) => fee === 77)).toHaveLength(3);
    await source.remove("payment", payments.map(({ id }) => id).slice(0, 100));
    await source.setMark("page", "7");
    expect([await source.mark("page"), await store.source("another").mark("page")]).toEqual(["7", null]);
    await database.close();
  });

  it(`a finding in ${engine} heals when a round does not find it, and one that returns is told again`, async () => {
    const database = await openFactDatabase(url);
    const findings = findingStoreOf(database);
    const [left, right, old] = [finding(1_000), finding(2_000), finding(10)];
    await findings.recordRound([left, right, old], { from: 0, at: 5_000 });
    await findings.markAlerted([left.key, right.key, old.key], 5_500);
    await findings.recordRound([left], { from: 100, at: 6_000 });
    expect((await findings.healed(9)).map((row) => row.finding.key)).toEqual([right.key]);
    const open = (await findings.open(9)).map((row) => row.finding.key);
    expect(open.sort()).toEqual([left.key, old.key].sort());
    await findings.recordRound([left, right], { from: 100, at: 7_000 });
    expect((await findings.unalerted(7_000)).map((row) => row.finding.key)).toEqual([right.key]);
    expect(await findings.countHealed()).toBe(0);
    expect(await findings.changeState("x", null, "1")).toBe(true);
    expect(await findings.changeState("x", null, "2")).toBe(false);
    expect(await findings.changeState("x", "0", "2")).toBe(false);
    expect(await findings.changeState("x", "1", "2")).toBe(true);
    expect(await findings.state("x")).toBe("2");
    await database.close();
  });
});
