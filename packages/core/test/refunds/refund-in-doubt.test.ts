import { describe, expect, it } from "vitest";
import { CheckoutError, confirmPayment, limits, refundPayment, runDue } from "../../src/index.ts";
import { anOrder } from "../fixture/samples.ts";
import { HOUR, passMinutes, startPayment } from "../fixture/steps.ts";
import {
  addDashboardRefund,
  fixtureWithPaidOrder,
  francs,
  refund,
  refundedTotal,
  withService,
} from "./refund-steps.ts";

/**
 * A refund of 2,000 whose response was lost, followed by an outage of this length. `wasMade`: the service received the request. The
 * service drops Idempotency-Keys after 24 hours.
 */
async function outageAfterRefund({ hours, wasMade }: { readonly hours: number; readonly wasMade: boolean }) {
  const { fixture, paymentId } = await fixtureWithPaidOrder();
  if (wasMade) fixture.service.lostResponses = 1;
  else fixture.service.fail = "posts-down";
  expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
  fixture.service.fail = "down";
  for (let hour = 0; hour < hours; hour += 1) {
    await fixture.clock.advance(HOUR);
    await fixture.work();
  }
  fixture.service.fail = null;
  return { fixture, paymentId };
}

describe("a refund that a restored ledger has forgotten, and that its shop asks for again with another body", () => {
  /** The service made `click-1` before, and knows its key. The list shows the refund once the test lists it. */
  async function askAgain({ wasMade }: { readonly wasMade: boolean }) {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const { service, clock } = fixture;
    service.unlisted.add(madeRefund.id);
    const engine = withService(fixture.engine, () => ({
      refund() {
        // Neither the list nor the transaction showed it before.
        if (wasMade) service.refunds.push({ ...madeRefund, createdAt: clock.now() });
        return Promise.reject(new CheckoutError("refund_key_reused", "idempotency_key_reused"));
      },
    }));
    const request = { paymentId, key: "click-1", amount: francs(2000), origin: "store" } as const;
    expect(await refundPayment(engine, request)).toMatchObject({ state: "unknown" });
    return { fixture, paymentId };
  }
  const madeRefund = { key: "click-1", id: "refund-1", status: "completed", wireAmount: 2000 } as const;

  it("is in doubt until the service's list shows it, and has not failed", async () => {
    const { fixture, paymentId } = await askAgain({ wasMade: true });
    await passMinutes(fixture, 15);
    expect(await fixture.ledger.refunds(paymentId)).toMatchObject([{ state: "unknown" }]);
    fixture.service.unlisted.clear();
    await passMinutes(fixture, 15);
    expect(await fixture.ledger.refunds(paymentId)).toMatchObject([{ state: "completed", refundId: "refund-1" }]);
    expect(refundedTotal(fixture)).toBe(2000);
  });

  it("has failed once the service shows for long that no money went back", async () => {
    const { fixture, paymentId } = await askAgain({ wasMade: false });
    await passMinutes(fixture, 15);
    expect(await fixture.ledger.refunds(paymentId)).toMatchObject([{ state: "failed" }]);
  });
});

describe("a refund in doubt after the service dropped its key", () => {
  it("a refund in doubt is found by reading and not sent again by the worker after its key expired", async () => {
    const { fixture, paymentId } = await outageAfterRefund({ hours: 25, wasMade: true });
    await passMinutes(fixture, 15);
    expect(refundedTotal(fixture)).toBe(2000);
    expect((await fixture.ledger.refunds(paymentId)).map(({ state }) => state)).toEqual(["completed"]);
  });

  it("a refund in doubt is not sent again by another click after its key expired", async () => {
    const { fixture, paymentId } = await outageAfterRefund({ hours: 25, wasMade: true });
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ key: "click-1", state: "completed" });
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ key: "click-1", state: "completed" });
    expect(refundedTotal(fixture)).toBe(2000);
  });

  it("a refund that never reached the service fails, and a new click refunds once", async () => {
    const { fixture, paymentId } = await outageAfterRefund({ hours: 25, wasMade: false });
    await passMinutes(fixture, 15);
    expect((await fixture.ledger.refunds(paymentId)).map(({ state }) => state)).toEqual(["failed"]);
    expect(refundedTotal(fixture)).toBe(0);
    expect(await refund(fixture, paymentId, 2000, "click-2")).toMatchObject({ key: "click-2", state: "completed" });
    await passMinutes(fixture, 15);
    expect(refundedTotal(fixture)).toBe(2000);
  });

  it("a refund that completes between the reading of its transaction and that of a list that skips it does not fail", async () => {
    const { fixture, paymentId } = await outageAfterRefund({ hours: 25, wasMade: true });
    const [made] = fixture.service.refunds;
    Object.assign(made ?? {}, { status: "pending" });
    fixture.service.unlisted.add("refund-1");
    const engine = withService(fixture.engine, (service) => ({
      readRefunds: async (...query) => {
        Object.assign(made ?? {}, { status: "completed" });
        return await service.readRefunds(...query);
      },
    }));
    await fixture.clock.advance(HOUR);
    await runDue(engine);
    expect(await fixture.ledger.refunds(paymentId)).toMatchObject([{ state: "unknown" }]);
  });

  it("a refund in doubt does not fail while the service's list may lag behind", async () => {
    const { fixture, paymentId } = await outageAfterRefund({ hours: 23, wasMade: true });
    fixture.service.unlisted.add("refund-1");
    await fixture.work();
    expect(await fixture.ledger.refunds(paymentId)).toMatchObject([{ state: "unknown" }]);
    fixture.service.unlisted.clear();
    await passMinutes(fixture, 15);
    expect(await fixture.ledger.refunds(paymentId)).toMatchObject([{ state: "completed", refundId: "refund-1" }]);
    expect(refundedTotal(fixture)).toBe(2000);
  });
});

