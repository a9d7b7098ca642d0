import { describe, expect, it } from "vitest";
import { gatherMovements, refundPayment, StoreError, settleRefund } from "../../src/index.ts";
import { equationOf } from "../../src/ledger.ts";
import { identifyAllTransactions } from "../../src/movements/identify-transaction.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { passMinutes, startAndPay } from "../fixture/steps.ts";
import { deliver, fixtureWithPaidOrder, francs, refund } from "../refunds/refund-steps.ts";

const ofSession = { checkout_session_id: "session-1" };

function payAgain({ service, clock }: EngineFixture): void {
  const second = { id: "second", sessionId: "session-1", wireAmount: 5000, currency: "XOF", status: "completed" };
  service.sales.push({ ...second, createdAt: clock.now() });
}

describe("a session that was paid twice before any refund", () => {
  it("shows both transactions, and its refund goes to the transaction that paid first", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    payAgain(fixture);
    await deliver(fixture, "second", "PAYMENT_SUCCEEDED", { ...ofSession, transaction_id: "second" });
    await passMinutes(fixture, 5);
    const payment = await fixture.expectPaymentIn("recorded");
    const movements = await gatherMovements(fixture.ledger, paymentId);
    expect.soft(payment.transactionId).toBe("transaction-of-session-1");
    expect.soft(equationOf(payment, movements).received).toEqual(francs(10_000));
    const timeline = await fixture.ledger.timeline({ paymentId });
    expect.soft(timeline.filter(({ kind }) => kind === "surplus")).toHaveLength(1);
    expect
      .soft([...fixture.store.notes])
      .toEqual([["surplus:second", expect.stringContaining("received another payment of")]]);
    expect
      .soft(await refund(fixture, paymentId, 5000, "click-1"))
      .toMatchObject({ transactionId: "transaction-of-session-1" });
  });

  it("is found by its exact id where the shop was away when its event arrived, although the id ends like a phone number", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const id = "b0a0d7d2-1cc0-44bf-9cba-a33e24337146";
    const second = { id, sessionId: "session-1", wireAmount: 5000, currency: "XOF", status: "completed" };
    fixture.service.sales.push({ ...second, createdAt: fixture.clock.now() });
    fixture.store.nextAnswers.push(() => Promise.reject(new StoreError("unavailable", "The shop is away.")));
    await deliver(fixture, "second", "PAYMENT_SUCCEEDED", { ...ofSession, transaction_id: id });
    await passMinutes(fixture, 5);
    expect(await fixture.ledger.transactions(paymentId)).toMatchObject([
      { id: "transaction-of-session-1" },
      { id, isRead: true },
    ]);
  });

  it.each([
    ["here", "tillkit"],
    ["in the service's dashboard", "service"],
  ] as const)(
    "a refund of the surplus, made %s, leaves the order paid, and the order gets a note",
    async (_where, by) => {
      const { fixture, paymentId } = await fixtureWithPaidOrder();
      payAgain(fixture);
      await deliver(fixture, "second", "PAYMENT_SUCCEEDED", { ...ofSession, transaction_id: "second" });
      if (by === "service") await refundUnheard(fixture, 5000);
      const surplus = { paymentId, key: "surplus", amount: francs(5000), transactionId: "second" };
      if (by === "tillkit") await refundPayment(fixture.engine, { ...surplus, origin: by });
      await passMinutes(fixture, 5);
      expect.soft(fixture.store.refunds).toEqual([]);
      expect([...fixture.store.notes.values()].at(-1)).toContain(
        "of another payment that the payment page had received",
      );
      expect(await refund(fixture, paymentId, 1000, "click-1")).toMatchObject({ state: "completed" });
    },
  );

  it("keeps the sum of the second transaction that was read once, where the service later shows it without its sum", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const sale = { id: "second", sessionId: "session-1", wireAmount: 3000, currency: "XOF", status: "completed" };
    fixture.service.sales.push({ ...sale, createdAt: fixture.clock.now() });
    await deliver(fixture, "second", "PAYMENT_SUCCEEDED", { ...ofSession, transaction_id: "second" });
    await passMinutes(fixture, 5);
    Object.assign(fixture.service.sales.at(-1) ?? {}, { wireAmount: undefined });
    await identifyAllTransactions(fixture.engine, await fixture.expectPaymentIn("recorded"));
    const movements = await gatherMovements(fixture.ledger, paymentId);
    expect(equationOf(await fixture.expectPaymentIn("recorded"), movements).received).toEqual(francs(8000));
  });

  it("a refund of the surplus is not answered with the refund of the first transaction that was in doubt", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await refund(fixture, paymentId, 1000, "click-0");
    payAgain(fixture);
    await deliver(fixture, "second", "PAYMENT_SUCCEEDED", { ...ofSession, transaction_id: "second" });
    fixture.service.lostResponses = 1;
    const decision = { paymentId, amount: francs(4000), origin: "tillkit" } as const;
    await refundPayment(fixture.engine, { ...decision, key: "of the order" });
    const surplus = await refundPayment(fixture.engine, { ...decision, key: "surplus", transactionId: "second" });
    expect(surplus).toMatchObject({ key: "surplus", transactionId: "second" });
  });

  it("a refund of the surplus is not taken for the first transaction's refund that a person settled without seeing its row", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    payAgain(fixture);
    await deliver(fixture, "second", "PAYMENT_SUCCEEDED", { ...ofSession, transaction_id: "second" });
    await passMinutes(fixture, 5);
    fixture.service.fail = "posts-down";
    await refund(fixture, paymentId, 5000, "of the order");
    await settleRefund(fixture.engine, { paymentId, key: "of the order", wasMade: true, by: "owner" });
    fixture.service.fail = null;
    fixture.service.lostResponses = 1;
    const surplus = { amount: francs(5000), origin: "tillkit", transactionId: "second" } as const;
    await refundPayment(fixture.engine, { paymentId, key: "surplus", ...surplus });
    Object.assign(fixture.service.refunds[0] ?? {}, { reason: "" });
    await deliver(fixture, "r", "REFUND_COMPLETED", { ...ofSession, refund_id: "refund-1", transaction_id: "second" });
    await passMinutes(fixture, 60);
    const refunds = await fixture.ledger.refunds(paymentId);
    expect(refunds.map(({ key, state, refundId }) => ({ key, state, refundId }))).toEqual([
      { key: "of the order", state: "completed", refundId: null },
      { key: "surplus", state: "completed", refundId: "refund-1" },
    ]);
  });

  it("a dispute of the second transaction, whose success event is lost, takes nothing from the first", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    payAgain(fixture);
    const lost = { status: "closed", outcome: "lost", amount: 5000, currency_code: "XOF" };
    await deliver(fixture, "d", "DISPUTE_CLOSED", { dispute_id: "dispute-1", transaction_id: "second", ...lost });
    await passMinutes(fixture, 5);
    expect.soft((await fixture.expectPaymentIn("recorded")).lostToDispute).toBe(false);
    expect(await refund(fixture, paymentId, 5000, "click-1")).toMatchObject({ state: "completed" });
  });
});

