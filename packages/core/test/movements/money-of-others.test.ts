import { describe, expect, it } from "vitest";
import { transactionCandidates } from "../../src/back-office.ts";
import { type Engine, gatherMovements, nameTransaction, refundPayment, runDue } from "../../src/index.ts";
import { equationOf } from "../../src/ledger.ts";
import { createEngineFixture, type EngineFixture } from "../fixture/engine-fixture.ts";
import { anOrder } from "../fixture/samples.ts";
import { passMinutes, startAndPay, startPayment } from "../fixture/steps.ts";
import {
  addDashboardRefund,
  deliver,
  fixtureWithPaidOrder,
  francs,
  refund,
  withService,
} from "../refunds/refund-steps.ts";

/** A sale of 5,000 F CFA at a till on the same key. Neither its transaction nor its events name a session or a reference. */
function sellAtTill(fixture: EngineFixture, id = "till-1"): Record<string, unknown> {
  const createdAt = fixture.clock.now();
  fixture.service.sales.push({ id, wireAmount: 5000, currency: "XOF", status: "completed", createdAt });
  const created_at = new Date(createdAt).toISOString();
  return { transaction_id: id, gross_amount: 5000, currency_code: "XOF", status: "completed", created_at };
}

const transactionOfSession = { checkout_session_id: "session-1", transaction_id: "transaction-of-session-1" };

describe("money of somebody else on the same key", () => {
  it("a sale of the same amount at a till never replaces the transaction of an order, and the order's refund goes to its own shopper", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    await deliver(fixture, "till", "PAYMENT_SUCCEEDED", sellAtTill(fixture));
    fixture.service.pay("session-1");
    await deliver(fixture, "ours", "PAYMENT_SUCCEEDED", transactionOfSession);
    await deliver(fixture, "till again", "PAYMENT_SUCCEEDED", sellAtTill(fixture));
    expect(await fixture.expectPaymentIn("recorded")).toMatchObject({ transactionId: "transaction-of-session-1" });
    await refund(fixture, paymentId, 2000, "click-1");
    expect(fixture.service.refunds).toMatchObject([{ transactionId: "transaction-of-session-1" }]);
  });

  it("a refund of the till's sale and a dispute about it leave the order untouched", async () => {
    const fixture = createEngineFixture();
    const paymentId = await startPayment(fixture);
    await deliver(fixture, "till", "PAYMENT_SUCCEEDED", sellAtTill(fixture));
    fixture.service.pay("session-1");
    await deliver(fixture, "ours", "PAYMENT_SUCCEEDED", transactionOfSession);
    const row = { key: "dashboard", status: "completed", wireAmount: 5000 } as const;
    fixture.service.refunds.push({ ...row, id: "refund-9", transactionId: "till-1" });
    await deliver(fixture, "refund", "REFUND_COMPLETED", { refund_id: "refund-9", transaction_id: "till-1" });
    const dispute = { dispute_id: "dispute-9", transaction_id: "till-1", status: "closed", outcome: "lost" };
    await deliver(fixture, "dispute", "DISPUTE_CLOSED", { ...dispute, amount: 5000, currency_code: "XOF" });
    await fixture.expectPaymentIn("recorded");
    expect(await fixture.ledger.refunds(paymentId)).toEqual([]);
    expect(await fixture.ledger.disputes(paymentId)).toEqual([]);
    expect(await refund(fixture, paymentId, 5000, "click-1")).toMatchObject({ state: "completed" });
  });

  it("a refund of the dashboard without our mark is somebody else's, although ours of the same amount is in doubt", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    await refund(fixture, paymentId, 500, "click-0");
    await deliver(fixture, "e1", "REFUND_COMPLETED", { refund_id: "unknown", ...transactionOfSession });
    fixture.service.fail = "posts-down";
    await refund(fixture, paymentId, 2000, "click-1");
    addDashboardRefund(fixture, 2000, fixture.clock.now());
    Object.assign(fixture.service.refunds.at(-1) ?? {}, { reason: "goodwill" });
    fixture.service.fail = null;
    await passMinutes(fixture, 5);
    const known = await fixture.ledger.refunds(paymentId);
    expect(known.map(({ key, state }) => `${key} ${state}`).sort()).toEqual([
      "click-0 completed",
      "click-1 completed",
      "service:refund-9 completed",
    ]);
  });
});

