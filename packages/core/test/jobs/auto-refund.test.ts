import { describe, expect, it } from "vitest";
import { createEngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passMinutes, payTwice, startPayment } from "../fixture/steps.ts";

describe("automatic refunds", () => {
  it("a duplicate is refunded once, without a person, when autoRefund covers it", async () => {
    const fixture = createEngineFixture({ autoRefund: ["duplicate"] });
    await payTwice(fixture);
    expect(fixture.service.refunds).toMatchObject([{ wireAmount: 5000 }]);
    expect(new Set(fixture.store.refunds)).toEqual(new Set(["refund-1 5000 completed"]));
    await fixture.expectPaymentIn("refunded");
    await fixture.expectPaymentIn("recorded");
  });

  it("a duplicate is not refunded without autoRefund and waits for the merchant", async () => {
    const fixture = createEngineFixture();
    await payTwice(fixture);
    expect(fixture.service.refunds).toEqual([]);
    await fixture.expectPaymentIn("duplicate");
  });

  it("a disputed payment is not refunded automatically, because its money may go back by the bank", async () => {
    const fixture = createEngineFixture({ autoRefund: ["order_not_payable"] });
    const paymentId = await startPayment(fixture);
    fixture.store.order = anOrder({ payable: false });
    fixture.service.pay("session-1");
    const facts = { id: "D1", paymentId, transactionId: null, amount: null, reason: "", evidenceDueBy: null } as const;
    const dispute = { ...facts, status: "closed", outcome: "won", openedAt: 0, updatedAt: 0 } as const;
    await fixture.ledger.commit({ disputes: [dispute], timeline: [] });
    await passMinutes(fixture, 30);
    expect(fixture.service.refunds).toEqual([]);
    await fixture.expectPaymentIn("review");
  });

  it("a duplicate whose automatic refund the service refused waits for a person, also after its order was written to", async () => {
    const fixture = createEngineFixture({ autoRefund: ["duplicate"] });
    await startPayment(fixture);
    fixture.service.pay("session-1");
    fixture.service.refuseRefunds = true;
    fixture.store.nextAnswers.push(async () => {
      fixture.store.order = anOrder({ paidBy: "outside", payable: false });
      return { outcome: "other-payment", paidBy: "outside" };
    });
    await passMinutes(fixture, 120);
    expect(fixture.service.refundPosts).toHaveLength(1);
    expect([...fixture.store.notes.keys()]).toContainEqual(expect.stringContaining("duplicate"));
  });

  it("a payment is refunded automatically when its order was sold out or deleted", async () => {
    for (const isDeleted of [true, false]) {
      const fixture = createEngineFixture({ autoRefund: ["order_gone", "order_not_payable"] });
      await startPayment(fixture);
      fixture.store.order = isDeleted ? null : anOrder({ payable: false });
      fixture.service.pay("session-1");
      await passMinutes(fixture, 5);
      expect(fixture.service.refunds).toMatchObject([{ wireAmount: 5000 }]);
      await fixture.expectPaymentIn("refunded");
    }
  });
});
