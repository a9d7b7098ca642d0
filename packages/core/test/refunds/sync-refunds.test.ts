import { describe, expect, it } from "vitest";
import { codeOf, confirmPayment, limits, refundPayment, syncRefunds } from "../../src/index.ts";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { startAndPay } from "../fixture/steps.ts";
import { addDashboardRefund, deliver, fixtureWithPaidOrder, francs, refund, withService } from "./refund-steps.ts";

describe("refunds that the service reports", () => {
  it("a refund that the service refuses fails, and a later refund can succeed", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.refuseRefunds = true;
    expect(await refund(fixture, paymentId, 5000, "click-1")).toMatchObject({ state: "failed" });
    await fixture.expectPaymentIn("recorded");
    fixture.service.refuseRefunds = false;
    expect(await refund(fixture, paymentId, 5000, "click-2")).toMatchObject({ state: "completed" });
  });

  it("a pending refund is read again until it is final", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.slowRefunds = true;
    expect(await refund(fixture, paymentId, 5000, "click-1")).toMatchObject({ state: "pending" });
    for (const known of fixture.service.refunds) known.status = "completed";
    await fixture.clock.advance(limits.reconfirmAfterMs);
    await fixture.work();
    await fixture.expectPaymentIn("refunded");
  });

  it("a refund that is pending for days costs a few reads a day", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.slowRefunds = true;
    await refund(fixture, paymentId, 100, "click-1");
    for (let minute = 0; minute < 5 * 24 * 60; minute += 1) {
      await fixture.clock.advance(60_000);
      await fixture.work();
    }
    expect(fixture.service.refundReads).toBeGreaterThan(5);
    expect(fixture.service.refundReads).toBeLessThan(40);
  });

  it("a dashboard refund is found by its event and written to the store once", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    addDashboardRefund(fixture, 1500);
    for (let time = 0; time < 2; time += 1) {
      const data = { refund_id: "refund-9", checkout_session_id: "session-1", time };
      await deliver(fixture, `e${time}`, "REFUND_COMPLETED", data);
    }
    expect(fixture.store.refunds).toEqual(["refund-9 1500 completed"]);
  });

  it("a final refund is not read again for an event with the same state", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    addDashboardRefund(fixture, 1500);
    const calls = [];
    const events = ["REFUND_COMPLETED", "REFUND_COMPLETED", "REFUND_FAILED"];
    for (const [index, event] of events.entries()) {
      await deliver(fixture, `e${index}`, event, { refund_id: "refund-9", checkout_session_id: "session-1" });
      calls.push(fixture.service.refundReads);
    }
    expect(calls).toEqual([1, 1, 2]);
  });

  it("a dashboard refund is found by its transaction id before the payment stores that id", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    addDashboardRefund(fixture, 5000);
    await deliver(fixture, "e1", "REFUND_COMPLETED", {
      refund_id: "refund-9",
      transaction_id: "transaction-of-session-1",
    });
    const confirmed = await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(confirmed).toMatchObject({ status: "refunded" });
    expect(fixture.store.paid).toEqual([]);
  });

  it("a refund that the service refuses to repeat is not treated as failed", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.lostResponses = 1;
    expect(await refund(fixture, paymentId, 5000, "click-1")).toMatchObject({ state: "unknown" });
    fixture.service.refuseRefunds = true;
    await fixture.clock.advance(limits.reconfirmAfterMs);
    await fixture.work();
    await fixture.expectPaymentIn("refunded");
  });

  it("a dashboard refund without an event is counted before another refund is sent", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    addDashboardRefund(fixture, 4000, fixture.clock.now());
    await expect(refund(fixture, paymentId, 2000, "click-1")).rejects.toMatchObject({ code: "refund_too_large" });
    expect(fixture.service.refundPosts).toEqual([]);
    expect(await refund(fixture, paymentId, 1000, "click-2")).toMatchObject({ state: "completed" });
    await fixture.expectPaymentIn("refunded");
    await expect(refund(fixture, paymentId, 1, "click-3")).rejects.toMatchObject({ code: "refund_not_possible" });
  });

  it("an unknown dashboard refund is recorded when it makes another refund fail", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.refuseRefunds = true;
    const engine = withService(fixture.engine, (service) => ({
      async refund(request) {
        addDashboardRefund(fixture, 5000, fixture.clock.now());
        return await service.refund(request);
      },
    }));
    const request = { paymentId, key: "click-1", amount: francs(5000), origin: "store" } as const;
    expect(await refundPayment(engine, request)).toMatchObject({ state: "failed" });
    await fixture.expectPaymentIn("refunded");
  });

  it("a refund of ours that is shown late is recognized by its stored mark, although this process lacks the key that made it", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    fixture.service.refuseRefunds = true;
    await refund(fixture, paymentId, 100, "click-1");
    const { reason } = JSON.parse(fixture.service.refundPosts.at(-1)?.request ?? "") as { reason: string };
    fixture.service.refunds.push({ key: "click-1", id: "refund-1", status: "failed", wireAmount: 100, reason });
    const older = { ...fixture.engine, referenceKeys: ["a key before the rotation, of 32 bytes"] } as const;
    expect(await syncRefunds(older, paymentId)).toMatchObject([
      { key: "click-1", origin: "store", refundId: "refund-1" },
    ]);
  });

  it("a refund event of another integration's transaction changes nothing and waits while the service is down", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    fixture.service.fail = "down";
    await deliver(fixture, "e1", "REFUND_COMPLETED", {
      refund_id: "refund-7",
      transaction_id: "transaction-of-a-stranger",
    });
    expect(await fixture.ledger.countDeliveries()).toMatchObject({ waiting: 1, unrelated: 0 });
    fixture.service.fail = null;
    // The service may not show the transaction yet, so the job reads it for some hours.
    for (let time = 0; time < limits.maxUnreadableReads; time += 1) {
      await fixture.clock.advance(limits.retryMaxMs * 2);
      await fixture.work();
    }
    expect(await fixture.ledger.countDeliveries()).toMatchObject({ waiting: 0, unrelated: 1 });
    expect(fixture.service.refundReads).toBe(0);
  });

  it("a dashboard refund made before an outage of a day is recorded after the outage", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    addDashboardRefund(fixture, 5000);
    fixture.service.unlisted.add("refund-9");
    await deliver(fixture, "e1", "REFUND_COMPLETED", { refund_id: "refund-9", checkout_session_id: "session-1" });
    fixture.service.unlisted.clear();
    fixture.service.fail = "down";
    for (let attempt = 0; attempt < limits.maxUnreadableReads + 10; attempt += 1) {
      await fixture.clock.advance(limits.retryMaxMs * 2);
      await fixture.work();
    }
    fixture.service.fail = null;
    await fixture.clock.advance(limits.retryMaxMs * 2);
    await fixture.work();
    await fixture.expectPaymentIn("refunded");
  });

  it("a refund that the service reports and lists only hours later is recorded, and one that it never lists waits for a person", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    addDashboardRefund(fixture, 1500);
    fixture.service.unlisted.add("refund-9");
    await deliver(fixture, "e1", "REFUND_COMPLETED", { refund_id: "refund-9", checkout_session_id: "session-1" });
    const readsFor = async (times: number, everyMs: number) => {
      for (let time = 0; time < times; time += 1) {
        await fixture.clock.advance(everyMs);
        await fixture.work();
      }
    };
    await readsFor(limits.maxUnreadableReads, limits.retryMaxMs * 2);
    fixture.service.unlisted.clear();
    await readsFor(1, limits.unreadableCheckMs);
    expect(await fixture.ledger.refunds(paymentId)).toMatchObject([{ refundId: "refund-9", state: "completed" }]);

    await deliver(fixture, "e2", "REFUND_COMPLETED", { refund_id: "refund-10", checkout_session_id: "session-1" });
    await readsFor(limits.maxUnreadableReads, limits.retryMaxMs * 2);
    await readsFor(limits.unreadableMs / limits.unreadableCheckMs + 1, limits.unreadableCheckMs * 1.1);
    const { rows } = await fixture.ledger.listJobs({ dead: true, limit: 10 });
    expect(rows).toMatchObject([{ kind: "refund", paymentId, error: { code: "unreadable" } }]);
  });

  it("a dashboard refund is written to the store although the event of its result is lost", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    const made = { key: "dashboard", id: "refund-9", status: "pending" as const, wireAmount: 1500 };
    fixture.service.refunds.push(made);
    await deliver(fixture, "e1", "REFUND_CREATED", { refund_id: "refund-9", checkout_session_id: "session-1" });
    expect(fixture.store.refunds).toEqual([]);
    fixture.service.refunds.splice(0, 1, { ...made, status: "completed" });
    await fixture.clock.advance(limits.refundCheckMs);
    await fixture.work();
    expect(fixture.store.refunds).toContain("refund-9 1500 completed");
  });

  it("a refund waits while the order is being marked paid, and is possible afterwards", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    let early: unknown = null;
    fixture.store.nextAnswers.push(async () => {
      early = await refund(fixture, paymentId, 5000, "click-1").catch(codeOf);
      return "go on";
    });
    await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
    expect(early).toBe("write_in_flight");
    await fixture.expectPaymentIn("recorded");
    expect(await refund(fixture, paymentId, 5000, "click-1")).toMatchObject({ state: "completed" });
  });

  it("a full dashboard refund makes the payment refunded, and no read verifies it again", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    addDashboardRefund(fixture, 5000);
    await syncRefunds(fixture.engine, paymentId);
    await fixture.expectPaymentIn("refunded");
    const reads = fixture.service.reads.length;
    expect(await confirmPayment(fixture.engine, paymentId, { actor: "webhook" })).toMatchObject({ status: "refunded" });
    expect(fixture.service.reads).toHaveLength(reads);
  });
});
