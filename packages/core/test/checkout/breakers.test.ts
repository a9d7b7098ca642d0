import { describe, expect, it } from "vitest";
import { confirmPayment, limits, type OrderRef, runDue, startCheckout } from "../../src/index.ts";
import { anOrder } from "../fixtures.ts";
import { createSmallWorld, type SmallWorld } from "./small-world.ts";

/** Payments of that many orders, all paid, with every webhook lost. */
async function paidOrders(world: SmallWorld, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const ref = { storeId: "shop", orderId: `order-${index}` };
    world.store.order = anOrder({ ref });
    const { paymentId } = await startCheckout(world.engine, world.store.order);
    ids.push(paymentId ?? "");
  }
  for (const id of world.service.sessions.keys()) world.service.pay(id);
  return ids;
}

const readAll = (world: SmallWorld, ids: readonly string[]) =>
  Promise.allSettled(ids.map((id) => confirmPayment(world.engine, id, { actor: "timer" })));

async function aDay(world: SmallWorld): Promise<void> {
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    await world.clock.advance(60_000);
    await runDue(world.engine, { limit: 100 });
  }
}

describe("circuit breaker of the service", () => {
  it("the breaker opens after failed calls for three payments in a row, and one payment probes the service", async () => {
    const world = createSmallWorld();
    const ids = await paidOrders(world, 10);
    world.service.fail = "down";
    for (const id of ids) await readAll(world, [id]);
    expect(world.service.reads).toHaveLength(limits.breakerOpensAt);
    expect(world.engine.circuitBreakers.list()).toMatchObject([{ target: "credential:key", failures: 3 }]);

    await world.clock.advance(limits.breakerFirstMs);
    for (const id of ids) await readAll(world, [id]);
    expect(world.service.reads).toHaveLength(limits.breakerOpensAt + 1);
  });

  it("one successful call closes the breaker for all payments", async () => {
    const world = createSmallWorld();
    const ids = await paidOrders(world, 5);
    world.service.fail = "down";
    for (const id of ids) await readAll(world, [id]);
    world.service.fail = null;
    await world.clock.advance(limits.breakerFirstMs);
    const before = world.service.reads.length;
    for (const id of ids) await readAll(world, [id]);
    expect(world.service.reads.length - before).toBe(ids.length);
    expect(world.engine.circuitBreakers.list()).toEqual([]);
  });

  it("an open breaker lets one call probe the service at least once a minute", async () => {
    const world = createSmallWorld();
    const ids = await paidOrders(world, 3);
    world.service.fail = "down";
    for (let round = 0; round < 50; round += 1) {
      await readAll(world, ids);
      await world.clock.advance(limits.breakerLongestMs);
    }
    const [breaker] = world.engine.circuitBreakers.list();
    expect((breaker?.openUntil ?? 0) - world.clock.now()).toBeLessThanOrEqual(limits.breakerLongestMs);
    const before = world.service.reads.length;
    await readAll(world, ids);
    expect(world.service.reads.length - before).toBe(1);
  });

  it("a single payment that always fails opens no breaker", async () => {
    const world = createSmallWorld();
    const [first = "", second = ""] = await paidOrders(world, 2);
    world.service.fail = "down";
    for (let round = 0; round < 20; round += 1) await readAll(world, [first]);
    expect(world.engine.circuitBreakers.list()).toEqual([]);
    world.service.fail = null;
    expect(await confirmPayment(world.engine, second, { actor: "timer" })).toMatchObject({ status: "paid" });
  });

  it("a session is opened even while the breaker is open", async () => {
    const world = createSmallWorld();
    const ids = await paidOrders(world, 3);
    world.service.fail = "down";
    for (const id of ids) await readAll(world, [id]);
    world.service.fail = null;
    const order = anOrder({ ref: { storeId: "shop", orderId: "new" } });
    expect(await startCheckout(world.engine, order)).toMatchObject({ status: "redirect" });
    expect(world.engine.circuitBreakers.list()).toEqual([]);
  });
});

describe("circuit breaker of a store", () => {
  it("a store that does not respond is paused, and all its orders are marked paid once it is back", async () => {
    let down = true;
    const asked: string[] = [];
    const world = createSmallWorld({
      store: {
        findOrder: async (ref) => {
          asked.push(ref.orderId);
          if (down) throw Object.assign(new Error("down"), { code: "unavailable" });
          return anOrder({ ref });
        },
        markPaid: async () => ({ outcome: "recorded", evidence: "read-back" }),
      },
    });
    const ids = await paidOrders(world, 10);
    for (const id of ids) await readAll(world, [id]);
    expect(asked).toHaveLength(limits.breakerOpensAt);
    down = false;
    for (let minute = 0; minute < 15; minute += 1) {
      await world.clock.advance(60_000);
      await runDue(world.engine);
    }
    const states = await Promise.all(ids.map(async (id) => (await world.ledger.find({ id }))?.state));
    expect(new Set(states)).toEqual(new Set(["recorded"]));
  });
});

describe("a day's outage of a store", () => {
  it("a store's outage of a day costs no calls to the service", async () => {
    const findOrder = () => Promise.reject(Object.assign(new Error("down"), { code: "unavailable" }));
    const world = createSmallWorld({ store: { findOrder } });
    const ids = await paidOrders(world, 10);
    await readAll(world, ids);
    await aDay(world);
    expect(world.service.reads.length).toBeLessThanOrEqual(2 * ids.length);
  });

  it("a store that returns orders and refuses writes for a day costs one call to the service an hour for each payment", async () => {
    const markPaid = () => Promise.reject(Object.assign(new Error("no"), { code: "unavailable" }));
    const findOrder = async (ref: OrderRef) => anOrder({ ref });
    const world = createSmallWorld({ store: { findOrder, markPaid } });
    const ids = await paidOrders(world, 10);
    await readAll(world, ids);
    await aDay(world);
    expect(world.service.reads.length).toBeLessThanOrEqual(26 * ids.length);
  });
});
