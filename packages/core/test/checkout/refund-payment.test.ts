import { signWebhook } from "@tillkit/client/webhooks";
import { describe, expect, it } from "vitest";
import {
  confirmPayment,
  explainPayment,
  limits,
  receiveWebhook,
  refundPayment,
  startCheckout,
  syncRefunds,
  verifyPayment,
} from "../../src/index.ts";
import { anOrder } from "../fixtures.ts";
import { createSmallWorld, type SmallWorld } from "./small-world.ts";

const francs = (minor: number) => ({ minor, currency: "XOF" });

async function paidWorld(): Promise<{ world: SmallWorld; paymentId: string }> {
  const world = createSmallWorld();
  const { paymentId } = await startCheckout(world.engine, anOrder());
  world.service.pay("session-1");
  await confirmPayment(world.engine, paymentId ?? "", { actor: "webhook" });
  return { world, paymentId: paymentId ?? "" };
}

function refund(world: SmallWorld, paymentId: string, minor: number, key: string) {
  return refundPayment(world.engine, { paymentId, key, amount: francs(minor), origin: "store" });
}

async function deliver(world: SmallWorld, id: string, event: string, data: Record<string, unknown>) {
  const bytes = new TextEncoder().encode(JSON.stringify({ id, event, data }));
  await receiveWebhook(world.engine, { endpointId: "main", bytes, signature: signWebhook(bytes, "whsec_test") });
  await world.work();
}

const given = (world: SmallWorld) => world.service.refunds.reduce((sum, { wireAmount }) => sum + wireAmount, 0);

describe("refundPayment", () => {
  it("a full refund makes the payment refunded and adds a timeline entry", async () => {
    const { world, paymentId } = await paidWorld();
    expect(await refund(world, paymentId, 5000, "click-1")).toMatchObject({ state: "completed", refundId: "refund-1" });
    await world.paymentIn("refunded");
    const { entries } = await explainPayment(world.engine, { paymentId }, "en");
    expect(entries.at(-1)?.text.replace(/[\u202f\u00a0]/g, " ")).toBe("5 000 F CFA was refunded.");
  });

  it("partial refunds leave the payment recorded until the last one", async () => {
    const { world, paymentId } = await paidWorld();
    await refund(world, paymentId, 1, "click-1");
    await refund(world, paymentId, 2800, "click-2");
    await world.paymentIn("recorded");
    await refund(world, paymentId, 2199, "click-3");
    await world.paymentIn("refunded");
    expect(JSON.parse(world.service.refundPosts[0]?.request ?? "")).toMatchObject({
      amount: 1,
      refund_type: "partial",
    });
  });

  it("a failed refund of a held payment shows the merchant again why it is held", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    world.service.pay("session-1");
    const session = world.service.sessions.get("session-1");
    if (session) session.lies = { wireAmount: 4999 };
    await confirmPayment(world.engine, paymentId ?? "", { actor: "webhook" });
    world.service.slowRefunds = true;
    expect(await refund(world, paymentId ?? "", 4999, "click-1")).toMatchObject({ state: "pending" });
    // Meanwhile there is nothing to hold.
    await world.work();
    expect(world.store.holds).toEqual([]);
    for (const known of world.service.refunds) known.status = "failed";
    await world.clock.advance(limits.confirmAgainMs);
    await world.work();
    expect((await world.paymentIn("review")).finding).toMatchObject({ code: "amount_differs" });
    expect(world.store.holds).toMatchObject([{ code: "amount_differs" }]);
  });

  it("two requests with one key make one refund", async () => {
    const { world, paymentId } = await paidWorld();
    const both = await Promise.all([1, 2].map(() => refund(world, paymentId, 2000, "click-1")));
    expect(both.map(({ refundId }) => refundId)).toEqual(["refund-1", "refund-1"]);
    expect(given(world)).toBe(2000);
  });

  it("three simultaneous refunds never exceed the amount paid", async () => {
    const { world, paymentId } = await paidWorld();
    // Three amounts: one that was clicked twice would be one refund.
    await Promise.allSettled([2000, 2001, 2002].map((minor) => refund(world, paymentId, minor, `click for ${minor}`)));
    expect(given(world)).toBeGreaterThanOrEqual(2000);
    expect(given(world)).toBeLessThanOrEqual(5000);
  });

  it("a refund of more than remains, or of nothing, is rejected", async () => {
    const { world, paymentId } = await paidWorld();
    await refund(world, paymentId, 4000, "click-1");
    await expect(refund(world, paymentId, 1001, "click-2")).rejects.toMatchObject({ code: "refund_too_large" });
    await expect(refund(world, paymentId, 0, "click-3")).rejects.toMatchObject({ code: "refund_too_large" });
  });

  it("a refund of a payment that never arrived is rejected", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    await expect(refund(world, paymentId ?? "", 100, "a")).rejects.toMatchObject({ code: "refund_not_possible" });
  });

  it("a refund under a key with another amount is rejected", async () => {
    const { world, paymentId } = await paidWorld();
    await refund(world, paymentId, 1000, "click-1");
    await expect(refund(world, paymentId, 2000, "click-1")).rejects.toMatchObject({ code: "refund_key_reused" });
  });
});

