import { describe, expect, it } from "vitest";
import {
  confirmPayment,
  createEngine,
  type Job,
  limits,
  type OrderRef,
  reconcileStore,
  refundPayment,
  retryDeadJob,
  runDue,
  StoreError,
  startCheckout,
  syncRefunds,
} from "../../src/index.ts";
import { anOrder, REFERENCE_KEY } from "../fixtures.ts";
import { createSmallWorld, type SmallWorld } from "./small-world.ts";

const HOUR = 3_600_000;

async function started(world: SmallWorld): Promise<string> {
  const { paymentId } = await startCheckout(world.engine, anOrder());
  return paymentId ?? "";
}

async function passTime(world: SmallWorld, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await world.clock.advance(stepMs);
    await world.work();
  }
}

describe("a platform with its own retry schedule", () => {
  const schedule = [5_000, 10_000, 30_000, 300_000];

  function reluctant(tries: number[]): SmallWorld {
    const world: SmallWorld = createSmallWorld({
      store: {
        retryScheduleMs: schedule,
        markPaid: async () => {
          tries.push(world.clock.now());
          throw new StoreError("unavailable", "Try again later.");
        },
      },
    });
    return world;
  }

  it("a platform with a retry schedule is written exactly at its times, whatever happens between them", async () => {
    const tries: number[] = [];
    const world = reluctant(tries);
    const paymentId = await started(world);
    world.service.pay("session-1");
    await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    for (let second = 0; second < 800; second += 1) {
      await world.clock.advance(1_000);
      await world.work();
      if (second % 7 === 0) await confirmPayment(world.engine, paymentId, { actor: "shopper" });
    }
    const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(waits.slice(0, 5)).toEqual([5_000, 10_000, 30_000, 300_000, 300_000]);
  });

  it("a platform's retry schedule continues after the process that wrote last has died", async () => {
    const tries: number[] = [];
    const world = reluctant(tries);
    const paymentId = await started(world);
    world.service.pay("session-1");
    await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    await passTime(world, 16_000, 1_000);
    expect(tries).toHaveLength(3);
    const other = world.another("two");
    await confirmPayment(other, paymentId, { actor: "operator" });
    expect(tries).toHaveLength(3);
    await world.clock.advance(30_000);
    await runDue(other);
    expect(tries).toHaveLength(4);
  });
});

describe("an attempt that ended without money", () => {
  it("an unpaid attempt is refused at the platform only after the grace period", async () => {
    const refused: string[] = [];
    const world = createSmallWorld({
      store: {
        markRefused: async (_ref, _attempt, { code }) => {
          refused.push(code);
          return { outcome: "recorded", evidence: "acknowledged" };
        },
      },
    });
    await started(world);
    await passTime(world, 70 * HOUR, HOUR);
    expect(refused).toEqual([]);
    await passTime(world, 10 * HOUR, HOUR);
    expect(refused).toEqual(["not_paid"]);
    await world.paymentIn("closed");
  });

  it("an attempt is not refused while a newer payment of it may still be paid", async () => {
    const refused: string[] = [];
    const world = createSmallWorld({
      store: {
        markRefused: async (_ref, _attempt, { code }) => {
          refused.push(code);
          return { outcome: "recorded", evidence: "acknowledged" };
        },
      },
    });
    await started(world);
    await world.clock.advance(60 * HOUR);
    await started(world);
    await passTime(world, 14 * HOUR, HOUR);
    await world.paymentIn("closed");
    expect(refused).toEqual([]);
  });
});

describe("automatic refunds", () => {
  async function paidTwice(world: SmallWorld): Promise<void> {
    await started(world);
    if (world.store.order) world.store.order = { ...world.store.order, total: { minor: 6000, currency: "XOF" } };
    await startCheckout(world.engine, anOrder({ total: { minor: 6000, currency: "XOF" } }));
    world.service.pay("session-2");
    await passTime(world, 5 * 60_000, 60_000);
    world.service.pay("session-1");
    await passTime(world, 2 * HOUR, 10 * 60_000);
  }

  it("a duplicate is refunded once and at once when autoRefund covers it", async () => {
    const world = createSmallWorld({ autoRefund: ["duplicate"] });
    await paidTwice(world);
    expect(world.service.refunds).toMatchObject([{ wireAmount: 5000 }]);
    expect(new Set(world.store.refunds)).toEqual(new Set(["refund-1 5000 completed"]));
    await world.paymentIn("refunded");
    await world.paymentIn("recorded");
  });

  it("a duplicate waits for the merchant without autoRefund", async () => {
    const world = createSmallWorld();
    await paidTwice(world);
    expect(world.service.refunds).toEqual([]);
    await world.paymentIn("duplicate");
  });

  it("a payment is refunded automatically when its order was sold out or deleted", async () => {
    for (const gone of [true, false]) {
      const world = createSmallWorld({ autoRefund: ["order_gone", "order_not_payable"] });
      await started(world);
      world.store.order = gone ? null : anOrder({ payable: false });
      world.service.pay("session-1");
      await passTime(world, 5 * 60_000, 60_000);
      expect(world.service.refunds).toMatchObject([{ wireAmount: 5000 }]);
      await world.paymentIn("refunded");
    }
  });
});

