import { describe, expect, it } from "vitest";
import { confirmPayment, limits, type OrderRef, runDue, startCheckout } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passTime, startPayment } from "../fixture/steps.ts";

/** Starts `count` orders and pays their sessions at the service. No webhook arrives. Returns the ids of the payments. */
async function startAndPayOrders(fixture: EngineFixture, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const ref = { storeId: "shop", orderId: `order-${index}` };
    fixture.store.order = anOrder({ ref });
    ids.push(await startPayment(fixture, fixture.store.order));
  }
  for (const id of fixture.service.sessions.keys()) fixture.service.pay(id);
  return ids;
}

const confirmAll = (fixture: EngineFixture, ids: readonly string[]) =>
  Promise.allSettled(ids.map((id) => confirmPayment(fixture.engine, id, { actor: "timer" })));

async function workForADay(fixture: EngineFixture): Promise<void> {
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    await fixture.clock.advance(60_000);
    await runDue(fixture.engine, { limit: 100 });
  }
}

describe("circuit breaker of the service", () => {
  it("the breaker opens after failed calls for three payments in a row, and one payment probes the service", async () => {
    const fixture = createEngineFixture();
    const ids = await startAndPayOrders(fixture, 10);
    fixture.service.fail = "down";
    for (const id of ids) await confirmAll(fixture, [id]);
    expect(fixture.service.reads).toHaveLength(limits.breakerOpensAt);
    expect(fixture.engine.circuitBreakers.list()).toMatchObject([{ target: "credential:key", failures: 3 }]);

    await fixture.clock.advance(limits.breakerFirstMs);
    for (const id of ids) await confirmAll(fixture, [id]);
    expect(fixture.service.reads).toHaveLength(limits.breakerOpensAt + 1);
  });

  it("one successful call closes the breaker for all payments", async () => {
    const fixture = createEngineFixture();
    const ids = await startAndPayOrders(fixture, 5);
    fixture.service.fail = "down";
    for (const id of ids) await confirmAll(fixture, [id]);
    fixture.service.fail = null;
    await fixture.clock.advance(limits.breakerFirstMs);
    const before = fixture.service.reads.length;
    for (const id of ids) await confirmAll(fixture, [id]);
    expect(fixture.service.reads.length - before).toBe(ids.length);
    expect(fixture.engine.circuitBreakers.list()).toEqual([]);
  });

  it("an open breaker lets one call probe the service at least once a minute", async () => {
    const fixture = createEngineFixture();
    const ids = await startAndPayOrders(fixture, 3);
    fixture.service.fail = "down";
    for (let round = 0; round < 50; round += 1) {
      await confirmAll(fixture, ids);
      await fixture.clock.advance(limits.breakerMaxMs);
    }
    const [breaker] = fixture.engine.circuitBreakers.list();
    expect((breaker?.openUntil ?? 0) - fixture.clock.now()).toBeLessThanOrEqual(limits.breakerMaxMs);
    const before = fixture.service.reads.length;
    await confirmAll(fixture, ids);
    expect(fixture.service.reads.length - before).toBe(1);
  });

  it("an outage of the service ends no job, however often the jobs were tried", async () => {
    const fixture = createEngineFixture({
      wrapLedger: (ledger) => ({
        ...ledger,
        claim: async (request) =>
          (await ledger.claim(request)).map((job) => ({ ...job, attempts: limits.maxJobAttempts })),
      }),
    });
    const ids = await startAndPayOrders(fixture, limits.breakerOpensAt);
    fixture.service.fail = "down";
    await confirmAll(fixture, ids);
    for (let minute = 0; minute < 60; minute += 1) {
      await fixture.clock.advance(60_000);
      expect(await runDue(fixture.engine, { limit: 100 })).toMatchObject({ dead: 0 });
    }
    fixture.service.fail = null;
    await passTime(fixture, { ms: 5 * 60_000, stepMs: 5_000 });
    for (const id of ids) expect((await fixture.ledger.find({ id }))?.amountReceived).toEqual(anOrder().total);
  });

  it("late failures of calls that started before the breaker opened do not lengthen its pause", async () => {
    const fixture = createEngineFixture();
    const { circuitBreakers } = fixture.engine;
    for (let call = 0; call < 50; call += 1) circuitBreakers.record("credential:key", `payment-${call}`, false);
    expect(circuitBreakers.openUntil("credential:key")).toBe(fixture.clock.now() + limits.breakerFirstMs);
  });

  it.each([1, 4, 40])(
    "%i paid orders are marked paid within 15 seconds after an outage of the service of 20 seconds",
    async (count) => {
      for (const seed of [1, 4, 7]) {
        const paid: string[] = [];
        const fixture = createEngineFixture({
          store: {
            findOrder: async (ref) => anOrder({ ref }),
            async markPaid({ paymentId }) {
              paid.push(paymentId);
              return { outcome: "recorded", evidence: "read-back" };
            },
          },
        });
        // A retry gets another random delay at another time, and each seed gives other delays.
        fixture.engine.random.fraction = () => ((seed * 7919 + fixture.clock.now()) % 1_000) / 1_000;
        const ids = await startAndPayOrders(fixture, count);
        fixture.service.fail = "down";
        const { ledger, clock } = fixture;
        const signal = { kind: "confirm", storeId: "shop", payload: "signal" } as const;
        // The webhooks arrive over the whole outage.
        for (let second = 0; second < 20; second += 1) {
          const arrived = ids.filter((_, index) => index % 20 === second);
          const jobs = arrived.map((paymentId) => ({ ...signal, paymentId, dueAt: clock.now() }));
          if (jobs.length > 0) await ledger.commit({ jobs, timeline: [] });
          await passTime(fixture, { ms: 1_000, stepMs: 1_000 });
        }
        fixture.service.fail = null;
        await passTime(fixture, { ms: 15_000, stepMs: 1_000 });
        expect(paid.sort()).toEqual(ids.sort());
      }
    },
  );

  it("a single payment that always fails opens no breaker", async () => {
    const fixture = createEngineFixture();
    const [first = "", second = ""] = await startAndPayOrders(fixture, 2);
    fixture.service.fail = "down";
    for (let round = 0; round < 20; round += 1) await confirmAll(fixture, [first]);
    expect(fixture.engine.circuitBreakers.list()).toEqual([]);
    fixture.service.fail = null;
    expect(await confirmPayment(fixture.engine, second, { actor: "timer" })).toMatchObject({ status: "paid" });
  });

  it("a session is opened even while the breaker is open", async () => {
    const fixture = createEngineFixture();
    const ids = await startAndPayOrders(fixture, 3);
    fixture.service.fail = "down";
    for (const id of ids) await confirmAll(fixture, [id]);
    fixture.service.fail = null;
    const order = anOrder({ ref: { storeId: "shop", orderId: "new" } });
    expect(await startCheckout(fixture.engine, order)).toMatchObject({ status: "redirect" });
    expect(fixture.engine.circuitBreakers.list()).toEqual([]);
  });
});

