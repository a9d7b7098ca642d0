import { describe, expect, it } from "vitest";
import { transactionCandidates } from "../../src/back-office.ts";
import { confirmPayment, explainPayment, gatherMovements, nameTransaction, refundPayment } from "../../src/index.ts";
import { equationOf } from "../../src/ledger.ts";
import type { EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { startPayment } from "../fixture/steps.ts";
import { deliver, francs } from "../refunds/refund-steps.ts";
import { fixtureWithBareReads, paidOrder, TRUE_ID } from "./nameless-steps.ts";

const success = { checkout_session_id: "session-1", transaction_id: TRUE_ID };
const lost = { status: "closed", outcome: "lost", amount: 5000, currency_code: "XOF" };
const lostSale = { dispute_id: "dispute-1", transaction_id: "till-1", ...lost };

/** Another order of the shop, paid by its own session. @returns the id of its payment */
async function payAnotherOrder(fixture: EngineFixture): Promise<string> {
  fixture.store.order = anOrder({ ref: { storeId: "shop", orderId: "1043" } });
  const paymentId = await startPayment(fixture, fixture.store.order);
  fixture.service.pay("session-2");
  await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  return paymentId;
}

describe("a person says which transaction paid", () => {
  it("not against a transaction that a signed event has named and the service does not show yet", async () => {
    const isHidden = { now: true };
    const fixture = fixtureWithBareReads((service) => ({
      readTransaction: async (query) =>
        query.id === TRUE_ID && isHidden.now ? null : await service.readTransaction(query),
    }));
    const paymentId = await paidOrder(fixture);
    await deliver(fixture, "ours", "PAYMENT_SUCCEEDED", success);
    const wrong = { paymentId, transactionId: "till-1", by: "owner" };
    await expect(nameTransaction(fixture.engine, wrong)).rejects.toMatchObject({ code: "transaction_not_possible" });
    isHidden.now = false;
    const click = { paymentId, key: "click-1", amount: francs(5000), origin: "store" } as const;
    expect(await refundPayment(fixture.engine, click)).toMatchObject({ transactionId: TRUE_ID });
  });

  it("the timeline tells who chose which transaction as facts, and one sentence in each language names the person", async () => {
    const fixture = fixtureWithBareReads();
    const paymentId = await paidOrder(fixture);
    await nameTransaction(fixture.engine, { paymentId, transactionId: TRUE_ID, by: "Adjoua K. (caisse)" });
    const timeline = await fixture.engine.ledger.timeline({ paymentId });
    const named = timeline.filter(({ kind }) => kind === "transaction_named");
    expect(named).toMatchObject([{ by: "Adjoua K. (caisse)", transactionId: TRUE_ID }]);
    for (const language of ["en", "fr"] as const) {
      const { entries } = await explainPayment(fixture.engine, { paymentId }, language);
      expect(entries.filter(({ text }) => text.includes("(Adjoua K. (caisse))"))).toHaveLength(1);
      expect(entries.filter(({ text }) => text.includes(TRUE_ID))).toHaveLength(0);
    }
  });

  it("a wrong pick ends when a signed event names the transaction: no money is counted twice, and no stranger is refunded", async () => {
    const fixture = fixtureWithBareReads();
    const paymentId = await paidOrder(fixture);
    await nameTransaction(fixture.engine, { paymentId, transactionId: "till-1", by: "owner" });
    await deliver(fixture, "late", "PAYMENT_SUCCEEDED", success);
    const payment = await fixture.expectPaymentIn("recorded");
    const movements = await gatherMovements(fixture.ledger, paymentId);
    expect.soft(equationOf(payment, movements).received).toEqual(francs(5000));
    const click = { paymentId, key: "click-1", amount: francs(5000), origin: "store" } as const;
    expect(await refundPayment(fixture.engine, click)).toMatchObject({ transactionId: TRUE_ID });
  });

  it("a wrong pick ends when a signed event names the transaction: a dispute and a refund of the till's sale leave the order as it is", async () => {
    const fixture = fixtureWithBareReads();
    const paymentId = await paidOrder(fixture);
    await nameTransaction(fixture.engine, { paymentId, transactionId: "till-1", by: "owner" });
    await deliver(fixture, "late", "PAYMENT_SUCCEEDED", success);
    await deliver(fixture, "d", "DISPUTE_CLOSED", lostSale);
    await deliver(fixture, "r", "REFUND_COMPLETED", { refund_id: "refund-9", transaction_id: "till-1" });
    expect(await fixture.ledger.disputes(paymentId)).toEqual([]);
    expect((await fixture.expectPaymentIn("recorded")).lostToDispute).toBe(false);
    const { rows } = await fixture.ledger.listJobs({ limit: 10 });
    expect(rows.filter(({ kind }) => kind === "refund")).toEqual([]);
  });

  it("a wrong pick ends when the service names the session of the sale: its dispute leaves the order as it is", async () => {
    const fixture = fixtureWithBareReads();
    const paymentId = await paidOrder(fixture);
    await nameTransaction(fixture.engine, { paymentId, transactionId: "till-1", by: "owner" });
    await deliver(fixture, "d", "DISPUTE_CLOSED", { ...lostSale, checkout_session_id: "session-of-the-till" });
    expect(await fixture.ledger.disputes(paymentId)).toEqual([]);
    const click = { paymentId, key: "click-1", amount: francs(5000), origin: "store" } as const;
    await expect(refundPayment(fixture.engine, click)).rejects.toMatchObject({ code: "transaction_unknown" });
    await nameTransaction(fixture.engine, { paymentId, transactionId: TRUE_ID, by: "owner" });
    expect(await refundPayment(fixture.engine, click)).toMatchObject({ transactionId: TRUE_ID });
  });

  it("a wrong pick ends when a signed event names the transaction for another order, whose shopper is never refunded instead", async () => {
    const fixture = fixtureWithBareReads();
    const first = await paidOrder(fixture);
    const second = await payAnotherOrder(fixture);
    const transactionId = "transaction-of-session-2";
    await nameTransaction(fixture.engine, { paymentId: first, transactionId, by: "owner" });
    const named = { checkout_session_id: "session-2", transaction_id: transactionId };
    await deliver(fixture, "late", "PAYMENT_SUCCEEDED", named);
    const click = { paymentId: first, key: "click-1", amount: francs(5000), origin: "store" } as const;
    await expect(refundPayment(fixture.engine, click)).rejects.toMatchObject({ code: "transaction_unknown" });
    await nameTransaction(fixture.engine, { paymentId: first, transactionId: TRUE_ID, by: "owner" });
    expect(await refundPayment(fixture.engine, click)).toMatchObject({ transactionId: TRUE_ID });
    const other = { ...click, paymentId: second, key: "click-2" };
    expect(await refundPayment(fixture.engine, other)).toMatchObject({ transactionId });
  });

  it("not against a session of another order that names the transaction by its code", async () => {
    const at = Date.UTC(2026, 2, 1, 10);
    const sale = { id: "uuid-2", code: "txn_2", wireAmount: 5000, currency: "XOF", status: "completed", createdAt: at };
    const fixture = fixtureWithBareReads((service) => ({
      readSession: async (payment, deadlineMs) => {
        const reading = await service.readSession(payment, deadlineMs);
        return { ...reading, transactionId: payment.session?.id === "session-2" ? sale.code : undefined };
      },
      readTransaction: async ({ id }) => (id === sale.id || id === sale.code ? sale : null),
      async *listTransactions() {
        yield sale;
      },
    }));
    const first = await paidOrder(fixture);
    await payAnotherOrder(fixture);
    expect.soft(await transactionCandidates(fixture.engine, first)).toEqual([]);
    await expect(
      nameTransaction(fixture.engine, { paymentId: first, transactionId: sale.id, by: "owner" }),
    ).rejects.toMatchObject({ code: "transaction_not_possible" });
  });

  it("one transaction is never named for two payments, also when two persons decide at once", async () => {
    const fixture = fixtureWithBareReads();
    const first = await paidOrder(fixture);
    const second = await payAnotherOrder(fixture);
    const decisions = [first, second].map(async (paymentId) =>
      nameTransaction(fixture.engine, { paymentId, transactionId: TRUE_ID, by: "owner" }),
    );
    const results = await Promise.allSettled(decisions);
    expect(results.filter(({ status }) => status === "fulfilled").length).toBeLessThan(2);
  });
});
