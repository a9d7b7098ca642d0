import { confirmPayment, type Dispute, limits, type Payment } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listPayments } from "../src/admin-api/list-payments.ts";
import { type PaymentView, toPaymentView } from "../src/admin-api/payment-view.ts";
import { refundBeforeCancel } from "../src/admin-api/refund-before-cancel.ts";
import { GET as candidates } from "../src/api/admin/tillkit/payments/[id]/candidates/route.ts";
import { handleReturn } from "../src/handle-return.ts";
import type { FakeSession } from "./fake-medusa/tables.ts";
import { type Fixture, openFixture } from "./fixture.ts";

const ADMIN_URL = "https://medusa.example/app";
const usd = (minor: number) => ({ minor, currency: "USD" });

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture({ adminUrl: ADMIN_URL });
});
afterEach(() => fixture.close());

/** An event of the service has reported a dispute of 20 dollars of a payment. */
async function disputePayment(session: FakeSession, change: Partial<Dispute> = {}, isLost = false): Promise<Payment> {
  const { ledger, engine } = await fixture.runtime();
  const payment = await fixture.payment(session);
  const now = engine.clock.now();
  const dispute: Dispute = {
    id: "dispute-1",
    paymentId: payment.id,
    transactionId: payment.transactionId,
    amount: usd(2_000),
    reason: "fraudulent",
    status: "pending",
    outcome: null,
    evidenceDueBy: null,
    openedAt: now,
    updatedAt: now,
    ...change,
  };
  const next = { ...payment, lostToDispute: isLost, version: payment.version + 1 };
  await ledger.commit({ payment: { next, expect: payment.version }, disputes: [dispute], timeline: [] });
  return next;
}

async function toReview(): Promise<readonly PaymentView[]> {
  return (await listPayments(await fixture.runtime(), { filter: "review", after: undefined, language: "en" })).payments;
}

describe("a refund over a dispute", () => {
  it("Medusa's own refund is refused with the sums and the link to the payment's page, and no money goes", async () => {
    const { session, payment } = await fixture.placePaidOrder();
    const { id } = await disputePayment(session);
    const link = `${ADMIN_URL}/tillkit?search=${id}`;
    await expect(fixture.medusa.refund(payment, "5")).rejects.toMatchObject({ type: "not_allowed" });
    await expect(fixture.medusa.refund(payment, "22.8")).rejects.toThrow(/\$20\.00 disputed: \$2\.80 can be refunded/);
    await expect(fixture.medusa.refund(payment, "5")).rejects.toThrow(link);
    expect([await fixture.refundsAtService(), payment.refunds]).toEqual([[], []]);
    await fixture.medusa.refund(payment, "2.8");
    expect(await fixture.refundsAtService()).toEqual([280]);
  });

  it("after the deadline of a dispute, its owner reads that the service decides, and not that evidence is due", async () => {
    const { session } = await fixture.placePaidOrder();
    const { id } = await disputePayment(session, { evidenceDueBy: Date.now() - 60_000 });
    const runtime = await fixture.runtime();
    const view = await toPaymentView(runtime, await fixture.payment(session), "en");
    expect(view).toMatchObject({ id, disputes: [{ text: expect.stringContaining("The time for evidence ended") }] });
  });

  it("the owner of a French shop reads in French why the refund was refused", async () => {
    await fixture.close();
    fixture = await openFixture({ adminUrl: ADMIN_URL, language: "fr" });
    const { session, payment } = await fixture.placePaidOrder();
    const { id } = await disputePayment(session);
    await expect(fixture.medusa.refund(payment, "5")).rejects.toThrow(/contestés : 2,80.*Décidez ici/);
    await expect(fixture.medusa.refund(payment, "5")).rejects.toThrow(id);
  });

  it("a person confirms it on the page of the payment, once, and it becomes a refund of the order", async () => {
    const { session, payment } = await fixture.placePaidOrder();
    const { id } = await disputePayment(session);
    const view = await fixture.admin.read(id);
    expect(view.over_dispute).toEqual({ at_most: "$22.80", decimal: "22.80", disputed: "$20.00" });
    const decision = { kind: "refund", amount: "10.00", overDispute: true } as const;
    await expect(fixture.admin.decide(id, decision, { seen: "other" })).rejects.toThrow("has changed since");
    await fixture.admin.decide(id, decision, view);
    // A second click on the same page is the same decision; another amount is another one.
    await fixture.admin.decide(id, decision, view);
    const other = { ...decision, amount: "5.00" };
    await expect(fixture.admin.decide(id, other, view)).rejects.toThrow("has changed since");
    expect(await fixture.refundsAtService()).toEqual([1_000]);
    await fixture.runJobsUntil(() => payment.refunds.length > 0);
    expect(payment.refunds.map(({ amount }) => amount)).toEqual(["10"]);
    expect(JSON.stringify((await fixture.admin.read(id)).timeline)).toContain("user_01");
  });

  it("an amount that means ten to some people and ten thousand to others is refused, and a decimal comma is not", async () => {
    const { session } = await fixture.placePaidOrder();
    const { id } = await disputePayment(session);
    const refund = (amount: string) => fixture.admin.decide(id, { kind: "refund", amount, overDispute: true });
    await expect(refund("10.000")).rejects.toThrow("no amount in the payment");
    await refund("10,5");
    expect(await fixture.refundsAtService()).toEqual([1_050]);
  });

  it("canceling the order refunds what no dispute holds, and the cancellation goes on", async () => {
    const { session, payment } = await fixture.placePaidOrder();
    await disputePayment(session);
    const [order] = fixture.medusa.tables.orders;
    const refunding = refundBeforeCancel(await fixture.runtime(), order?.id ?? "", "user_01");
    await expect(refunding).resolves.toBeUndefined();
    expect(await fixture.refundsAtService()).toEqual([280]);
    expect(payment.refunds.map(({ amount }) => amount)).toEqual(["2.8"]);
    await refundBeforeCancel(await fixture.runtime(), order?.id ?? "", "user_01");
    expect(await fixture.refundsAtService()).toEqual([280]);
  });
});

