import type { StoreAdapter } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { HOUR, MINUTE, openFixture, type ScenarioFixture, SECOND } from "./fixture.ts";

/** Platforms as WooCommerce, Medusa and Shopify behave. */
const KINDS = ["read-then-write", "callback", "write-only"] as const;

type Calls = { underWay: number; most: number; count: number };

/** Counts the calls to the shop that are under way together from now on. */
function countCalls(calls: Calls): (adapter: StoreAdapter) => StoreAdapter {
  const isCounted = (name: string | symbol) => name === "findOrder" || name === "markPaid";
  return (adapter) =>
    new Proxy(adapter, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function" || !isCounted(name)) return member;
        return async (...input: unknown[]) => {
          calls.count += 1;
          calls.underWay += 1;
          calls.most = Math.max(calls.most, calls.underWay);
          try {
            return await Reflect.apply(member, target, input);
          } finally {
            calls.underWay -= 1;
          }
        };
      },
    });
}

/** Six orders are paid right after the shop began to refuse us. */
async function payWhileRefusing(fixture: ScenarioFixture, begin: () => void): Promise<readonly string[]> {
  const payments = [];
  for (let order = 0; order < 6; order += 1) payments.push(await fixture.startCheckout(await fixture.placeOrder()));
  begin();
  for (const payment of payments) await fixture.deliver(fixture.service.pay(payment));
  return payments.map(({ id }) => id);
}

async function countPaid({ ledger }: ScenarioFixture, ids: readonly string[]): Promise<number> {
  const found = await Promise.all(ids.map((id) => ledger.find({ id })));
  return found.filter((payment) => payment?.state === "recorded").length;
}

/** The time until all are paid, in whole seconds; at most `atMostMs`. */
async function secondsUntilPaid(fixture: ScenarioFixture, ids: readonly string[], atMostMs: number): Promise<number> {
  const since = fixture.clock.now();
  while ((await countPaid(fixture, ids)) < ids.length && fixture.clock.now() - since < atMostMs)
    await fixture.run(SECOND);
  expect(await countPaid(fixture, ids)).toBe(ids.length);
  expect(fixture.store.probe.effects()).toHaveLength(ids.length);
  expect(fixture.log.map(({ message }) => message)).not.toContain("job.dead_letter");
  return (fixture.clock.now() - since) / SECOND;
}

describe.each(KINDS)("a shop like %s", (kind) => {
  it.each([10 * SECOND, 36 * SECOND, 10 * MINUTE])(
    "paid orders are marked within a minute after the shop had refused every call, and at most one call at a time tried it (for %i ms)",
    async (blockMs) => {
      const calls = { underWay: 0, most: 0, count: 0 };
      const fixture = await openFixture(kind, { wrapAdapter: countCalls(calls) });
      const ids = await payWhileRefusing(fixture, () => fixture.store.setRefusing(true));
      await fixture.run(5 * SECOND);
      calls.most = 0;
      await fixture.run(blockMs - 5 * SECOND);
      expect(calls.most).toBeLessThanOrEqual(1);
      fixture.store.setRefusing(false);
      expect(await secondsUntilPaid(fixture, ids, HOUR)).toBeLessThanOrEqual(60);
    },
  );

  // Shopify prescribes when a shop is tried again: after ten minutes the next time is twelve minutes later.
  it.each(kind === "write-only" ? [10 * SECOND] : [10 * SECOND, 10 * MINUTE])(
    "paid orders are marked within a minute after the shop was in maintenance (for %i ms)",
    async (blockMs) => {
      const fixture = await openFixture(kind);
      const ids = await payWhileRefusing(fixture, () => fixture.store.setDown(true));
      await fixture.run(blockMs);
      fixture.store.setDown(false);
      expect(await secondsUntilPaid(fixture, ids, HOUR)).toBeLessThanOrEqual(60);
    },
  );

  it("paid orders are marked within a minute after a shopper starts to pay in a shop that had refused us for three hours", async () => {
    const fixture = await openFixture(kind);
    const ids = await payWhileRefusing(fixture, () => fixture.store.setRefusing(true));
    await fixture.run(3 * HOUR);
    fixture.store.setRefusing(false);
    await fixture.startCheckout(await fixture.placeOrder());
    expect(await secondsUntilPaid(fixture, ids, HOUR)).toBeLessThanOrEqual(60);
  });

  it("paid orders are marked within a quarter of an hour after a shop had refused us for three hours, without a sign of life", async () => {
    const calls = { underWay: 0, most: 0, count: 0 };
    const fixture = await openFixture(kind, { wrapAdapter: countCalls(calls) });
    const ids = await payWhileRefusing(fixture, () => fixture.store.setRefusing(true));
    await fixture.run(2 * HOUR);
    calls.count = 0;
    await fixture.run(HOUR);
    // Six payments wait, and a call every twelve to fifteen minutes tries the shop for all of them.
    expect(calls.count).toBeLessThanOrEqual(10);
    fixture.store.setRefusing(false);
    expect(await secondsUntilPaid(fixture, ids, HOUR)).toBeLessThanOrEqual(15 * 60 + 2);
  });

  it("paid orders are marked within a minute after a shop was upgraded, which answers 503 and 404 while it and our process start again", async () => {
    const fixture = await openFixture(kind, { ledger: "SQLite" });
    const ids = await payWhileRefusing(fixture, () => fixture.store.setDown(true));
    await fixture.run(20 * SECOND);
    fixture.crash();
    await fixture.run(20 * SECOND);
    fixture.store.setDown(false);
    fixture.store.setRefusing(true);
    await fixture.run(30 * SECOND);
    fixture.crash();
    await fixture.run(20 * SECOND);
    fixture.store.setRefusing(false);
    expect(await secondsUntilPaid(fixture, ids, HOUR)).toBeLessThanOrEqual(60);
  });
});
