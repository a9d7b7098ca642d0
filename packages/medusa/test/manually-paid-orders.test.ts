import { confirmPayment, type Payment, type Receipt, runDue } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toPaymentView } from "../src/admin-api/payment-view.ts";
import { refundBeforeCancel } from "../src/admin-api/refund-before-cancel.ts";
import type { FakeSession } from "./fake-medusa/tables.ts";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture({ autoRefund: ["duplicate", "order_gone", "order_not_payable"] });
});
afterEach(() => fixture.close());

const OWNER = "user_01OWNER";

/** An edited order with an outstanding amount and an open payment session for it. */
async function orderWithOutstandingAmount() {
  const { cart } = await fixture.placePaidOrder();
  const session = await fixture.medusa.requestOutstandingAmount(cart, "5");
  const [order] = fixture.medusa.tables.orders;
  if (!order) throw new Error("Medusa made no order.");
  return { cart, session, order, payment: await fixture.payment(session) };
}

async function findOrder({ collectionId, id }: FakeSession) {
  const { store } = await fixture.runtime();
  return await store.findOrder({ storeId: "medusa", orderId: collectionId }, id);
}

async function markPaid(payment: Payment, change: Partial<Receipt> = {}) {
  const { store } = await fixture.runtime();
  const { id: paymentId, ref, attempt, environment, amountDue } = payment;
  const receipt = { paymentId, ref, attempt, environment, sessionId: "cs_1", transactionId: "txn_1" };
  return await store.markPaid({ ...receipt, paid: amountDue, total: amountDue, fence: 1, ...change });
}

const paymentsOf = (collectionId: string) =>
  fixture.medusa.tables.payments.filter((payment) => payment.collectionId === collectionId);

/** The metadata of all payment collections that have some: the plugin names an accepted payment there. */
const namedPayments = () =>
  fixture.medusa.tables.collections.map(({ metadata }) => metadata).filter((metadata) => metadata !== null);

/** Stores the payment as recorded, as the engine does after the owner accepted it. */
async function storeAsRecorded(payment: Payment): Promise<Payment> {
  const { ledger } = await fixture.runtime();
  const received = { state: "recorded", amountReceived: payment.amountDue, nextCheckAt: null } as const;
  const next = { ...payment, ...received, version: payment.version + 1 };
  await ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
  return next;
}

/** Places an order that was paid through another provider while our hosted page of its cart is still open. */
async function orderPaidByOtherProvider(providerId: string, captures: number) {
  const { cart, session } = await fixture.startCheckout();
  const { collectionId, amount } = session;
  const row = { collectionId, amount, data: {}, captures, canceledAt: null, refunds: [] };
  fixture.medusa.tables.payments.push({ id: "pay_other", sessionId: "payses_other", providerId, ...row });
  fixture.medusa.tables.orders.push({ id: "order_other", cartId: cart.id, displayId: 1, status: "pending" });
  return session;
}

describe("the payment that Medusa shows for an order", () => {
  it("an order that the owner marks as paid is paid by the owner, with user id and time", async () => {
    const { session } = await orderWithOutstandingAmount();
    const before = Date.now();
    await fixture.medusa.markAsPaid(session.collectionId, OWNER);
    const order = await findOrder(session);
    expect(order).toMatchObject({ paidBy: "owner", payable: false, markedPaid: { by: OWNER } });
    expect(order?.markedPaid?.at).toBeGreaterThanOrEqual(before);
  });

  it.each([
    ["cash on delivery, not captured", "pp_system_default", 0, "unclear"],
    ["cash on delivery, captured", "pp_system_default", 1, "unclear"],
    ["a captured payment of another provider", "pp_card_card", 1, "outside"],
    ["an authorized payment of another provider", "pp_card_card", 0, "outside"],
  ])(
    "an order with %s is not payable, and the adapter says how it was paid",
    async (_howItWasPaid, providerId, captures, paidBy) => {
      const session = await orderPaidByOtherProvider(providerId, captures);
      expect(await findOrder(session)).toMatchObject({ paidBy, payable: false });
    },
  );

  it("a captured payment does not count while its cart has no order", async () => {
    const { cart, session } = await fixture.placePaidOrder();
    fixture.medusa.tables.orders.splice(0);
    expect(await findOrder(session)).toMatchObject({ paidBy: null });
    await fixture.medusa.completeCart(cart);
    expect(await findOrder(session)).toMatchObject({ paidBy: (await fixture.payment(session)).id });
  });

  it("a payment received for a canceled order is refunded and not captured", async () => {
    const { session, order, payment } = await orderWithOutstandingAmount();
    order.status = "canceled";
    expect(await findOrder(session)).toMatchObject({ paidBy: null, payable: false });
    expect(await markPaid(payment)).toMatchObject({ outcome: "not-payable" });
    await fixture.pay(session);
    await confirmPayment((await fixture.runtime()).engine, payment.id, { actor: "webhook" });
    await fixture.runJobsUntil(async () => (await fixture.payment(session)).state === "refunded");
    expect(paymentsOf(session.collectionId)).toEqual([]);
    expect(await fixture.refundsAtService()).toEqual([500]);
  });
});