describe("a refund in doubt", () => {
  /** An order whose refund has no result although the engine had the time to read it. */
  async function orderWithDoubt(): Promise<{
    readonly session: FakeSession;
    readonly id: string;
    readonly key: string;
  }> {
    const { session, payment } = await fixture.placePaidOrder();
    const fault = { method: "POST", path: "/refunds", status: 503, times: 1_000 } as const;
    await fixture.sandbox.control.addFault(fault);
    await expect(fixture.medusa.refund(payment, "2.8")).rejects.toThrow("may or may not have been made");
    const { id } = await fixture.payment(session);
    const { ledger } = await fixture.runtime();
    const [refund] = await ledger.refunds(id);
    await fixture.advanceClock(limits.refundSettlesMs + 60_000);
    return { session, id, key: refund?.key ?? "" };
  }

  it("the page lists the payment and asks the person, who answers once and is named in the timeline", async () => {
    const { id, key } = await orderWithDoubt();
    expect(await fixture.admin.read(id)).toMatchObject({
      problem: expect.stringContaining("does not show plainly"),
      refunds: [{ key, state: "unknown", can_tell_outcome: true }],
    });
    const view = await fixture.admin.decide(id, { kind: "looked", refundKey: key, wasMade: false });
    expect(view.refunds).toMatchObject([{ key, state: "failed", can_tell_outcome: false }]);
    expect(JSON.stringify(view.timeline)).toContain("user_01");
    await expect(fixture.admin.decide(id, { kind: "looked", refundKey: key, wasMade: true })).rejects.toThrow(
      "has changed since",
    );
  });

  it("an answer about a page that has become old is refused, and so is a decision that nobody offers", async () => {
    const { id, session, key } = await orderWithDoubt();
    const { seen } = await fixture.admin.read(id);
    await disputePayment(session);
    const answer = { kind: "looked", refundKey: key, wasMade: true } as const;
    await expect(fixture.admin.decide(id, answer, { seen })).rejects.toThrow("has changed since");
    await expect(fixture.admin.decide(id, { kind: "something else" } as never)).rejects.toThrow("has changed since");
    expect((await fixture.admin.read(id)).refunds).toMatchObject([{ state: "unknown" }]);
  });
});