describe("circuit breaker of a store", () => {
  it("a store that does not respond is paused, and all its orders are marked paid once the store is back", async () => {
    let isDown = true;
    const calls: string[] = [];
    const fixture = createEngineFixture({
      store: {
        findOrder: async (ref) => {
          calls.push(ref.orderId);
          if (isDown) throw Object.assign(new Error("down"), { code: "unavailable" });
          return anOrder({ ref });
        },
        markPaid: async () => ({ outcome: "recorded", evidence: "read-back" }),
      },
    });
    const ids = await startAndPayOrders(fixture, 10);
    for (const id of ids) await confirmAll(fixture, [id]);
    expect(calls).toHaveLength(limits.breakerOpensAt);
    isDown = false;
    for (let minute = 0; minute < 15; minute += 1) {
      await fixture.clock.advance(60_000);
      await runDue(fixture.engine);
    }
    const states = await Promise.all(ids.map(async (id) => (await fixture.ledger.find({ id }))?.state));
    expect(new Set(states)).toEqual(new Set(["recorded"]));
  });
});

describe("a day's outage of the service", () => {
  it("a service's outage of a day costs at most two calls to the store for each payment", async () => {
    let orderReads = 0;
    const findOrder = async (ref: OrderRef) => {
      orderReads += 1;
      return anOrder({ ref });
    };
    const fixture = createEngineFixture({ store: { findOrder } });
    const ids = await startAndPayOrders(fixture, 10);
    fixture.service.fail = "down";
    orderReads = 0;
    await confirmAll(fixture, ids);
    await workForADay(fixture);
    expect(orderReads).toBeLessThanOrEqual(2 * ids.length);
  });
});

describe("a day's outage of a store", () => {
  it("a store's outage of a day costs at most two calls to the service for each payment", async () => {
    const findOrder = () => Promise.reject(Object.assign(new Error("down"), { code: "unavailable" }));
    const fixture = createEngineFixture({ store: { findOrder } });
    const ids = await startAndPayOrders(fixture, 10);
    await confirmAll(fixture, ids);
    await workForADay(fixture);
    expect(fixture.service.reads.length).toBeLessThanOrEqual(2 * ids.length);
  });

  it("a store that returns orders and refuses writes for a day costs one call to the service an hour for each payment", async () => {
    const markPaid = () => Promise.reject(Object.assign(new Error("no"), { code: "unavailable" }));
    const findOrder = async (ref: OrderRef) => anOrder({ ref });
    const fixture = createEngineFixture({ store: { findOrder, markPaid } });
    const ids = await startAndPayOrders(fixture, 10);
    await confirmAll(fixture, ids);
    await workForADay(fixture);
    // 24 hourly reads and a margin of two.
    expect(fixture.service.reads.length).toBeLessThanOrEqual(26 * ids.length);
  });
});
