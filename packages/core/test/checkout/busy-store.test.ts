import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { limits, receiveWebhook, runDue, startCheckout } from "../../src/index.ts";
import { anOrder } from "../fixtures.ts";
import { createSmallWorld, type SmallWorld } from "./small-world.ts";

async function paidWorld() {
  const world = createSmallWorld();
  const { paymentId } = await startCheckout(world.engine, anOrder());
  world.service.pay("session-1");
  return { world, paymentId: paymentId ?? "" };
}

async function signal(world: SmallWorld, id: string, event = "PAYMENT_SUCCEEDED") {
  const data = { checkout_session_id: "session-1", transaction_id: "transaction-of-session-1", try: id };
  const bytes = new TextEncoder().encode(JSON.stringify({ id, event, data }));
  await receiveWebhook(world.engine, { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") });
}

/** Other orders of the same shop hang; answers how the shop becomes quick again. */
function hangEverythingElse({ engine }: SmallWorld): () => void {
  const others = Array.from({ length: limits.storeJobsAtOnce }, () => engine.storeConcurrency.acquireAnyway("shop"));
  return () => {
    for (const giveBack of others) giveBack();
  };
}

describe("a store at its concurrency limit", () => {
  it("a store at its concurrency limit gets no more calls, and its deliveries are processed all the same", async () => {
    const { world } = await paidWorld();
    const becomeQuick = hangEverythingElse(world);
    for (const id of ["1", "2", "3", "4"]) await signal(world, id);
    expect(await runDue(world.engine)).toEqual({ done: 4, retried: 0, dead: 0 });
    await world.work();
    expect(world.service.reads).toEqual([]);
    expect(world.store.paid).toEqual([]);

    becomeQuick();
    expect(await runDue(world.engine)).toEqual({ done: 1, retried: 0, dead: 0 });
    expect(world.store.paid).toHaveLength(1);
    expect(world.service.reads).toHaveLength(1);
  });

  it("a store at its concurrency limit learns of a pending or failed attempt in time", async () => {
    const { world, paymentId } = await paidWorld();
    hangEverythingElse(world);
    await signal(world, "1", "PAYMENT_CREATED");
    await signal(world, "2", "PAYMENT_FAILED");
    await world.work();
    const told = (await world.ledger.timeline({ paymentId })).map(({ kind }) => kind);
    expect(told).toEqual(expect.arrayContaining(["acted", "attempt_failed"]));
  });

  it("the concurrency limit of a store counts for one process only", async () => {
    const { world } = await paidWorld();
    hangEverythingElse(world);
    await signal(world, "1");
    await runDue(world.engine);
    await runDue(world.another("two"));
    expect(world.store.paid).toHaveLength(1);
  });
});

describe("a store that cannot return its order", () => {
  it("a store that cannot return its order gets a job and delays no delivery", async () => {
    const { world } = await paidWorld();
    const findOrder = () => Promise.reject(Object.assign(new Error("down"), { code: "unavailable" }));
    const store = { ...(await world.engine.store("shop")), findOrder };
    await signal(world, "1");
    expect(await runDue({ ...world.engine, store: async () => store })).toEqual({ done: 1, retried: 0, dead: 0 });
    const { rows } = await world.ledger.listJobs({ storeId: "shop", limit: 9 });
    expect(rows.filter(({ payload }) => payload.startsWith("success"))).toHaveLength(1);
    await world.clock.advance(limits.retryFirstMs);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
  });
});

describe("signals about an order that is being written", () => {
  it("many signals about an order that is being written lead to one more confirm", async () => {
    const { world, paymentId } = await paidWorld();
    let answer: (go: "go on") => void = () => undefined;
    world.store.next.push(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    await signal(world, "first");
    const writing = runDue(world.engine);
    await world.clock.advance(0);
    for (let count = 0; count < limits.jobsPerStore; count += 1) await signal(world, `later ${count}`);
    const heard = await runDue(world.another("two"), { limit: 100 });
    expect(heard).toEqual({ done: limits.jobsPerStore, retried: 0, dead: 0 });
    const { rows } = await world.ledger.listJobs({ paymentId, limit: 100 });
    expect(rows.filter(({ payload }) => payload.startsWith("success"))).toHaveLength(1);

    answer("go on");
    await writing;
    await world.work();
    await world.clock.advance(limits.orderBusyMs);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
    expect(world.service.reads).toHaveLength(1);
    const left = await world.ledger.claim({ worker: "x", now: world.clock.now(), leaseMs: 1, limit: 100 });
    expect(left).toEqual([]);
  });
});

describe("acquire and release", () => {
  it("releasing a job frees one place of the store's concurrency limit", async () => {
    const { storeConcurrency } = createSmallWorld().engine;
    const taken = Array.from({ length: limits.storeJobsAtOnce }, () => storeConcurrency.acquire("hats"));
    expect(storeConcurrency.saturatedStores()).toEqual(["hats"]);
    expect(storeConcurrency.acquire("hats")).toBeNull();
    expect(storeConcurrency.acquire("shoes")).not.toBeNull();
    taken[0]?.();
    expect(storeConcurrency.saturatedStores()).toEqual([]);
    expect(storeConcurrency.acquire("hats")).not.toBeNull();
    expect(storeConcurrency.saturatedStores()).toEqual(["hats"]);
  });
});