describe("a refund that the service refuses to repeat", () => {
  it("a refund that the service refuses to repeat is settled by reading and not by the refusal", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.lostResponses = 1;
    await refund(fixture, paymentId, 2000, "click-1");
    fixture.service.refuseRefunds = true;
    fixture.service.unlisted.add("refund-1");
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
    await expect(refund(fixture, paymentId, 500, "click-2")).rejects.toMatchObject({ code: "refund_in_doubt" });
    fixture.service.unlisted.clear();
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({
      state: "completed",
      refundId: "refund-1",
    });
    expect(fixture.service.refundPosts).toHaveLength(2);
    expect(refundedTotal(fixture)).toBe(2000);
  });

  it("a refund in doubt does not fail because the dashboard has a failed refund of the same amount", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.lostResponses = 1;
    await refund(fixture, paymentId, 2000, "click-1");
    const failed = { key: "dashboard", id: "refund-9", status: "failed", wireAmount: 2000 } as const;
    fixture.service.refunds.unshift({ ...failed, createdAt: fixture.clock.now() - 1_000 });
    fixture.service.refuseRefunds = true;
    fixture.service.unlisted.add("refund-1");
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
    fixture.service.unlisted.clear();
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({
      state: "completed",
      refundId: "refund-1",
    });
  });

  it("a refund that the service does not show after ten minutes has failed", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.fail = "posts-down";
    await refund(fixture, paymentId, 2000, "click-1");
    fixture.service.fail = null;
    fixture.service.refuseRefunds = true;
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
    await fixture.clock.advance(limits.refundSettlesMs);
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ state: "failed" });
  });
});

describe("a store that lost the response and asks again days later", () => {
  it("a store that asks again days later gets the refund in doubt once, and a further request makes a new refund", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.lostResponses = 1;
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ state: "unknown" });
    await passMinutes(fixture, 5);
    await fixture.clock.advance(48 * HOUR);
    const request = { paymentId, amount: francs(2000), origin: "store" } as const;
    const repeated = { ...request, key: "click-2", recordedRefunds: [] };
    expect(await refundPayment(fixture.engine, repeated)).toMatchObject({ key: "click-1", state: "completed" });
    expect(refundedTotal(fixture)).toBe(2000);
    expect(await refundPayment(fixture.engine, { ...repeated, recordedRefunds: ["refund-1"] })).toMatchObject({
      key: "click-1",
    });
    expect(refundedTotal(fixture)).toBe(2000);
    const another = { ...request, key: "click-3", recordedRefunds: ["refund-1"] };
    expect(await refundPayment(fixture.engine, another)).toMatchObject({ key: "click-3", state: "completed" });
    expect(refundedTotal(fixture)).toBe(4000);
  });
});

describe("a refund of the service's dashboard", () => {
  it("a dashboard refund is not mistaken for a refund of the same amount that never reached the service", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    addDashboardRefund(fixture, 2000, fixture.clock.now());
    await fixture.clock.advance(HOUR);
    fixture.service.fail = "posts-down";
    await refund(fixture, paymentId, 2000, "click-1");
    fixture.service.fail = null;
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({
      state: "completed",
      refundId: "refund-2",
    });
    await passMinutes(fixture, 1);
    const known = await fixture.ledger.refunds(paymentId);
    expect(known.map(({ key, refundId }) => `${key} ${refundId}`).sort()).toEqual([
      "click-1 refund-2",
      "service:refund-9 refund-9",
    ]);
  });
});

describe("the key of a refund", () => {
  it("a refund key that belongs to another order's refund is rejected with the advice to use a new key", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await refund(fixture, paymentId, 1000, "click-1");
    const other = anOrder({ ref: { storeId: "shop", orderId: "1043" } });
    fixture.store.order = other;
    const otherPaymentId = await startPayment(fixture, other);
    fixture.service.pay("session-2");
    await confirmPayment(fixture.engine, otherPaymentId, { actor: "webhook" });
    await expect(refund(fixture, otherPaymentId, 1000, "click-1")).rejects.toMatchObject({
      code: "refund_key_reused",
      retryable: false,
      message: expect.stringContaining("use a new key"),
    });
  });
});

describe("the transaction of a refund", () => {
  it("a refund uses the completed transaction even if the session names a declined transaction", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const payment = await fixture.expectPaymentIn("recorded");
    const next = { ...payment, transactionId: "declined-try", version: payment.version + 1 };
    await fixture.ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
    expect(await refund(fixture, paymentId, 2000, "click-1")).toMatchObject({ state: "completed" });
    expect(fixture.service.refundPosts[0]?.request).toContain("transaction-of-session-1");
  });
});
