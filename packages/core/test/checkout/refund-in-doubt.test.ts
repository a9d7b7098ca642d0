import { describe, expect, it } from "vitest";
import { confirmPayment, limits, refundPayment, startCheckout } from "../../src/index.ts";
import { anOrder } from "../fixtures.ts";
import { createSmallWorld, type SmallWorld } from "./small-world.ts";

const HOUR = 60 * 60_000;
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

/** The shopper's money, as the service sees it. */
const returned = (world: SmallWorld) => world.service.refunds.reduce((sum, { wireAmount }) => sum + wireAmount, 0);

/** A refund of 2,000 whose answer was lost, and then nobody reaches the service for this long. */
async function outageAfterRefund(hours: number, landed: boolean): Promise<{ world: SmallWorld; paymentId: string }> {
  const { world, paymentId } = await paidWorld();
  if (landed) world.service.loseAnswers = 1;
  else world.service.fail = "down";
  expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
  world.service.fail = "down";
  for (let hour = 0; hour < hours; hour += 1) {
    await world.clock.advance(HOUR);
    await world.work();
  }
  world.service.fail = null;
  return { world, paymentId };
}

async function workFor(world: SmallWorld, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await world.clock.advance(60_000);
    await world.work();
  }
}

describe("a refund in doubt after the service dropped its key", () => {
  it("a refund in doubt is found by reading and not sent again by the worker after its key expired", async () => {
    const { world, paymentId } = await outageAfterRefund(25, true);
    await workFor(world, 15);
    expect(returned(world)).toBe(2000);
    expect((await world.ledger.refunds(paymentId)).map(({ state }) => state)).toEqual(["completed"]);
  });

  it("a refund in doubt is not sent again by another click, under the same key or another one", async () => {
    const { world, paymentId } = await outageAfterRefund(25, true);
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ key: "click-1", state: "completed" });
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ key: "click-1", state: "completed" });
    expect(returned(world)).toBe(2000);
  });

  it("a refund that never reached the service fails, and a new click refunds once", async () => {
    const { world, paymentId } = await outageAfterRefund(25, false);
    await workFor(world, 15);
    expect((await world.ledger.refunds(paymentId)).map(({ state }) => state)).toEqual(["failed"]);
    expect(returned(world)).toBe(0);
    expect(await refund(world, paymentId, 2000, "click-2")).toMatchObject({ key: "click-2", state: "completed" });
    await workFor(world, 15);
    expect(returned(world)).toBe(2000);
  });

  it("a refund in doubt does not fail while the service's list may lag behind", async () => {
    const { world, paymentId } = await outageAfterRefund(23, true);
    world.service.unlisted.add("refund-1");
    await world.work();
    expect(await world.ledger.refunds(paymentId)).toMatchObject([{ state: "unknown" }]);
    world.service.unlisted.clear();
    await workFor(world, 15);
    expect(await world.ledger.refunds(paymentId)).toMatchObject([{ state: "completed", refundId: "refund-1" }]);
    expect(returned(world)).toBe(2000);
  });
});

describe("a refund that the service refuses to repeat", () => {
  it("a refund that the service refuses to repeat is settled by reading and not by the refusal", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.loseAnswers = 1;
    await refund(world, paymentId, 2000, "click-1");
    world.service.refuseRefunds = true;
    world.service.unlisted.add("refund-1");
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
    await expect(refund(world, paymentId, 500, "click-2")).rejects.toMatchObject({ code: "refund_in_doubt" });
    world.service.unlisted.clear();
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ state: "completed", refundId: "refund-1" });
    expect(world.service.refundPosts).toHaveLength(2);
    expect(returned(world)).toBe(2000);
  });

  it("a refund in doubt does not fail because the dashboard has a failed refund of the same amount", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.loseAnswers = 1;
    await refund(world, paymentId, 2000, "click-1");
    const failed = { key: "dashboard", id: "refund-9", status: "failed", wireAmount: 2000 } as const;
    world.service.refunds.unshift({ ...failed, createdAt: world.clock.now() - 1_000 });
    world.service.refuseRefunds = true;
    world.service.unlisted.add("refund-1");
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
    world.service.unlisted.clear();
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ state: "completed", refundId: "refund-1" });
  });

  it("a refund that the service does not show after ten minutes has failed", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.fail = "down";
    await refund(world, paymentId, 2000, "click-1");
    world.service.fail = null;
    world.service.refuseRefunds = true;
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
    await world.clock.advance(limits.refundSettlesMs);
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ state: "failed" });
  });
});

describe("a store that lost the response and asks again days later", () => {
  it("a store that asks again days later gets the refund in doubt once, and a further request makes a new refund", async () => {
    const { world, paymentId } = await paidWorld();
    world.service.loseAnswers = 1;
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
    await workFor(world, 5);
    await world.clock.advance(48 * HOUR);
    const wish = { paymentId, amount: francs(2000), origin: "store" } as const;
    const lost = { ...wish, key: "click-2", recordedRefunds: [] };
    expect(await refundPayment(world.engine, lost)).toMatchObject({ key: "click-1", state: "completed" });
    expect(returned(world)).toBe(2000);
    expect(await refundPayment(world.engine, { ...lost, recordedRefunds: ["refund-1"] })).toMatchObject({
      key: "click-1",
    });
    expect(returned(world)).toBe(2000);
    const another = { ...wish, key: "click-3", recordedRefunds: ["refund-1"] };
    expect(await refundPayment(world.engine, another)).toMatchObject({ key: "click-3", state: "completed" });
    expect(returned(world)).toBe(4000);
  });
});

describe("a refund of the service's dashboard", () => {
  it("a dashboard refund with the amount of a refund that was never sent is a different refund", async () => {
    const { world, paymentId } = await paidWorld();
    const createdAt = world.clock.now();
    world.service.refunds.push({ key: "dashboard", id: "refund-9", status: "completed", wireAmount: 2000, createdAt });
    await world.clock.advance(HOUR);
    world.service.fail = "down";
    await refund(world, paymentId, 2000, "click-1");
    world.service.fail = null;
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({
      state: "completed",
      refundId: "refund-2",
    });
    await workFor(world, 1);
    const known = await world.ledger.refunds(paymentId);
    expect(known.map(({ key, refundId }) => `${key} ${refundId}`).sort()).toEqual([
      "click-1 refund-2",
      "service:refund-9 refund-9",
    ]);
  });
});

describe("the key of a refund", () => {
  it("a refund key that belongs to another order's refund is rejected with what to do", async () => {
    const { world, paymentId } = await paidWorld();
    await refund(world, paymentId, 1000, "click-1");
    const other = anOrder({ ref: { storeId: "shop", orderId: "1043" } });
    world.store.order = other;
    const start = await startCheckout(world.engine, other);
    world.service.pay("session-2");
    await confirmPayment(world.engine, start.paymentId ?? "", { actor: "webhook" });
    await expect(refund(world, start.paymentId ?? "", 1000, "click-1")).rejects.toMatchObject({
      code: "refund_key_reused",
      retryable: false,
      message: expect.stringContaining("use a new key"),
    });
  });
});

describe("the transaction of a refund", () => {
  it("a refund uses the completed transaction even if the session names a declined one", async () => {
    const { world, paymentId } = await paidWorld();
    const payment = await world.paymentIn("recorded");
    const next = { ...payment, transactionId: "declined-try", version: payment.version + 1 };
    await world.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
    expect(await refund(world, paymentId, 2000, "click-1")).toMatchObject({ state: "completed" });
    expect(world.service.refundPosts[0]?.request).toContain("transaction-of-session-1");
  });
});