describe("a duplicate whose verified sibling payment fails", () => {
  it("a duplicate pays the order when the store refuses the first payment", async () => {
    const refused = new Set<string>();
    const world: SmallWorld = createSmallWorld({
      store: {
        retryScheduleMs: [60_000],
        findOrder: async () => world.store.order,
        markPaid: async ({ paymentId, sessionId }) => {
          if (sessionId === "session-2" && refused.size === 0) {
            refused.add(paymentId);
            throw new StoreError("unavailable", "Later.");
          }
          if (refused.has(paymentId)) return { outcome: "not-payable", detail: "an outdated try" };
          world.store.order = anOrder({ paidBy: paymentId, payable: false });
          return { outcome: "recorded", evidence: "read-back" };
        },
      },
    });
    await started(world);
    await world.clock.advance(50 * 60_000 + 1);
    await started(world);
    world.service.pay("session-2");
    await passTime(world, 130_000, 10_000);
    await world.paymentIn("verified");
    world.service.pay("session-1");
    const [first] = await world.ledger.siblings({ storeId: "shop", orderId: "1042" });
    await confirmPayment(world.engine, first?.id ?? "", { actor: "webhook" });
    await world.paymentIn("duplicate");
    await passTime(world, 10 * 60_000, 10_000);
    expect(await world.paymentIn("recorded")).toMatchObject({ id: first?.id });
    // The one that was refused is now the second one.
    await world.paymentIn("duplicate");
  });
});

describe("a verified payment that is refunded before its store is written", () => {
  it.each(["here", "in the service's dashboard"])(
    "a refund of the first payment lets the duplicate pay the order: %s",
    async (where) => {
      const amount = { minor: 5000, currency: "XOF" };
      let isDown = true;
      const world: SmallWorld = createSmallWorld({
        store: {
          retryScheduleMs: [60_000],
          findOrder: async () => world.store.order,
          markPaid: async ({ paymentId }) => {
            if (isDown) throw new StoreError("unavailable", "Later.");
            world.store.order = anOrder({ paidBy: paymentId, payable: false });
            return { outcome: "recorded", evidence: "read-back" };
          },
        },
      });
      await started(world);
      await world.clock.advance(50 * 60_000 + 1);
      await started(world);
      for (const session of ["session-2", "session-1"]) {
        world.service.pay(session);
        const [first, second] = await world.ledger.siblings({ storeId: "shop", orderId: "1042" });
        await confirmPayment(world.engine, (session === "session-1" ? first : second)?.id ?? "", { actor: "webhook" });
      }
      const fallen = await world.paymentIn("verified");
      const second = await world.paymentIn("duplicate");
      if (where === "here") {
        await refundPayment(world.engine, { paymentId: fallen.id, key: "owner", amount, origin: "policy" });
      } else {
        world.service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount: 5000 });
        await syncRefunds(world.engine, fallen.id);
      }
      isDown = false;
      await passTime(world, 10 * 60_000, 10_000);
      expect(await world.paymentIn("recorded")).toMatchObject({ id: second.id });
      expect(await world.paymentIn("refunded")).toMatchObject({ id: fallen.id });
    },
  );
});

describe("a refund that fails after the store was told that it is pending", () => {
  it("a store learns that a refund which it requested has failed after all", async () => {
    const world = createSmallWorld();
    const paymentId = await started(world);
    world.service.pay("session-1");
    await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    world.service.slowRefunds = true;
    const wish = { paymentId, key: "click", amount: { minor: 100, currency: "XOF" }, origin: "store" } as const;
    expect(await refundPayment(world.engine, wish)).toMatchObject({ state: "pending" });
    const [refund] = world.service.refunds;
    if (refund) refund.status = "failed";
    await passTime(world, limits.refundCheckMs * 2, 60_000);
    expect(world.store.refunds).toEqual(["refund-1 100 failed"]);
    await world.paymentIn("recorded");
  });
});