describe("a payment whose page was paid twice", () => {
  it("the second payment is shown as the customer's and refunded by itself, and the order's payment stays", async () => {
    const { session, payment } = await fixture.placePaidOrder();
    const { ledger, engine } = await fixture.runtime();
    const { id } = await fixture.payment(session);
    await confirmPayment(engine, id, { actor: "timer" });
    // A transaction of the service that no payment of the ledger names.
    const { session: other } = await fixture.startCheckout({ minor: 500 });
    await fixture.pay(other);
    const unpaid = await fixture.payment(other);
    const service = await engine.tenants.service(unpaid.credentialId);
    const { transactionId = "" } = await service.readSession(unpaid, limits.shopperCallMs);
    const first = await fixture.payment(session);
    const read = { paymentId: id, code: null, at: engine.clock.now(), isRead: true, evidence: "identity" } as const;
    const transactions = [
      { ...read, id: first.transactionId ?? "", amount: usd(2_280) },
      { ...read, id: transactionId, amount: usd(500) },
    ];
    await ledger.commit({ transactions, timeline: [] });
    expect(await fixture.admin.read(id)).toMatchObject({
      can_refund: false,
      further_transactions: [{ id: transactionId, amount_received: "$5.00", amount_refundable: "$5.00" }],
    });
    await expect(fixture.admin.decide(id, { kind: "refund" })).rejects.toThrow("on the order’s page");
    const view = await fixture.admin.decide(id, { kind: "refund", transactionId });
    expect(view.further_transactions).toMatchObject([{ id: transactionId, amount_refundable: null }]);
    expect(await fixture.refundsAtService()).toEqual([500]);
    expect(payment.refunds).toEqual([]);
    expect(view.state).toBe("recorded");
  });
});

describe("a payment whose money a dispute took back", () => {
  it("the page lists the payment until its order is canceled, and no shopper is told that it was paid", async () => {
    const { session } = await fixture.placePaidOrder();
    const lost = { amount: usd(2_280), status: "closed", outcome: "lost" } as const;
    const { id } = await disputePayment(session, lost, true);
    expect(await toReview()).toMatchObject([{ id, problem: expect.stringContaining("pays its order no longer") }]);
    const runtime = await fixture.runtime();
    const token = runtime.returnTokens.sign("return", id);
    expect(await handleReturn(runtime, token, { isRepeated: true })).toEqual({ status: "refunded", order_id: null });
    const data = { ...session.data };
    expect(await fixture.provider.getPaymentStatus({ data })).toMatchObject({ status: "canceled" });
  });

  it("a dispute that ended without an outcome counts as lost until the owner says that it was won", async () => {
    const { session } = await fixture.placePaidOrder();
    const { id } = await disputePayment(session, { amount: usd(2_280), status: "closed" }, true);
    expect(await fixture.admin.read(id)).toMatchObject({
      amount_refundable: "$0.00",
      disputes: [{ can_decide: true }],
    });
    const view = await fixture.admin.decide(id, { kind: "disputeOutcome", disputeId: "dispute-1", outcome: "won" });
    expect(view).toMatchObject({ amount_refundable: "$22.80", problem: null, disputes: [{ can_decide: false }] });
    expect(await toReview()).toEqual([]);
  });
});

describe("a payment whose transaction nothing names", () => {
  /** The service shows no session, no reference and no order with its transactions, and no transaction with its sessions. */
  async function hideNames(): Promise<void> {
    const { engine } = await fixture.runtime();
    const { service } = engine.tenants;
    const names = { sessionId: undefined, reference: undefined, signedOrder: undefined };
    engine.tenants.service = async (id) => {
      const known = await service(id);
      return {
        ...known,
        readSession: async (...call) => ({ ...(await known.readSession(...call)), transactionId: undefined }),
        readTransaction: async (query) => ({ ...(await known.readTransaction(query)), ...names }),
        async *listTransactions(query) {
          for await (const row of known.listTransactions(query)) yield { ...row, ...names };
        },
      };
    };
  }

  it("the refund is refused with the link, and the person names one of the candidates on the page", async () => {
    await hideNames();
    const { session, payment } = await fixture.placePaidOrder();
    const { id } = await fixture.payment(session);
    await expect(fixture.medusa.refund(payment, "5")).rejects.toThrow(`${ADMIN_URL}/tillkit?search=${id}`);
    expect(await fixture.refundsAtService()).toEqual([]);
    expect(await fixture.admin.read(id)).toMatchObject({ can_name_transaction: true, transaction_id: null });
    const listed = (await fixture.admin.request(candidates, { params: { id } })).body as {
      candidates: { id: string; amount: string }[];
    };
    expect(listed.candidates).toMatchObject([{ amount: "$22.80" }]);
    await fixture.admin.decide(id, { kind: "nameTransaction", transactionId: listed.candidates[0]?.id ?? "" });
    await fixture.medusa.refund(payment, "5");
    expect(await fixture.refundsAtService()).toEqual([500]);
    expect(await fixture.admin.read(id)).toMatchObject({ can_name_transaction: false });
  });
});