describe("a payment whose transaction nothing names", () => {
  /** No answer of the service names the transaction of a session. `count` is given each answer. */
  function withoutNames(engine: Engine, count: <Row>(row: Row) => Row = (row) => row): Engine {
    return withService(engine, (service) => ({
      readSession: async (payment, deadlineMs) => ({
        ...count(await service.readSession(payment, deadlineMs)),
        transactionId: undefined,
      }),
      readTransaction: async (query) => nameless(count(await service.readTransaction(query))),
      async *listTransactions(query) {
        for await (const row of count(service.listTransactions(query))) {
          const shown = nameless(row);
          if (shown) yield shown;
        }
      },
    }));
  }

  async function passHours({ clock }: EngineFixture, engine: Engine, hours: number): Promise<void> {
    for (let minute = 0; minute < hours * 60; minute += 1) {
      await clock.advance(60_000);
      await runDue(engine);
    }
  }

  /** The session is paid, and no answer of the service names its transaction. */
  async function fixtureWithoutNames() {
    const fixture = createEngineFixture();
    const paymentId = await startAndPay(fixture);
    const engine = withoutNames(fixture.engine);
    const shop = { ...fixture, engine: { ...engine, decisionUrl: () => "https://shop.example/decide" } };
    await passMinutes(fixture, 3);
    await fixture.expectPaymentIn("recorded");
    await fixture.ledger.commit({ transactions: [], timeline: [] });
    return { fixture: shop, paymentId, clock: fixture.clock };
  }

  function nameless<Row extends object>(row: Row | null): Row | null {
    return row && { ...row, sessionId: undefined, reference: undefined, createdAt: Date.UTC(2026, 2, 1, 10) };
  }

  it("a refund is refused with the page on which a person says once which transaction paid, and is possible afterwards", async () => {
    const { fixture, paymentId } = await fixtureWithoutNames();
    const forgotten = { ...fixture, ledger: fixture.ledger };
    const click = { paymentId, key: "click-1", amount: francs(2000), origin: "store" } as const;
    const [stored] = await fixture.ledger.transactions(paymentId);
    if (stored) await fixture.ledger.commit({ transactions: [{ ...stored, evidence: "resemblance" }], timeline: [] });
    await expect(refundPayment(forgotten.engine, click)).rejects.toMatchObject({
      code: "transaction_unknown",
      message: expect.stringContaining("https://shop.example/decide"),
    });
    const candidates = await transactionCandidates(fixture.engine, paymentId);
    expect(candidates).toMatchObject([{ id: "transaction-of-session-1", amount: francs(5000) }]);
    await nameTransaction(fixture.engine, { paymentId, transactionId: "transaction-of-session-1", by: "owner" });
    expect(await refundPayment(fixture.engine, click)).toMatchObject({ state: "completed" });
    await expect(
      nameTransaction(fixture.engine, { paymentId, transactionId: "till-1", by: "owner" }),
    ).rejects.toMatchObject({ code: "transaction_not_possible" });
  });

  it("a rule's refund asks the service once an hour, and is made once a person has named the transaction", async () => {
    const fixture = createEngineFixture({ autoRefund: ["order_not_payable"] });
    const paymentId = await startAndPay(fixture);
    fixture.store.order = anOrder({ payable: false });
    let reads = 0;
    const count = <Row>(row: Row): Row => {
      reads += 1;
      return row;
    };
    const engine = withoutNames(fixture.engine, count);
    await passHours(fixture, engine, 24);
    expect(fixture.service.refunds).toEqual([]);
    expect(reads).toBeLessThan(120);
    await nameTransaction(engine, { paymentId, transactionId: "transaction-of-session-1", by: "owner" });
    await passHours(fixture, engine, 1);
    expect(fixture.service.refunds).toMatchObject([{ wireAmount: 5000 }]);
  });

  it("a person is offered only transactions of the amount that was paid", async () => {
    const { fixture, paymentId } = await fixtureWithoutNames();
    const [stored] = await fixture.ledger.transactions(paymentId);
    if (stored) await fixture.ledger.commit({ transactions: [{ ...stored, evidence: "resemblance" }], timeline: [] });
    fixture.service.sales.push({ id: "till-1", wireAmount: 4999, currency: "XOF", status: "completed" });
    const candidates = await transactionCandidates(fixture.engine, paymentId);
    expect(candidates.map(({ id }) => id)).toEqual(["transaction-of-session-1"]);
  });
});

describe("a session that was paid twice", () => {
  it("the first transaction stays the one that paid the order, although only the second was read before its event", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const [named] = await fixture.ledger.transactions(paymentId);
    expect(named).toMatchObject({ id: "transaction-of-session-1", isRead: false });
    const second = { id: "second", sessionId: "session-1", wireAmount: 5000, currency: "XOF", status: "completed" };
    fixture.service.sales.push({ ...second, createdAt: fixture.clock.now() });
    await deliver(fixture, "second", "PAYMENT_SUCCEEDED", { ...transactionOfSession, transaction_id: "second" });
    const payment = await fixture.expectPaymentIn("recorded");
    expect(payment.transactionId).toBe("transaction-of-session-1");
    const movements = await gatherMovements(fixture.ledger, paymentId);
    expect(equationOf(payment, movements)).toMatchObject({ received: francs(10_000) });
    await refund(fixture, paymentId, 1000, "click-1");
    expect(fixture.service.refunds).toMatchObject([{ transactionId: "transaction-of-session-1" }]);
  });

  it("the second transaction is shown, and its money can be refunded by itself", async () => {
    const { fixture, paymentId } = await fixtureWithPaidOrder();
    const second = { id: "second", sessionId: "session-1", wireAmount: 5000, currency: "XOF", status: "completed" };
    fixture.service.sales.push({ ...second, createdAt: fixture.clock.now() });
    await refund(fixture, paymentId, 1000, "click-1");
    await deliver(fixture, "second", "PAYMENT_SUCCEEDED", { ...transactionOfSession, transaction_id: "second" });
    expect(fixture.store.paid).toHaveLength(1);
    const payment = await fixture.expectPaymentIn("recorded");
    const movements = await gatherMovements(fixture.ledger, paymentId);
    expect(equationOf(payment, movements)).toMatchObject({ received: francs(10_000), available: francs(9000) });
    const timeline = await fixture.ledger.timeline({ paymentId });
    expect(timeline.filter(({ kind }) => kind === "surplus")).toMatchObject([
      { amount: { minor: 5000, currency: "XOF" } },
    ]);
    const surplus = { paymentId, key: "click-2", amount: francs(5000), origin: "tillkit" } as const;
    await refundPayment(fixture.engine, { ...surplus, transactionId: "second" });
    await expect(refund(fixture, paymentId, 4500, "click-3")).rejects.toMatchObject({ code: "refund_too_large" });
    await fixture.expectPaymentIn("recorded");
    expect(fixture.service.refunds.map(({ transactionId }) => transactionId)).toEqual([
      "transaction-of-session-1",
      "second",
    ]);
  });
});
