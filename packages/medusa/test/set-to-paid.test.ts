import { confirmPayment, type Payment, type Receipt } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { viewOf } from "../src/attention/payment-view.ts";
import { refundAccepted } from "../src/attention/refund-accepted.ts";
import type { FakeSession } from "./fake-medusa/shop.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld({ onOrphan: "refund" });
});
afterEach(() => world.close());

const OWNER = "user_01OWNER";

/** An order that was edited, and whose rest is asked for with a page of its own. */
async function askForRest() {
  const { cart } = await world.buy();
  const session = await world.medusa.askForRest(cart, "5");
  const [order] = world.medusa.shop.orders;
  if (!order) throw new Error("Medusa made no order.");
  return { cart, session, order, payment: await world.payment(session) };
}

async function look({ collectionId, id }: FakeSession) {
  const { store } = await world.till();
  return await store.findOrder({ storeId: "medusa", orderId: collectionId }, id);
}

async function markPaid(payment: Payment, change: Partial<Receipt> = {}) {
  const { store } = await world.till();
  const { id: paymentId, ref, attempt, environment, amountDue } = payment;
  const receipt = { paymentId, ref, attempt, environment, sessionId: "cs_1", transactionId: "txn_1" };
  return await store.markPaid({ ...receipt, paid: amountDue, total: amountDue, fence: 1, ...change });
}

const moneyOf = (collectionId: string) =>
  world.medusa.shop.payments.filter((payment) => payment.collectionId === collectionId);

/** As the engine keeps a payment that the owner accepted. */
async function record(payment: Payment): Promise<Payment> {
  const { ledger } = await world.till();
  const next = { ...payment, state: "recorded" as const, nextCheckAt: null, version: payment.version + 1 };
  await ledger.commit({ payment: { next, expect: payment.version }, timeline: [] });
  return next;
}

/** Money of another provider for the order of a cart, whose page of ours was still open. */
async function orderOtherwise(providerId: string, captures: number) {
  const { cart, session } = await world.beginCheckout();
  const { collectionId, amount } = session;
  const row = { collectionId, amount, data: {}, captures, canceledAt: null, refunds: [] };
  world.medusa.shop.payments.push({ id: "pay_other", sessionId: "payses_other", providerId, ...row });
  world.medusa.shop.orders.push({ id: "order_other", cartId: cart.id, displayId: 1, status: "pending" });
  return session;
}

describe("by what Medusa shows an order as paid", () => {
  it("the owner who marks the rest of an order as paid set it to paid, under their own name and at that time", async () => {
    const { session } = await askForRest();
    const before = Date.now();
    await world.medusa.markAsPaid(session.collectionId, OWNER);
    const order = await look(session);
    expect(order).toMatchObject({ paidBy: "owner", payable: false, setPaid: { by: OWNER } });
    expect(order?.setPaid?.at).toBeGreaterThanOrEqual(before);
  });

  it.each([
    ["cash on delivery that nobody captured", "pp_system_default", 0, "unclear"],
    ["cash on delivery that somebody captured", "pp_system_default", 1, "unclear"],
    ["another provider's captured payment", "pp_card_card", 1, "outside"],
    ["another provider's authorized payment", "pp_card_card", 0, "outside"],
  ])("an order with %s says so", async (_what, providerId, captures, paidBy) => {
    expect(await look(await orderOtherwise(providerId, captures))).toMatchObject({ paidBy, payable: false });
  });

  it("money that Medusa captured for a cart that became no order is no proof", async () => {
    const { cart, session } = await world.buy();
    world.medusa.shop.orders.splice(0);
    expect(await look(session)).toMatchObject({ paidBy: null });
    await world.medusa.completeCart(cart);
    expect(await look(session)).toMatchObject({ paidBy: (await world.payment(session)).id });
  });

  it("an order that was canceled takes no money, and what arrives for its open page goes back", async () => {
    const { session, order, payment } = await askForRest();
    order.status = "canceled";
    expect(await look(session)).toMatchObject({ paidBy: null, payable: false });
    expect(await markPaid(payment)).toMatchObject({ outcome: "not-payable" });
    await world.pay(session);
    await confirmPayment((await world.till()).engine, payment.id, { actor: "webhook" });
    await world.workUntil(async () => (await world.payment(session)).state === "refunded");
    expect(moneyOf(session.collectionId)).toEqual([]);
    expect(await world.refundsAtService()).toEqual([500]);
  });
});