describe("dead-letter jobs and leases", () => {
  it("a retried dead-letter job runs again with zero attempts", async () => {
    let connected = false;
    const dead: Job[] = [];
    const world: SmallWorld = createSmallWorld({
      store: {
        markPaid: async () => {
          if (!connected) throw new StoreError("reconnect", "The token was revoked.");
          return { outcome: "recorded", evidence: "read-back" };
        },
      },
      watchLedger: (ledger) => ({
        ...ledger,
        claim: async (want) => {
          const jobs = await ledger.claim(want);
          dead.push(...jobs);
          return jobs;
        },
      }),
    });
    const paymentId = await started(world);
    world.service.pay("session-1");
    await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    await passTime(world, 60_000, 1_000);
    await world.paymentIn("verified");
    connected = true;
    for (const { id } of dead) await retryDeadJob(world.engine, id);
    await passTime(world, 5_000, 1_000);
    await world.paymentIn("recorded");
  });

  it("a running job is not started by a second worker", async () => {
    let calls = 0;
    const world: SmallWorld = createSmallWorld({
      store: {
        markPaid: async () => {
          calls += 1;
          await world.clock.sleep(15_000);
          return { outcome: "recorded", evidence: "read-back" };
        },
        // Slow enough that a lease taken once would have run out.
        findOrder: async () => {
          await world.clock.sleep(19_000);
          return anOrder();
        },
      },
      watchLedger: (ledger) => ({
        ...ledger,
        claim: (want) => ledger.claim({ ...want, leaseMs: 20_000 }),
        renewJobs: (ids, worker, now) => ledger.renewJobs(ids, worker, now, 90_000),
      }),
    });
    await started(world);
    world.service.pay("session-1");
    await world.clock.advance(2 * 60_000);
    const first = runDue(world.engine);
    await world.clock.advance(31_000);
    expect(await runDue(world.another("two"))).toEqual({ done: 0, retried: 0, dead: 0 });
    await world.clock.advance(60_000);
    await first;
    expect(calls).toBe(1);
  });
});

describe("reconcileStore", () => {
  it("a reconciliation finds a paid payment that has no scheduled reads left", async () => {
    const unsettled: OrderRef = { storeId: "shop", orderId: "1042" };
    const world = createSmallWorld({
      store: {
        async *listUnsettled() {
          yield { ref: unsettled, attempt: "" };
          yield { ref: { storeId: "shop", orderId: "never tried" }, attempt: "" };
        },
      },
    });
    await started(world);
    await passTime(world, 80 * HOUR, HOUR);
    await world.paymentIn("closed");
    const session = world.service.sessions.get("session-1");
    if (session) session.status = "completed";
    expect(await reconcileStore(world.engine, "shop", 0)).toMatchObject({ orders: 2, read: 1, paid: 1, failed: 0 });
    expect(world.store.paid).toHaveLength(1);
  });

  it("a reconciliation of a store that cannot list its orders does nothing", async () => {
    const world = createSmallWorld();
    expect(await reconcileStore(world.engine, "shop", 0)).toMatchObject({ orders: 0, read: 0 });
  });
});

describe("a store that is switched from test to live", () => {
  it("a test payment never pays a live order, and the order is held with the reason", async () => {
    const world = createSmallWorld();
    await started(world);
    world.store.order = anOrder({ environment: "live" });
    world.service.pay("session-1");
    await passTime(world, 5 * 60_000, 60_000);
    expect(world.store.paid).toEqual([]);
    expect(await world.paymentIn("review")).toMatchObject({ finding: { code: "other_environment" } });
  });
});

describe("API keys that are replaced while a payment is open", () => {
  /** The service behind each key sees only what was opened with it; `asked` is which key each call came with. */
  function rotated(world: SmallWorld) {
    const asked: string[] = [];
    const tenants = {
      ...world.engine.tenants,
      credentialFor: async () => ({ id: "new key", account: null }),
      service: async (id: string) => {
        asked.push(id);
        return await world.engine.tenants.service(id);
      },
    };
    const { sessionCache, watchSchedule, circuitBreakers, storeConcurrency, ...options } = world.engine;
    const referenceKeys = ["a newer key, long enough to sign our references", REFERENCE_KEY] as const;
    return { asked, engine: createEngine({ ...options, tenants, referenceKeys }) };
  }

  it("an open payment finishes with the key that opened it, and the next order uses the new key", async () => {
    const world = createSmallWorld();
    const paymentId = await started(world);
    const { asked, engine } = rotated(world);
    world.service.pay("session-1");
    expect(await confirmPayment(engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "paid" });
    expect(asked).toEqual(["key"]);
    const { paymentId: next } = await startCheckout(engine, anOrder({ ref: { storeId: "shop", orderId: "1043" } }));
    expect(asked).toEqual(["key", "new key"]);
    expect(await world.ledger.find({ id: next ?? "" })).toMatchObject({ credentialId: "new key" });
  });

  it("a refund uses the key that opened the payment", async () => {
    const world = createSmallWorld();
    const paymentId = await started(world);
    world.service.pay("session-1");
    await confirmPayment(world.engine, paymentId, { actor: "webhook" });
    const { asked, engine } = rotated(world);
    const wish = { paymentId, key: "click", amount: { minor: 100, currency: "XOF" }, origin: "store" } as const;
    expect(await refundPayment(engine, wish)).toMatchObject({ state: "completed" });
    expect(new Set(asked)).toEqual(new Set(["key"]));
  });
});