describe("a refund whose response was lost", () => {
  it("a refund whose response was lost is unknown, and the same key finds it again", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.loseAnswers = 1;
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ state: "completed" });
    expect(new Set(world.service.refundPosts.map((post) => JSON.stringify(post))).size).toBe(1);
    expect(given(world)).toBe(2000);
  });

  it("a refund whose response was lost stays one refund when the platform repeats it under a new key", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.loseAnswers = 1;
    await refund(world, paymentId, 2000, "ref_1");
    expect(await refund(world, paymentId, 2000, "ref_2")).toMatchObject({ state: "completed", key: "ref_1" });
    expect(given(world)).toBe(2000);
  });

  it("a refund in doubt blocks every other refund while the service is down", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.fail = "down";
    await refund(world, paymentId, 2000, "click-1");
    await expect(refund(world, paymentId, 500, "click-2")).rejects.toMatchObject({ code: "refund_in_doubt" });
    world.service.fail = null;
    await refund(world, paymentId, 500, "click-2");
    expect(given(world)).toBe(2500);
  });

  it("a refund in doubt is settled by the worker without another click", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.loseAnswers = 1;
    await refund(world, paymentId, 5000, "click-1");
    await world.clock.advance(limits.confirmAgainMs);
    await world.work();
    await world.paymentIn("refunded");
    expect(given(world)).toBe(5000);
  });
});

