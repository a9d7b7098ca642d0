import { describe, expect, it } from "vitest";
import { decideDispute, refundPayment, startCheckout } from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passMinutes, payTwice, startPayment } from "../fixture/steps.ts";
import { deliver, fixtureWithPaidOrder, francs, refund } from "../refunds/refund-steps.ts";

let events = 0;

async function dispute(fixture: EngineFixture, change: Record<string, unknown> = {}): Promise<void> {
  events += 1;
  const base = {
    dispute_id: "dispute-1",
    transaction_id: "transaction-of-session-1",
    currency_code: "XOF",
    amount: 4000,
  };
  const updated_at = new Date(fixture.clock.now() + events).toISOString();
  const data: Record<string, unknown> = { ...base, status: "closed", outcome: "lost", updated_at, ...change };
  const event = data.status === "pending" ? "DISPUTE_CREATED" : "DISPUTE_CLOSED";
  await deliver(fixture, `dispute-event-${events}`, event, { checkout_session_id: "session-1", ...data });
}

describe("money that a dispute took or may take", () => {
  it("what is left to refund is what arrived, less what went back and what was disputed", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await refund(fixture, paymentId, 500, "click-1");
    await dispute(fixture);
    await expect(refund(fixture, paymentId, 4500, "click-2")).rejects.toMatchObject({ code: "refund_over_dispute" });
    await expect(refund(fixture, paymentId, 4501, "click-3")).rejects.toMatchObject({ code: "refund_too_large" });
    expect(await refund(fixture, paymentId, 501, "click-4").catch(({ code }) => code)).toBe("refund_over_dispute");
    expect(await refund(fixture, paymentId, 500, "click-5")).toMatchObject({ state: "completed" });
    expect((await fixture.expectPaymentIn("recorded")).lostToDispute).toBe(true);
  });

  it("a person may confirm a refund over the disputed sum that was shown, and over no other sum", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await dispute(fixture, { status: "pending", outcome: null });
    const click = { paymentId, key: "click-1", amount: francs(5000), origin: "tillkit", by: "owner" } as const;
    await expect(refundPayment(fixture.engine, { ...click, overDispute: francs(3999) })).rejects.toMatchObject({
      code: "refund_over_dispute",
    });
    await refundPayment(fixture.engine, { ...click, overDispute: francs(4000) });
    const timeline = await fixture.ledger.timeline({ paymentId });
    expect(timeline.map(({ kind }) => kind)).toContain("refund_over_dispute");
  });

  it("a dispute of an unreadable amount, of nothing, or in another currency, counts whole", async () => {
    for (const change of [{ amount: "4000,00" }, { amount: 0 }, { currency_code: "USD" }]) {
      const { fixture, paymentId } = await fixtureWithPaidOrder();
      await dispute(fixture, change);
      await expect(refund(fixture, paymentId, 1, "click-1")).rejects.toMatchObject({ code: "refund_over_dispute" });
    }
  });

  it("a dispute keeps its amount while events name none, and counts whole once an event names one that cannot be read", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await dispute(fixture, { status: "pending", outcome: null });
    for (const change of [{ amount: null }, { amount: 0 }, { currency_code: null }]) {
      await dispute(fixture, { status: "pending", outcome: null, ...change });
      expect(await fixture.ledger.disputes(paymentId)).toMatchObject([{ amount: francs(4000) }]);
    }
    await dispute(fixture, { amount: "4500,00" });
    await expect(refund(fixture, paymentId, 1000, "click-1")).rejects.toMatchObject({ code: "refund_over_dispute" });
  });

  it("a dispute that ended without an outcome counts as lost until a person says that it was won", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await dispute(fixture, { outcome: null, amount: 5000 });
    expect((await fixture.expectPaymentIn("recorded")).lostToDispute).toBe(true);
    await decideDispute(fixture.engine, { paymentId, disputeId: "dispute-1", outcome: "won", by: "owner" });
    expect((await fixture.expectPaymentIn("recorded")).lostToDispute).toBe(false);
    await fixture.work();
    expect([...fixture.store.notes.values()].at(-1)).toContain("You won the dispute");
    expect(await refund(fixture, paymentId, 5000, "click-1")).toMatchObject({ state: "completed" });
  });

  it.each([
    ["of the amount", {}],
    ["in another currency", { currency_code: "EUR", amount: 900 }],
    ["of an unreadable amount", { amount: null }],
  ])(
    "no order is marked paid by money that a lost dispute %s took back, when the success is reported late",
    async (_what, change) => {
      const fixture = createEngineFixture();
      await startPayment(fixture);
      await dispute(fixture, change);
      fixture.service.pay("session-1");
      await deliver(fixture, "late", "PAYMENT_SUCCEEDED", { checkout_session_id: "session-1" });
      await passMinutes(fixture, 5);
      expect(fixture.store.paid).toEqual([]);
      expect((await fixture.expectPaymentIn("review")).finding).toMatchObject({ code: "lost_to_dispute" });
    },
  );

  it("an order whose payment a dispute emptied can be paid again", async () => {
    const { fixture } = await fixtureWithPaidOrder();
    await dispute(fixture, { amount: 5000 });
    // The owner opens the order again, so that its shopper can pay.
    fixture.store.order = anOrder();
    const again = await startCheckout(fixture.engine, anOrder());
    expect(again).toMatchObject({ status: "redirect" });
    fixture.service.pay("session-2");
    await passMinutes(fixture, 5);
    const payments = await fixture.ledger.paymentsOfOrder(anOrder().ref);
    expect(payments.map(({ state, lostToDispute }) => [state, lostToDispute])).toContainEqual(["recorded", false]);
  });

  it("a duplicate whose dispute is lost is not refunded by the rule, and the owner is told", async () => {
    const fixture = createEngineFixture({ autoRefund: ["duplicate"] });
    const lost = { amount: 5000, transaction_id: "transaction-of-session-1" };
    await startPayment(fixture);
    await dispute(fixture, lost);
    await payTwice(fixture);
    expect(fixture.service.refunds).toEqual([]);
  });
});
