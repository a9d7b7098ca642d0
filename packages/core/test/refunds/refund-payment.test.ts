import { describe, expect, it } from "vitest";
import {
  confirmPayment,
  explainPayment,
  limits,
  refundPayment,
  startCheckout,
  verifyPayment,
} from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { SESSION_NEARLY_OVER_MS, startAndPay, startPayment } from "../fixture/steps.ts";
import { fixtureWithPaidOrder, francs, refund, refundedTotal } from "./refund-steps.ts";

describe("refundPayment", () => {
  it("a full refund makes the payment refunded and adds a timeline entry", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    expect(await refund(fixture, paymentId, 5000, "click-1")).toMatchObject({
      state: "completed",
      refundId: "refund-1",
    });
    await fixture.expectPaymentIn("refunded");
    const { entries } = await explainPayment(fixture.engine, { paymentId }, "en");
    expect(entries.at(-1)?.text.replace(/[\u202f\u00a0]/g, " ")).toBe("5 000 F CFA was refunded.");
  });

  // #region in-parts
  it("partial refunds leave the payment recorded until the whole amount is refunded", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await refund(fixture, paymentId, 1, "click-1");
    await refund(fixture, paymentId, 2800, "click-2");
    await fixture.expectPaymentIn("recorded");
    await refund(fixture, paymentId, 2199, "click-3");
    await fixture.expectPaymentIn("refunded");
    expect(JSON.parse(fixture.service.refundPosts[0]?.request ?? "")).toMatchObject({
      amount: 1,
      refund_type: "partial",
    });
  });
  // #endregion in-parts

  it("a failed refund of a held payment shows the merchant again why the payment is held", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const session = fixture.service.sessions.get("session-1");
    if (session) session.overrides = { wireAmount: 4999 };
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    fixture.service.slowRefunds = true;
    expect(await refund(fixture, paymentId, 4999, "click-1")).toMatchObject({ state: "pending" });
    // While the refund is pending, the order is not held.
    await fixture.work();
    expect(fixture.store.holds).toEqual([]);
    for (const known of fixture.service.refunds) known.status = "failed";
    await fixture.clock.advance(limits.reconfirmAfterMs);
    await fixture.work();
    expect((await fixture.expectPaymentIn("review")).finding).toMatchObject({ code: "amount_differs" });
    expect(fixture.store.holds).toMatchObject([{ code: "amount_differs" }]);
  });

  // #region one-key
  it("two requests with one key make one refund", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const both = await Promise.all([1, 2].map(() => refund(fixture, paymentId, 2000, "click-1")));
    expect(both.map(({ refundId }) => refundId)).toEqual(["refund-1", "refund-1"]);
    expect(refundedTotal(fixture)).toBe(2000);
  });
  // #endregion one-key

  it("three simultaneous refunds never exceed the amount paid", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    // The amounts differ, because repeated requests for one amount are one refund.
    await Promise.allSettled(
      [2000, 2001, 2002].map((minor) => refund(fixture, paymentId, minor, `click for ${minor}`)),
    );
    expect(refundedTotal(fixture)).toBeGreaterThanOrEqual(2000);
    expect(refundedTotal(fixture)).toBeLessThanOrEqual(5000);
  });

  it("a refund of more than remains, or of nothing, is rejected", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await refund(fixture, paymentId, 4000, "click-1");
    await expect(refund(fixture, paymentId, 1001, "click-2")).rejects.toMatchObject({ code: "refund_too_large" });
    await expect(refund(fixture, paymentId, 0, "click-3")).rejects.toMatchObject({ code: "refund_too_large" });
  });

  it("a refund of a payment that never arrived is rejected", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    await expect(refund(fixture, paymentId, 100, "a")).rejects.toMatchObject({ code: "refund_not_possible" });
  });

  it("a repeated refund key with another amount is rejected", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await refund(fixture, paymentId, 1000, "click-1");
    await expect(refund(fixture, paymentId, 2000, "click-1")).rejects.toMatchObject({ code: "refund_key_reused" });
  });
});

describe("a refund whose response was lost", () => {
  it("a refund whose response was lost is unknown, and a request under the same key settles the refund", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.lostResponses = 1;
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ state: "completed" });
    expect(new Set(fixture.service.refundPosts.map((post) => JSON.stringify(post))).size).toBe(1);
    expect(refundedTotal(fixture)).toBe(2000);
  });

  it("a refund whose response was lost stays one refund when the platform repeats it under a new key", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.lostResponses = 1;
    await refund(fixture, paymentId, 2000, "ref_1");
    expect(await refund(fixture, paymentId, 2000, "ref_2")).toMatchObject({ state: "completed", key: "ref_1" });
    expect(refundedTotal(fixture)).toBe(2000);
  });

  it("a refund in doubt blocks every other refund while the service is down", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.fail = "posts-down";
    await refund(fixture, paymentId, 2000, "click-1");
    await expect(refund(fixture, paymentId, 500, "click-2")).rejects.toMatchObject({ code: "refund_in_doubt" });
    fixture.service.fail = null;
    await refund(fixture, paymentId, 500, "click-2");
    expect(refundedTotal(fixture)).toBe(2500);
  });

  it("a refund in doubt is settled by the worker without another click", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.lostResponses = 1;
    await refund(fixture, paymentId, 5000, "click-1");
    await fixture.clock.advance(limits.reconfirmAfterMs);
    await fixture.work();
    await fixture.expectPaymentIn("refunded");
    expect(refundedTotal(fixture)).toBe(5000);
  });
});

async function createDuplicate(fixture: EngineFixture): Promise<string> {
  await startCheckout(fixture.engine, anOrder());
  await fixture.clock.advance(SESSION_NEARLY_OVER_MS);
  await startCheckout(fixture.engine, anOrder());
  fixture.service.pay("session-1");
  fixture.service.pay("session-2");
  for (const { id } of await fixture.ledger.paymentsOfOrder(anOrder().ref)) {
    await confirmPayment(fixture.engine, id, { actor: "webhook" });
  }
  return (await fixture.expectPaymentIn("duplicate")).id;
}

describe("refunds of a duplicate", () => {
  it("a refund of a duplicate is written to the store", async () => {
    const fixture = createEngineFixture();
    const paymentId = await createDuplicate(fixture);
    await refundPayment(fixture.engine, { paymentId, key: "rule", amount: francs(5000), origin: "tillkit" });
    await fixture.work();
    await fixture.expectPaymentIn("refunded");
    expect(fixture.store.refunds).toEqual(["refund-1 5000 completed"]);
    await fixture.expectPaymentIn("recorded");
  });

  it("a duplicate with a pending refund is not refunded because of a confirm", async () => {
    const fixture = createEngineFixture();
    const paymentId = await createDuplicate(fixture);
    fixture.service.slowRefunds = true;
    await refundPayment(fixture.engine, { paymentId, key: "rule", amount: francs(5000), origin: "tillkit" });
    expect(await verifyPayment(fixture.engine, paymentId)).toEqual({ status: "refunded" });
    await fixture.expectPaymentIn("refunding");
  });
});