describe("a payment that the owner accepted by marking the order as paid", () => {
  it("is named beside Medusa's own payment, and nothing is captured again", async () => {
    const { session, payment } = await askForRest();
    await world.medusa.markAsPaid(session.collectionId, OWNER);
    const collection = world.medusa.shop.collections.find(({ id }) => id === session.collectionId);
    if (collection) collection.metadata = { shelf: "B4" };
    const before = structuredClone(moneyOf(session.collectionId));
    const asked = { ...world.medusa.asked };
    expect(await markPaid(payment, { alreadyPaid: true })).toEqual({ outcome: "recorded", evidence: "read-back" });
    expect(await markPaid(payment, { alreadyPaid: true })).toEqual({ outcome: "already", evidence: "read-back" });
    expect(collection?.metadata).toEqual({ shelf: "B4", tillkit_payment_id: payment.id });
    expect([moneyOf(session.collectionId), world.medusa.asked]).toEqual([before, asked]);
    expect(await look(session)).toMatchObject({ paidBy: payment.id, payable: false });
    expect(await markPaid(payment, { paymentId: "another", alreadyPaid: true })).toMatchObject({
      outcome: "other-payment",
    });
  });

  it("is named on an order of which Medusa cannot tell by what it is paid, at the owner's word alone", async () => {
    const session = await orderOtherwise("pp_system_default", 1);
    const payment = await world.payment(session);
    await expect(markPaid(payment)).rejects.toMatchObject({ code: "unavailable" });
    expect(await markPaid(payment, { alreadyPaid: true })).toMatchObject({ outcome: "recorded" });
    expect(await look(session)).toMatchObject({ paidBy: payment.id });
  });

  it("is another payment's where the owner did not accept it, and where another provider took the money", async () => {
    const { session, payment } = await askForRest();
    await world.medusa.markAsPaid(session.collectionId, OWNER);
    expect(await markPaid(payment)).toMatchObject({ outcome: "other-payment" });
    const other = await world.payment(await orderOtherwise("pp_card_card", 1));
    expect(await markPaid(other, { alreadyPaid: true })).toMatchObject({ outcome: "other-payment" });
    expect(world.medusa.shop.collections.map(({ metadata }) => metadata)).toEqual([null, null, null]);
  });

  it("changes nothing on an order that was canceled since, or that waits for money again", async () => {
    const { session, order, payment } = await askForRest();
    await expect(markPaid(payment, { alreadyPaid: true })).rejects.toMatchObject({ code: "unavailable" });
    await world.medusa.markAsPaid(session.collectionId, OWNER);
    order.status = "canceled";
    expect(await markPaid(payment, { alreadyPaid: true })).toMatchObject({ outcome: "not-payable" });
    expect(world.medusa.shop.collections.map(({ metadata }) => metadata)).toEqual([null, null]);
  });

  it("is never called captured, so that Medusa books its money once", async () => {
    const { session, payment } = await askForRest();
    await world.pay(session);
    await world.medusa.markAsPaid(session.collectionId, OWNER);
    await markPaid(payment, { alreadyPaid: true });
    await record(payment);
    const input = { data: session.data, context: { idempotency_key: session.id } };
    for (const ask of ["authorizePayment", "getPaymentStatus", "capturePayment"] as const) {
      await expect(world.provider[ask](input)).rejects.toMatchObject({ type: "not_allowed" });
    }
    expect(moneyOf(session.collectionId)).toHaveLength(1);
  });

  it("goes back by the button beside the order, once, and Medusa writes it down on its own payment", async () => {
    const { session, payment } = await askForRest();
    await world.pay(session);
    const money = await world.medusa.markAsPaid(session.collectionId, OWNER);
    await markPaid(payment, { alreadyPaid: true });
    const recorded = await record(payment);
    const till = await world.till();
    expect((await viewOf(till, recorded, "en")).can_refund).toBe(true);
    await refundAccepted(till, recorded, OWNER);
    await refundAccepted(till, recorded, OWNER);
    await world.workUntil(() => money.refunds.length > 0);
    expect(await world.refundsAtService()).toEqual([500]);
    expect(money.refunds.map(({ amount }) => amount)).toEqual(["5"]);
    expect((await viewOf(till, await world.payment(session), "en")).can_refund).toBe(false);
  });
});