/** The merchant refunds the transaction that the session does not name, and only that event arrives. */
async function refundUnheard(fixture: EngineFixture, wireAmount = 2000): Promise<void> {
  const refund = { key: "dashboard", id: "refund-9", status: "completed", wireAmount, transactionId: "second" };
  fixture.service.refunds.push({ ...refund, status: "completed" });
  await deliver(fixture, "r", "REFUND_COMPLETED", { ...ofSession, refund_id: "refund-9", transaction_id: "second" });
}

describe("a session that was paid twice while no success event arrives", () => {
  it("shows the refund of the transaction that the session does not name, although nothing was read of the payment yet", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    payAgain(fixture);
    await refundUnheard(fixture);
    expect(await fixture.ledger.refunds(paymentId)).toMatchObject([{ refundId: "refund-9", transactionId: "second" }]);
  });

  it("shows that refund too when the service shows its transaction later than the event", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    await refundUnheard(fixture);
    payAgain(fixture);
    await passMinutes(fixture, 30);
    expect(await fixture.ledger.refunds(paymentId)).toMatchObject([{ refundId: "refund-9", transactionId: "second" }]);
    const { received, returned } = equationOf(
      await fixture.expectPaymentIn("recorded"),
      await gatherMovements(fixture.ledger, paymentId),
    );
    expect({ received, returned }).toEqual({ received: francs(10_000), returned: francs(2000) });
  });

  it("a dispute of the transaction that the session does not name takes nothing from the one that pays the order", async () => {
    const fixture = createEngineFixture();
    await startAndPay(fixture);
    payAgain(fixture);
    const lost = { status: "closed", outcome: "lost", amount: 5000, currency_code: "XOF" };
    const names = { ...ofSession, dispute_id: "dispute-1", transaction_id: "second" };
    await deliver(fixture, "d", "DISPUTE_CLOSED", { ...names, ...lost });
    await passMinutes(fixture, 30);
    expect((await fixture.expectPaymentIn("recorded")).lostToDispute).toBe(false);
  });

  it("a lost dispute of a transaction that went back already holds the payment, because all of its money is gone", async () => {
    const fixture = createEngineFixture();
    await startAndPay(fixture);
    payAgain(fixture);
    const refund = { key: "dashboard", id: "refund-9", wireAmount: 5000, transactionId: "second" };
    fixture.service.refunds.push({ ...refund, status: "completed" });
    const lost = { status: "closed", outcome: "lost", amount: 5000, currency_code: "XOF" };
    await deliver(fixture, "r", "REFUND_COMPLETED", { ...ofSession, refund_id: "refund-9", transaction_id: "second" });
    await deliver(fixture, "d", "DISPUTE_CLOSED", {
      ...{ ...ofSession, dispute_id: "dispute-1", transaction_id: "second" },
      ...lost,
    });
    await passMinutes(fixture, 30);
    expect((await fixture.expectPaymentIn("review")).finding).toMatchObject({ code: "lost_to_dispute" });
    expect(fixture.store.paid).toEqual([]);
  });
});