describe("a payment that the owner accepted by marking the order as paid", () => {
  it("an accepted payment is named in the collection's metadata and not captured again", async () => {
    const { session, payment } = await orderWithOutstandingAmount();
    await fixture.medusa.markAsPaid(session.collectionId, OWNER);
    const collection = fixture.medusa.tables.collections.find(({ id }) => id === session.collectionId);
    if (collection) collection.metadata = { shelf: "B4" };
    const before = structuredClone(paymentsOf(session.collectionId));
    const callsBefore = { ...fixture.medusa.providerCalls };
    expect(await markPaid(payment, { alreadyPaid: true })).toEqual({ outcome: "recorded", evidence: "read-back" });
    expect(await markPaid(payment, { alreadyPaid: true })).toEqual({ outcome: "already", evidence: "read-back" });
    expect(collection?.metadata).toEqual({ shelf: "B4", tillkit_payment_id: payment.id });
    expect([paymentsOf(session.collectionId), fixture.medusa.providerCalls]).toEqual([before, callsBefore]);
    expect(await findOrder(session)).toMatchObject({ paidBy: payment.id, payable: false });
    expect(await markPaid(payment, { paymentId: "another", alreadyPaid: true })).toMatchObject({
      outcome: "other-payment",
    });
  });

  it("a payment for an order with an unclear manual payment is recorded only after the owner accepted it", async () => {
    const session = await orderPaidByOtherProvider("pp_system_default", 1);
    const payment = await fixture.payment(session);
    await expect(markPaid(payment)).rejects.toMatchObject({ code: "unavailable" });
    expect(await markPaid(payment, { alreadyPaid: true })).toMatchObject({ outcome: "recorded" });
    expect(await findOrder(session)).toMatchObject({ paidBy: payment.id });
  });

  it("a payment that the owner did not accept, or for an order paid by another provider, is answered other-payment", async () => {
    const { session, payment } = await orderWithOutstandingAmount();
    await fixture.medusa.markAsPaid(session.collectionId, OWNER);
    expect(await markPaid(payment)).toMatchObject({ outcome: "other-payment" });
    const other = await fixture.payment(await orderPaidByOtherProvider("pp_card_card", 1));
    expect(await markPaid(other, { alreadyPaid: true })).toMatchObject({ outcome: "other-payment" });
    expect(namedPayments()).toEqual([]);
  });

  it("an accepted payment changes nothing on an order that is canceled or no longer marked as paid", async () => {
    const { session, order, payment } = await orderWithOutstandingAmount();
    await expect(markPaid(payment, { alreadyPaid: true })).rejects.toMatchObject({ code: "unavailable" });
    await fixture.medusa.markAsPaid(session.collectionId, OWNER);
    order.status = "canceled";
    expect(await markPaid(payment, { alreadyPaid: true })).toMatchObject({ outcome: "not-payable" });
    expect(namedPayments()).toEqual([]);
  });

  it("the payment of an order that its owner marked as paid is never captured, so that Medusa counts the amount once", async () => {
    const { session, payment } = await orderWithOutstandingAmount();
    await fixture.pay(session);
    await fixture.medusa.markAsPaid(session.collectionId, OWNER);
    await markPaid(payment, { alreadyPaid: true });
    await storeAsRecorded(payment);
    const input = { data: session.data, context: { idempotency_key: session.id } };
    for (const method of ["authorizePayment", "getPaymentStatus", "capturePayment"] as const) {
      await expect(fixture.provider[method](input)).rejects.toMatchObject({ type: "not_allowed" });
    }
    expect(paymentsOf(session.collectionId)).toHaveLength(1);
  });

  it("canceling the order records the refund of a smaller accepted payment once, although the worker records it at that moment", async () => {
    const { session, order, payment } = await orderWithOutstandingAmount();
    await fixture.pay(session);
    const manualPayment = await fixture.medusa.markAsPaid(session.collectionId, OWNER);
    Object.assign(manualPayment, { amount: "20" });
    await markPaid(payment, { alreadyPaid: true });
    await storeAsRecorded(payment);
    const runtime = await fixture.runtime();
    const workflows = fixture.medusa.container.resolve("workflows") as { run(...input: unknown[]): Promise<unknown> };
    const run = workflows.run.bind(workflows);
    let isWorkerIdle = true;
    workflows.run = async (name, options) => {
      const isManual = JSON.stringify(options).includes(manualPayment.id);
      if (isManual && isWorkerIdle) {
        isWorkerIdle = false;
        await runDue(runtime.engine);
      }
      return await run(name, options);
    };
    await refundBeforeCancel(runtime, order.id, OWNER);
    await fixture.runJobsUntil(() => manualPayment.refunds.length > 0);
    expect(await fixture.refundsAtService()).toEqual([500, 2280]);
    expect(manualPayment.refunds.map(({ amount }) => amount)).toEqual(["5"]);
  });

  it("the widget refunds an accepted payment once, and Medusa records it on its manual payment", async () => {
    const { session, payment } = await orderWithOutstandingAmount();
    await fixture.pay(session);
    const manualPayment = await fixture.medusa.markAsPaid(session.collectionId, OWNER);
    await markPaid(payment, { alreadyPaid: true });
    const recorded = await storeAsRecorded(payment);
    const runtime = await fixture.runtime();
    expect((await toPaymentView(runtime, recorded, "en")).can_refund).toBe(true);
    const { seen } = await fixture.admin.read(payment.id);
    await fixture.admin.decide(payment.id, { kind: "refund" }, { seen });
    await fixture.admin.decide(payment.id, { kind: "refund" }, { seen });
    await fixture.runJobsUntil(() => manualPayment.refunds.length > 0);
    expect(await fixture.refundsAtService()).toEqual([500]);
    expect(manualPayment.refunds.map(({ amount }) => amount)).toEqual(["5"]);
    expect((await toPaymentView(runtime, await fixture.payment(session), "en")).can_refund).toBe(false);
  });
});
