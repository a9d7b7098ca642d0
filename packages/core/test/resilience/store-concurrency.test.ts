import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import { limits, receiveWebhook, runDue } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { startAndPay } from "../fixture/steps.ts";

/** The shopper has paid the session at the service. No webhook has arrived yet. */
async function fixtureWithPaidSession() {
  const fixture = createEngineFixture();
  const paymentId = await startAndPay(fixture);
  return { fixture, paymentId };
}

/** Receives a webhook about the session. The bodies of two ids differ, so they are two deliveries. */
async function receiveEvent(fixture: EngineFixture, id: string, event = "PAYMENT_SUCCEEDED") {
  const data = { checkout_session_id: "session-1", transaction_id: "transaction-of-session-1", try: id };
  const bytes = new TextEncoder().encode(JSON.stringify({ id, event, data }));
  await receiveWebhook(fixture.engine, { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") });
}

const isJobOfSuccessEvent = ({ payload }: { readonly payload: string }) => payload.startsWith("success");

/** Uses up the store's concurrency limit with other jobs. Returns a function that ends these jobs. */
function reachLimit({ engine }: EngineFixture): () => void {
  const others = Array.from({ length: limits.concurrentJobsPerStore }, () =>
    engine.storeConcurrency.acquireAnyway("shop"),
  );
  return () => {
    for (const release of others) release();
  };
}

describe("a store at its concurrency limit", () => {
  it("a store at its concurrency limit gets no more calls, and its deliveries are still processed", async () => {
    const { fixture } = await fixtureWithPaidSession();
    const endOtherJobs = reachLimit(fixture);
    for (const id of ["1", "2", "3", "4"]) await receiveEvent(fixture, id);
    expect(await runDue(fixture.engine)).toEqual({ done: 4, retried: 0, dead: 0 });
    await fixture.work();
    expect(fixture.service.reads).toEqual([]);
    expect(fixture.store.paid).toEqual([]);

    endOtherJobs();
    expect(await runDue(fixture.engine)).toEqual({ done: 1, retried: 0, dead: 0 });
    expect(fixture.store.paid).toHaveLength(1);
    expect(fixture.service.reads).toHaveLength(1);
  });

  it("an attempt's events reach the timeline although the store is at its concurrency limit", async () => {
    const { fixture, paymentId } = await fixtureWithPaidSession();
    reachLimit(fixture);
    await receiveEvent(fixture, "1", "PAYMENT_CREATED");
    await receiveEvent(fixture, "2", "PAYMENT_FAILED");
    await fixture.work();
    const kinds = (await fixture.ledger.timeline({ paymentId })).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["acted", "attempt_failed"]));
  });

  it("the concurrency limit of a store counts for one process only", async () => {
    const { fixture } = await fixtureWithPaidSession();
    reachLimit(fixture);
    await receiveEvent(fixture, "1");
    await runDue(fixture.engine);
    await runDue(fixture.anotherProcess("two"));
    expect(fixture.store.paid).toHaveLength(1);
  });
});

describe("a store that cannot return its order", () => {
  it("a store that cannot return its order gets a job and delays no delivery", async () => {
    const { fixture } = await fixtureWithPaidSession();
    const findOrder = () => Promise.reject(Object.assign(new Error("down"), { code: "unavailable" }));
    const store = { ...(await fixture.engine.store("shop")), findOrder };
    await receiveEvent(fixture, "1");
    expect(await runDue({ ...fixture.engine, store: async () => store })).toEqual({ done: 1, retried: 0, dead: 0 });
    const { rows } = await fixture.ledger.listJobs({ storeId: "shop", limit: 9 });
    expect(rows.filter(isJobOfSuccessEvent)).toHaveLength(1);
    await fixture.clock.advance(limits.retryFirstMs);
    await fixture.work();
    expect(fixture.store.paid).toHaveLength(1);
  });
});

describe("signals about an order that is being written", () => {
  it("many signals about an order that is being written lead to one more confirm", async () => {
    const { fixture, paymentId } = await fixtureWithPaidSession();
    let finishWrite: (answer: "go on") => void = () => undefined;
    fixture.store.nextAnswers.push(
      () =>
        new Promise((resolve) => {
          finishWrite = resolve;
        }),
    );
    await receiveEvent(fixture, "first");
    const writing = runDue(fixture.engine);
    await fixture.clock.advance(0);
    for (let count = 0; count < limits.claimedJobsPerStore; count += 1) await receiveEvent(fixture, `later ${count}`);
    const result = await runDue(fixture.anotherProcess("two"), { limit: 100 });
    expect(result).toEqual({ done: limits.claimedJobsPerStore, retried: 0, dead: 0 });
    const { rows } = await fixture.ledger.listJobs({ paymentId, limit: 100 });
    expect(rows.filter(isJobOfSuccessEvent)).toHaveLength(1);

    finishWrite("go on");
    await writing;
    await fixture.work();
    await fixture.clock.advance(limits.orderBusyRetryMs);
    await fixture.work();
    expect(fixture.store.paid).toHaveLength(1);
    expect(fixture.service.reads).toHaveLength(1);
    const remaining = await fixture.ledger.claim({ worker: "x", now: fixture.clock.now(), leaseMs: 1, limit: 100 });
    expect(remaining).toEqual([]);
  });
});

describe("acquire and release", () => {
  it("releasing a job frees one place of the store's concurrency limit", async () => {
    const { storeConcurrency } = createEngineFixture().engine;
    const taken = Array.from({ length: limits.concurrentJobsPerStore }, () => storeConcurrency.acquire("hats"));
    expect(storeConcurrency.saturatedStores()).toEqual(["hats"]);
    expect(storeConcurrency.acquire("hats")).toBeNull();
    expect(storeConcurrency.acquire("shoes")).not.toBeNull();
    taken[0]?.();
    expect(storeConcurrency.saturatedStores()).toEqual([]);
    expect(storeConcurrency.acquire("hats")).not.toBeNull();
    expect(storeConcurrency.saturatedStores()).toEqual(["hats"]);
  });
});
