import { createServiceClient } from "@tillkit/client";
import { confirmPayment, refundPayment, syncRefunds } from "@tillkit/core";
import { explainUnknownPayment } from "@tillkit/core/back-office";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GET as listPaymentsOfOrder } from "../src/api/admin/tillkit/orders/[id]/route.ts";
import { POST as check } from "../src/api/admin/tillkit/payments/[id]/check/route.ts";
import { GET as listPayments } from "../src/api/admin/tillkit/payments/route.ts";
import { type Fixture, openFixture } from "./fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

/** Pays a session. From then on the service reports it with these changed fields, and the payment is verified with them. */
async function payWithPatch(patch: Record<string, unknown>) {
  const { cart, session } = await fixture.startCheckout();
  const payment = await fixture.payment(session);
  await fixture.pay(session);
  const EVERY_READ = 1_000;
  const fault = { method: "GET", path: "/checkout-sessions/{id}", when: "after", patch, times: EVERY_READ } as const;
  await fixture.sandbox.control.addFault(fault);
  await confirmPayment((await fixture.runtime()).engine, payment.id, { actor: "webhook" });
  return { cart, session, id: payment.id };
}

describe("the admin page of payments", () => {
  it("the list shows a mismatched payment with its difference, and no payment that is handled automatically", async () => {
    await fixture.placePaidOrder();
    await fixture.startCheckout();
    const { id } = await payWithPatch({ amount: 1_140 });
    expect((await fixture.admin.request(listPayments)).body).toMatchObject({
      payments: [{ id, state: "review", order_id: null, can_accept: true, can_refund: true }],
      next: null,
      dead_letter_jobs: 0,
      orphan_webhooks: 0,
    });
    const { payments } = (await fixture.admin.request(listPayments)).body as {
      payments: { finding: string; timeline: unknown[] }[];
    };
    expect(payments[0]?.finding).toContain("$11.40");
    expect(payments[0]?.timeline.length).toBeGreaterThan(2);
    const secretOrEmail = /svc_sk|whsec|@/;
    expect(JSON.stringify(payments)).not.toMatch(secretOrEmail);
  });

  it("the admin shows findings in French when its language is French", async () => {
    const { id } = await payWithPatch({ amount: 1_140 });
    expect((await fixture.admin.read(id, "fr")).finding).toMatch(/11,40/);
  });

  it("a held payment is refunded on request and then listed as refunded", async () => {
    const { id } = await payWithPatch({ amount: 1_140 });
    await fixture.sandbox.control.clearFaults();
    // The transaction is read for the first time, and it is of another amount than the session said.
    await expect(fixture.admin.decide(id, { kind: "refund" })).rejects.toThrow("has changed since you looked");
    await fixture.admin.decide(id, { kind: "refund" });
    expect(await fixture.refundsAtService()).toEqual([2_280]);
    expect((await fixture.admin.request(listPayments, { query: { filter: "refunded" } })).body).toMatchObject({
      payments: [{ id, state: "refunded" }],
    });
    expect((await fixture.admin.request(listPayments)).body).toMatchObject({ payments: [] });
  });

  it("a payment that pays an order cannot be refunded on the page", async () => {
    const { session } = await fixture.placePaidOrder();
    const { id } = await fixture.payment(session);
    const unseen = fixture.admin.decide(id, { kind: "refund" }, { seen: "" });
    await expect(unseen).rejects.toMatchObject({ type: "not_allowed" });
    await expect(fixture.admin.decide(id, { kind: "refund" }, { language: "fr" })).rejects.toThrow(
      "remboursez-le sur la page de la commande",
    );
    expect(await fixture.refundsAtService()).toEqual([]);
  });

  it("the order is placed when the owner accepts the difference", async () => {
    const { id } = await payWithPatch({ amount: 2_279 });
    const { state, timeline } = await fixture.admin.decide(id, { kind: "accept" });
    expect(fixture.medusa.tables.orders).toHaveLength(1);
    expect(state).toBe("recorded");
    expect(timeline.map(({ text }) => text).join()).toContain("user_01");
  });

  it("an unknown payment is answered with 404", async () => {
    const { status, body } = await fixture.admin.request(check, { params: { id: "unknown" } });
    expect([status, body]).toEqual([404, { message: explainUnknownPayment("en") }]);
  });
});