describe("refunds that the service reports", () => {
  it("a refund that the service refuses fails with its reason", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.refuseRefunds = true;
    expect(await refund(world, paymentId, 5000, "click-1")).toMatchObject({ state: "failed" });
    await world.paymentIn("recorded");
    world.service.refuseRefunds = false;
    expect(await refund(world, paymentId, 5000, "click-2")).toMatchObject({ state: "completed" });
  });

  it("a pending refund is read again until it is final", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.slowRefunds = true;
    expect(await refund(world, paymentId, 5000, "click-1")).toMatchObject({ state: "pending" });
    for (const known of world.service.refunds) known.status = "completed";
    await world.clock.advance(limits.confirmAgainMs);
    await world.work();
    await world.paymentIn("refunded");
  });

  it("a refund that is pending for days costs a few reads a day", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.slowRefunds = true;
    await refund(world, paymentId, 100, "click-1");
    for (let minute = 0; minute < 5 * 24 * 60; minute += 1) {
      await world.clock.advance(60_000);
      await world.work();
    }
    expect(world.service.refundReads).toBeGreaterThan(5);
    expect(world.service.refundReads).toBeLessThan(40);
  });

  it("a dashboard refund is found by its event and written to the store once", async () => {
    const { world } = await paidWorld();
    world.service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount: 1500 });
    for (let time = 0; time < 2; time += 1) {
      const data = { refund_id: "refund-9", checkout_session_id: "session-1", time };
      await deliver(world, `e${time}`, "REFUND_COMPLETED", data);
    }
    expect(world.store.refunds).toEqual(["refund-9 1500 completed"]);
  });

  it("a final refund is not read again for an event with the same state", async () => {
    const { world } = await paidWorld();
    world.service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount: 1500 });
    const calls = [];
    const events = ["REFUND_COMPLETED", "REFUND_COMPLETED", "REFUND_FAILED"];
    for (const [index, event] of events.entries()) {
      await deliver(world, `e${index}`, event, { refund_id: "refund-9", checkout_session_id: "session-1" });
      calls.push(world.service.refundReads);
    }
    expect(calls).toEqual([1, 1, 2]);
  });

  it("a dashboard refund is found by its transaction id before the payment has that id", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    world.service.pay("session-1");
    world.service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount: 5000 });
    await deliver(world, "e1", "REFUND_COMPLETED", {
      refund_id: "refund-9",
      transaction_id: "transaction-of-session-1",
    });
    const confirmed = await confirmPayment(world.engine, paymentId ?? "", { actor: "webhook" });
    expect(confirmed).toMatchObject({ status: "refunded" });
    expect(world.store.paid).toEqual([]);
  });

  it("a refund that the service refuses to repeat is not taken for one that failed", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.loseAnswers = 1;
    expect(await refund(world, paymentId, 5000, "click-1")).toMatchObject({ state: "unknown" });
    world.service.refuseRefunds = true;
    await world.clock.advance(limits.confirmAgainMs);
    await world.work();
    await world.paymentIn("refunded");
  });

  it("a refund that fails because of an unknown dashboard refund makes that refund known", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount: 5000 });
    world.service.refuseRefunds = true;
    expect(await refund(world, paymentId, 5000, "click-1")).toMatchObject({ state: "failed" });
    await world.paymentIn("refunded");
    await expect(refund(world, paymentId, 5000, "click-2")).rejects.toMatchObject({ code: "refund_not_possible" });
  });

  it("a refund event of another integration's transaction changes nothing and waits while the service is down", async () => {
    const { world } = await paidWorld();
    world.service.fail = "down";
    await deliver(world, "e1", "REFUND_COMPLETED", {
      refund_id: "refund-7",
      transaction_id: "transaction-of-a-stranger",
    });
    expect(await world.ledger.countDeliveries()).toMatchObject({ waiting: 1, unrelated: 0 });
    world.service.fail = null;
    // The service may not show the transaction yet, so it is looked up for some hours.
    for (let time = 0; time < limits.unreadableReads; time += 1) {
      await world.clock.advance(limits.retryLongestMs * 2);
      await world.work();
    }
    expect(await world.ledger.countDeliveries()).toMatchObject({ waiting: 0, unrelated: 1 });
    expect(world.service.refundReads).toBe(0);
  });

  it("a dashboard refund made before an outage of a day is recorded after it", async () => {
    const { world } = await paidWorld();
    world.service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount: 5000 });
    world.service.unlisted.add("refund-9");
    await deliver(world, "e1", "REFUND_COMPLETED", { refund_id: "refund-9", checkout_session_id: "session-1" });
    world.service.unlisted.clear();
    world.service.fail = "down";
    for (let attempt = 0; attempt < limits.unreadableReads + 10; attempt += 1) {
      await world.clock.advance(limits.retryLongestMs * 2);
      await world.work();
    }
    world.service.fail = null;
    await world.clock.advance(limits.retryLongestMs * 2);
    await world.work();
    await world.paymentIn("refunded");
  });

  it("a dashboard refund is written to the store although the event of its result is lost", async () => {
    const { world } = await paidWorld();
    const made = { key: "dashboard", id: "refund-9", status: "pending" as const, wireAmount: 1500 };
    world.service.refunds.push(made);
    await deliver(world, "e1", "REFUND_CREATED", { refund_id: "refund-9", checkout_session_id: "session-1" });
    expect(world.store.refunds).toEqual([]);
    world.service.refunds.splice(0, 1, { ...made, status: "completed" });
    await world.clock.advance(limits.refundCheckMs);
    await world.work();
    expect(world.store.refunds).toContain("refund-9 1500 completed");
  });

  it("a refund that fails later leaves an order paid that was marked paid meanwhile", async () => {
    const world = createSmallWorld();
    const { paymentId } = await startCheckout(world.engine, anOrder());
    world.service.pay("session-1");
    world.service.slowRefunds = true;
    world.store.next.push(async () => {
      await refund(world, paymentId ?? "", 5000, "click-1");
      return "go on";
    });
    await confirmPayment(world.engine, paymentId ?? "", { actor: "webhook" });
    await world.paymentIn("refunding");
    for (const known of world.service.refunds) known.status = "failed";
    await world.clock.advance(limits.confirmAgainMs);
    await world.work();
    await world.clock.advance(2 * limits.retryFirstMs);
    await world.work();
    await world.paymentIn("recorded");
    await world.clock.advance(limits.confirmAgainMs);
    await world.work();
    expect(world.store.paid).toHaveLength(1);
    expect(world.store.holds).toEqual([]);
  });

  it("a full dashboard refund makes the payment refunded, and no read verifies it again", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount: 5000 });
    await syncRefunds(world.engine, paymentId);
    await world.paymentIn("refunded");
    const reads = world.service.reads.length;
    expect(await confirmPayment(world.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "refunded" });
    expect(world.service.reads).toHaveLength(reads);
  });
});

async function duplicateIn(world: SmallWorld): Promise<string> {
  await startCheckout(world.engine, anOrder());
  await world.clock.advance(55 * 60_000);
  await startCheckout(world.engine, anOrder());
  world.service.pay("session-1");
  world.service.pay("session-2");
  for (const { id } of await world.ledger.siblings(anOrder().ref)) {
    await confirmPayment(world.engine, id, { actor: "webhook" });
  }
  return (await world.paymentIn("duplicate")).id;
}

describe("refunds of a duplicate", () => {
  it("a refund of a duplicate is written to the store", async () => {
    const world = createSmallWorld();
    const paymentId = await duplicateIn(world);
    await refundPayment(world.engine, { paymentId, key: "policy", amount: francs(5000), origin: "policy" });
    await world.work();
    await world.paymentIn("refunded");
    expect(world.store.refunds).toEqual(["refund-1 5000 completed"]);
    await world.paymentIn("recorded");
  });

  it("a duplicate with a pending refund is not refunded because of a confirm", async () => {
    const world = createSmallWorld();
    const paymentId = await duplicateIn(world);
    world.service.slowRefunds = true;
    await refundPayment(world.engine, { paymentId, key: "policy", amount: francs(5000), origin: "policy" });
    expect(await verifyPayment(world.engine, paymentId)).toEqual({ status: "refunded" });
    await world.paymentIn("refunding");
  });
});
