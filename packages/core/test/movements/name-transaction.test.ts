import { describe, expect, it } from "vitest";
import { confirmPayment, explainPayment, gatherMovements, nameTransaction, refundPayment } from "../../src/index.ts";
import { equationOf } from "../../src/ledger.ts";
import { anOrder } from "../fixture/samples.ts";
import { startPayment } from "../fixture/steps.ts";
import { deliver, francs } from "../refunds/refund-steps.ts";
import { fixtureWithBareReads, paidOrder, TRUE_ID } from "./nameless-steps.ts";

const success = { checkout_session_id: "session-1", transaction_id: TRUE_ID };

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

  it("one transaction is never named for two payments, also when two persons decide at once", async () => {
    const fixture = fixtureWithBareReads();
    const first = await paidOrder(fixture);
    fixture.store.order = anOrder({ ref: { storeId: "shop", orderId: "1043" } });
    const second = await startPayment(fixture, fixture.store.order);
    fixture.service.pay("session-2");
    await confirmPayment(fixture.engine, second, { actor: "webhook" });
    const decisions = [first, second].map(async (paymentId) =>
      nameTransaction(fixture.engine, { paymentId, transactionId: TRUE_ID, by: "owner" }),
    );
    const results = await Promise.allSettled(decisions);
    expect(results.filter(({ status }) => status === "fulfilled").length).toBeLessThan(2);
  });
});