describe("a payment that changed since the page showed it", () => {
  /** The shopper pays a cart that costs more than was asked, and the owner attaches the payment to the cart again. */
  async function holdForTotal(total: string) {
    const checkout = await fixture.startCheckout();
    const { id } = await fixture.payment(checkout.session);
    await fixture.medusa.changeTotal(checkout.cart, total);
    await fixture.pay(checkout.session);
    await confirmPayment((await fixture.runtime()).engine, id, { actor: "webhook" });
    await fixture.admin.decide(id, { kind: "place" });
    return { id, cart: checkout.cart };
  }

  it("an acceptance of a difference that has grown since is refused, and no order is placed", async () => {
    const { id, cart } = await holdForTotal("45.6");
    const { seen } = await fixture.admin.read(id);
    await fixture.medusa.changeTotal(cart, "456");
    const { engine, ledger } = await fixture.runtime();
    await confirmPayment(engine, id, { actor: "operator" });
    await fixture.admin.decide(id, { kind: "place" });
    expect((await ledger.find({ id }))?.finding).toMatchObject({
      code: "total_changed",
      found: { minor: 45_600, currency: "USD" },
    });
    await expect(fixture.admin.decide(id, { kind: "accept" }, { seen })).rejects.toThrow(
      "has changed since you looked",
    );
    await expect(fixture.admin.decide(id, { kind: "accept" }, { seen, language: "fr" })).rejects.toThrow(
      "a changé depuis que vous l’avez regardé",
    );
    expect(fixture.medusa.tables.orders).toEqual([]);
    await fixture.admin.decide(id, { kind: "accept" });
    expect(fixture.medusa.tables.orders).toHaveLength(1);
  });

  it("an acceptance that names nothing that was seen is refused", async () => {
    const { id } = await holdForTotal("45.6");
    await expect(fixture.admin.decide(id, { kind: "accept" }, { seen: "" })).rejects.toThrow(
      "has changed since you looked",
    );
    expect(fixture.medusa.tables.orders).toEqual([]);
  });

  it.each([
    { when: "before the click", read: 1 },
    { when: "during the click", read: 3 },
  ])("an acceptance is refused when a part of the payment is refunded $when", async ({ read }) => {
    const { id } = await holdForTotal("45.6");
    const { seen } = await fixture.admin.read(id);
    const { engine, ledger } = await fixture.runtime();
    const { find } = ledger;
    const amount = { minor: 500, currency: "USD" };
    let reads = 0;
    Object.assign(ledger, {
      // The route reads the payment first, then the back office, and then the engine to accept it.
      async find(query: Parameters<typeof find>[0]) {
        reads += 1;
        if (reads === read) await refundPayment(engine, { paymentId: id, key: "part", amount, origin: "tillkit" });
        return await find.call(ledger, query);
      },
    });
    await expect(fixture.admin.decide(id, { kind: "accept" }, { seen })).rejects.toThrow(
      "has changed since you looked",
    );
    expect(fixture.medusa.tables.orders).toEqual([]);
    expect((await ledger.find({ id }))?.state).toBe("review");
  });

  it.each(["a refund failed", "a dispute opened"])("after %s an old page is not obeyed", async (event) => {
    const { id } = await holdForTotal("45.6");
    const { engine, ledger } = await fixture.runtime();
    const amount = { minor: 500, currency: "USD" };
    await fixture.sandbox.control.changeSettings({ refunds: "pending" });
    const part = await refundPayment(engine, { paymentId: id, key: "part", amount, origin: "tillkit" });
    await fixture.sandbox.control.changeSettings({ refunds: "instant" });
    const { seen } = await fixture.admin.read(id);
    if (event === "a refund failed") {
      await fixture.sandbox.control.failRefund(part.refundId ?? "");
      await syncRefunds(engine, id);
    } else {
      const { transactionId } = part;
      const now = engine.clock.now();
      const facts = { reason: "fraudulent", outcome: null, evidenceDueBy: null, openedAt: now, updatedAt: now };
      const dispute = { id: "dispute-1", paymentId: id, transactionId, amount, status: "pending", ...facts } as const;
      await ledger.commit({ disputes: [dispute], timeline: [] });
    }
    for (const kind of ["accept", "refund"] as const) {
      await expect(fixture.admin.decide(id, { kind }, { seen })).rejects.toThrow("has changed since you looked");
    }
    expect(await fixture.completedRefundsAtService()).toEqual([]);
    expect(fixture.medusa.tables.orders).toEqual([]);
  });

  it("a payment that another person has accepted since is not refunded from the old page", async () => {
    const { id } = await holdForTotal("45.6");
    const { seen } = await fixture.admin.read(id);
    await fixture.admin.decide(id, { kind: "accept" }, { seen });
    await expect(fixture.admin.decide(id, { kind: "refund" }, { seen })).rejects.toThrow(
      "has changed since you looked",
    );
    expect(await fixture.refundsAtService()).toEqual([]);
  });

  it("a refund of the whole payment is not sent when a part was refunded in the service's dashboard since", async () => {
    const { id } = await holdForTotal("45.6");
    const { seen } = await fixture.admin.read(id);
    const { transactionId } = (await (await fixture.runtime()).ledger.find({ id })) ?? {};
    const client = createServiceClient({ apiKey: fixture.options.apiKey, baseUrl: fixture.options.service.baseUrl });
    const part = { amount: 500, reason: "requested_by_customer", refund_type: "partial" } as const;
    await client.refunds.create({ ...part, transaction_id: transactionId ?? "" }, { idempotencyKey: "by-hand" });
    await expect(fixture.admin.decide(id, { kind: "refund" }, { seen })).rejects.toThrow(
      "at most $17.80 can be refunded.",
    );
    expect(await fixture.refundsAtService()).toEqual([500]);
    await fixture.admin.decide(id, { kind: "refund" });
    expect(await fixture.refundsAtService()).toEqual([1_780, 500]);
  });

  it("an order that is accepted after a part was refunded shows that refund in Medusa once", async () => {
    const { id } = await holdForTotal("45.6");
    const { engine } = await fixture.runtime();
    const amount = { minor: 500, currency: "USD" };
    await refundPayment(engine, { paymentId: id, key: "part", amount, origin: "tillkit" });
    await fixture.admin.decide(id, { kind: "accept" });
    const amounts = () => fixture.medusa.tables.payments.flatMap(({ refunds }) => refunds.map((row) => row.amount));
    await fixture.runJobsUntil(() => amounts().length > 0);
    await fixture.admin.request(check, { params: { id } });
    expect(amounts()).toEqual(["5"]);
    expect(await fixture.refundsAtService()).toEqual([500]);
  });

  it("an order is not placed when its cart costs something else than the page showed", async () => {
    const checkout = await fixture.startCheckout();
    const { id } = await fixture.payment(checkout.session);
    await fixture.medusa.changeTotal(checkout.cart, "45.6");
    await fixture.pay(checkout.session);
    await confirmPayment((await fixture.runtime()).engine, id, { actor: "webhook" });
    const { seen } = await fixture.admin.read(id);
    await fixture.medusa.changeTotal(checkout.cart, "22.8");
    await expect(fixture.admin.decide(id, { kind: "place" }, { seen })).rejects.toThrow("has changed since you looked");
    expect(fixture.medusa.tables.sessions).toEqual([]);
    expect(fixture.medusa.tables.orders).toEqual([]);
    await fixture.admin.decide(id, { kind: "place" });
    expect(fixture.medusa.tables.orders).toHaveLength(1);
  });
});

describe("the widget on an order", () => {
  it("the widget shows the payment of its order and reads it from the service on request", async () => {
    const { session } = await fixture.placePaidOrder();
    const [order] = fixture.medusa.tables.orders;
    const { id } = await fixture.payment(session);
    expect((await fixture.admin.request(listPaymentsOfOrder, { params: { id: order?.id } })).body).toMatchObject({
      payments: [{ id, order_id: order?.id, order_name: "#1", checkout_session_id: session.data.checkout_session_id }],
    });
    expect((await fixture.admin.request(check, { params: { id } })).body).toMatchObject({
      payment: { state: "recorded" },
    });
  });

  it("the widget shows no payment on an order that was paid elsewhere", async () => {
    expect((await fixture.admin.request(listPaymentsOfOrder, { params: { id: "order_elsewhere" } })).body).toEqual({
      payments: [],
    });
    expect((await fixture.admin.request(listPaymentsOfOrder, { params: { id: "" } })).body).toEqual({ payments: [] });
  });
});
