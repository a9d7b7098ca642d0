import { describe, expect, it } from "vitest";
import {
  confirmPayment,
  equationOf,
  explainPayment,
  gatherMovements,
  nameTransaction,
  readNamedTransaction,
  refundPayment,
  type Service,
  type TransactionReading,
} from "../../src/index.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { startPayment } from "../fixture/steps.ts";
import { deliver, francs, withService } from "../refunds/refund-steps.ts";

const TRUE_ID = "transaction-of-session-1";

/** A service whose reads name no session, no reference and no transaction of a session. */
function fixtureWithBareReads(change: (service: Service) => Partial<Service> = () => ({})): EngineFixture {
  const fixture = createEngineFixture();
  const bare = (row: TransactionReading): TransactionReading => {
    return { ...row, sessionId: undefined, reference: undefined, createdAt: fixture.clock.now() };
  };
  const reads = (service: Service): Partial<Service> => ({
    readSession: async (payment, deadlineMs) => ({
      ...(await service.readSession(payment, deadlineMs)),
      transactionId: undefined,
    }),
    readTransaction: async (query) => {
      const row = await service.readTransaction(query);
      return row && bare(row);
    },
    async *listTransactions(query) {
      for await (const row of service.listTransactions(query)) yield bare(row);
    },
    ...change(service),
  });
  // The same object, because `work` and `anotherProcess` of the fixture use its tenants.
  Object.assign(fixture.engine, { tenants: withService(fixture.engine, reads).tenants });
  return fixture;
}

async function paidOrder(fixture: EngineFixture): Promise<string> {
  const paymentId = await startPayment(fixture);
  fixture.service.pay("session-1");
  const sale = { id: "till-1", wireAmount: 5000, currency: "XOF", status: "completed" };
  fixture.service.sales.push({ ...sale, createdAt: fixture.clock.now() });
  await confirmPayment(fixture.engine, paymentId, { actor: "webhook" });
  return paymentId;
}

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
    const facts = timeline.map(readNamedTransaction).filter((entry) => entry !== null);
    expect(facts).toEqual([{ by: "Adjoua K. (caisse)", transactionId: TRUE_ID }]);
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
