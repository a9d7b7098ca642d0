import { createServiceClient } from "@tillkit/client";
import { acceptReview, confirmPayment, runDue, silentLog, syncRefunds } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMedusaAdapter } from "../src/adapter/medusa-adapter.ts";
import { viewOf } from "../src/attention/payment-view.ts";
import type { FakePayment, FakeSession } from "./fake-medusa/shop.ts";
import { openWorld, type World } from "./world.ts";

const MINUTE = 60_000;

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

/** The service gives the money back, and its answer is lost. */
async function refundUnheard(payment: FakePayment, asked: string): Promise<void> {
  const { tenants } = (await world.till()).engine;
  const { service } = tenants;
  tenants.service = async (id) => ({
    ...(await service(id)),
    async refund(want) {
      await (await service(id)).refund(want);
      throw new Error("The connection broke.");
    },
  });
  await expect(world.medusa.refund(payment, asked)).rejects.toThrow("it is not sent twice");
  tenants.service = service;
}

describe("a refund in Medusa", () => {
  it.each([
    { currency: "USD", minor: 2_280, asked: "2.8", sent: 280 },
    { currency: "USD", minor: 2_280, asked: "0.1", sent: 10 },
    { currency: "USD", minor: 2_280, asked: "22.8", sent: 2_280 },
    { currency: "XOF", minor: 10_500, asked: "1", sent: 1 },
  ])("gives back exactly $asked $currency", async ({ currency, minor, asked, sent }) => {
    const { payment } = await world.buy({ minor, currency });
    await world.medusa.refund(payment, asked);
    expect(await world.refundsAtService()).toEqual([sent]);
    expect(payment.refunds).toHaveLength(1);
  });

  it("that is clicked twice goes back once, and Medusa shows one", async () => {
    const { payment } = await world.buy();
    const clicks = [world.medusa.refund(payment, "2.8"), world.medusa.refund(payment, "2.8")];
    const answers = await Promise.allSettled(clicks);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await world.refundsAtService()).toEqual([280]);
    expect(payment.refunds.map(({ amount }) => amount)).toEqual(["2.8"]);
  });

  it("whose answer was lost says so, goes back once, and is found again under Medusa's next key", async () => {
    const { payment } = await world.buy();
    await refundUnheard(payment, "2.8");
    expect(payment.refunds).toEqual([]);
    await world.medusa.refund(payment, "2.8");
    expect(await world.refundsAtService()).toEqual([280]);
    expect(payment.refunds).toHaveLength(1);
  });

  it("that the service refuses is refused in Medusa, in words", async () => {
    const { payment } = await world.buy();
    await world.sandbox.control.addFault({ method: "POST", path: "/refunds", status: 400, times: 1 });
    await expect(world.medusa.refund(payment, "2.8")).rejects.toMatchObject({
      type: "not_allowed",
      message: "The service refused this refund: the money is still here.",
    });
    expect(payment.refunds).toEqual([]);
    expect(await world.refundsAtService()).toEqual([]);
  });

  it("of more than is left is refused", async () => {
    const { payment } = await world.buy();
    await world.medusa.refund(payment, "20");
    await expect(world.medusa.refund(payment, "2.81")).rejects.toMatchObject({ type: "not_allowed" });
    expect(await world.refundsAtService()).toEqual([2_000]);
  });
});

describe("an order that was paid too little, which its owner accepted", () => {
  /** What the service is asked to give back, in cents. It says yes to everything. */
  async function acceptedOrder(arrived = 2_279) {
    const { cart, session } = await world.beginCheckout();
    await world.pay(session);
    const fault = { method: "GET", path: "/checkout-sessions/{id}", patch: { amount: arrived }, times: 100 } as const;
    await world.sandbox.control.addFault({ ...fault, when: "after" });
    await expect(world.medusa.completeCart(cart)).rejects.toMatchObject({ type: "not_allowed" });
    const { engine } = await world.till();
    await acceptReview(engine, { paymentId: (await world.payment(session)).id, by: "user_01" });
    const sent: number[] = [];
    const { service } = engine.tenants;
    engine.tenants.service = async (id) => ({
      ...(await service(id)),
      async refund({ request }) {
        const { amount } = JSON.parse(request);
        sent.push(amount);
        return { id: `refund-${sent.length}`, status: "completed", wireAmount: amount };
      },
    });
    const [payment] = world.medusa.shop.payments;
    if (!payment) throw new Error("Medusa has no payment.");
    return { payment, sent };
  }

  it("can be given back as a whole: all that arrived goes back", async () => {
    const { payment, sent } = await acceptedOrder();
    await world.medusa.refund(payment, "22.8");
    expect([sent, payment.refunds.length]).toEqual([[2_279], 1]);
  });

  it("can be canceled after a part went back, or everything that arrived", async () => {
    const { payment, sent } = await acceptedOrder();
    await world.medusa.refund(payment, "2.8");
    await world.medusa.refund(payment, "19.99");
    await world.medusa.refund(payment, "0.01");
    expect([sent, payment.refunds.length]).toEqual([[280, 1_999], 3]);
  });

  it("goes back as far as it arrived when Medusa gives it up", async () => {
    const { payment, sent } = await acceptedOrder();
    for (const order of world.medusa.shop.orders) order.status = "canceled";
    await world.provider.cancelPayment({ data: payment.data, context: { idempotency_key: payment.id } });
    expect(sent).toEqual([2_279]);
  });

  it("gives back no other amount than the one that was asked for", async () => {
    const { payment, sent } = await acceptedOrder(1_140);
    await expect(world.medusa.refund(payment, "15")).rejects.toMatchObject({ type: "not_allowed" });
    await world.medusa.refund(payment, "5");
    expect(sent).toEqual([500]);
  });
});

describe("a refund that the service is still working on", () => {
  /** Medusa waits for its answer: `meanwhile` happens in that time, which passes at once. */
  async function refundSlowly(payment: FakePayment, meanwhile: () => Promise<unknown>) {
    await world.sandbox.control.changeSettings({ refunds: "pending" });
    const { engine } = await world.till();
    const { clock } = engine;
    let waited = 0;
    const sleep = async (ms: number) => {
      waited += ms;
      await meanwhile();
    };
    Object.assign(engine, { clock: { ...clock, now: () => clock.now() + waited, sleep } });
    await world.medusa.refund(payment, "2.8").finally(() => Object.assign(engine, { clock }));
    return { engine, waited };
  }

  const refundId = async (session: FakeSession) => {
    const [refund] = await (await world.till()).ledger.refunds((await world.payment(session)).id);
    return refund?.refundId ?? "";
  };

  it("and that fails within seconds is refused in Medusa", async () => {
    const { session, payment } = await world.buy();
    const failing = refundSlowly(payment, async () => world.sandbox.control.failRefund(await refundId(session)));
    await expect(failing).rejects.toThrow("The service refused this refund: the money is still here.");
    expect(payment.refunds).toEqual([]);
  });

  it("is shown after four seconds; should it fail in the end, the owner is told, and the order's widget shows it", async () => {
    const { session, payment } = await world.buy();
    const { engine, waited } = await refundSlowly(payment, async () => {});
    expect([waited, payment.refunds.length]).toEqual([4_000, 1]);
    await world.sandbox.control.failRefund(await refundId(session));
    const { id } = await world.payment(session);
    await syncRefunds(engine, id);
    await world.workUntil(() => world.medusa.shop.notices.length > 0);
    expect(world.medusa.shop.notices[0]?.description).toBe(
      "Giving back $2.80 failed: the money is still here, whatever Medusa shows.",
    );
    const view = await viewOf(await world.till(), await world.payment(session), "en");
    expect(view.refunds).toMatchObject([{ amount: "$2.80", state: "failed" }]);
  });
});

describe("a refund whose answer was lost and that went back all the same", () => {
  /** Medusa has deleted its row; the service tells of the refund later, and the owner clicks again after a while. */
  async function lose(asked: string) {
    const { payment, session } = await world.buy();
    await refundUnheard(payment, asked);
    const { id } = await world.payment(session);
    await world.later(MINUTE);
    const { ledger } = await world.till();
    await world.workUntil(async () => (await ledger.refunds(id)).every(({ state }) => state === "completed"));
    return payment;
  }

  it("is shown by Medusa's next row, whenever that is clicked, and the click after that is a new one", async () => {
    const payment = await lose("2.8");
    await world.medusa.refund(payment, "2.8");
    expect(await world.refundsAtService()).toEqual([280]);
    expect(payment.refunds.map(({ amount }) => amount)).toEqual(["2.8"]);
    await world.later(MINUTE);
    await world.medusa.refund(payment, "2.8");
    expect(await world.refundsAtService()).toEqual([280, 280]);
    expect(payment.refunds).toHaveLength(2);
  });

  it("is not sent again by a double click either", async () => {
    const payment = await lose("2.8");
    const clicks = [world.medusa.refund(payment, "2.8"), world.medusa.refund(payment, "2.8")];
    const answers = await Promise.allSettled(clicks);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await world.refundsAtService()).toEqual([280]);
    expect(payment.refunds).toHaveLength(1);
  });

  it("can be shown when it was all the money", async () => {
    const payment = await lose("22.8");
    await world.medusa.refund(payment, "22.8");
    expect(await world.refundsAtService()).toEqual([2_280]);
    expect(payment.refunds).toHaveLength(1);
  });

  it("leaves another amount alone", async () => {
    const payment = await lose("2.8");
    await world.medusa.refund(payment, "5");
    expect(await world.refundsAtService()).toEqual([500, 280]);
  });
});

describe("money that goes back without Medusa asking", () => {
  it("made at the service's dashboard, is written down in Medusa once, and not sent again", async () => {
    const { session, payment } = await world.buy();
    const { engine } = await world.till();
    const { id } = await world.payment(session);
    await confirmPayment(engine, id, { actor: "timer" });
    const { transactionId } = await world.payment(session);
    const client = createServiceClient({ apiKey: world.options.apiKey, baseUrl: world.options.baseUrl });
    const body = { transaction_id: transactionId ?? "", amount: 300, reason: "requested_by_customer" } as const;
    await client.refunds.create({ ...body, refund_type: "partial" }, { idempotencyKey: "by-hand" });
    await syncRefunds(engine, id);
    await world.workUntil(() => payment.refunds.length > 0);
    await syncRefunds(engine, id);
    await runDue(engine);
    expect(payment.refunds.map(({ amount }) => amount)).toEqual(["3"]);
    expect(await world.refundsAtService()).toEqual([300]);
  });

  it("is written down once, also when the shop changes its language meanwhile", async () => {
    const { session, payment } = await world.buy();
    const { id: paymentId, ref, attempt } = await world.payment(session);
    const refund = { paymentId, ref, attempt, refundId: "refund-1", key: "service:refund-1" };
    for (const language of ["en", "fr"] as const) {
      const shop = { container: world.medusa.container, storeId: ref.storeId, environment: "test", language } as const;
      const adapter = createMedusaAdapter({ ...shop, shopUrl: "", onMismatch: "notify", log: silentLog });
      await adapter.recordRefund?.({ ...refund, amount: { minor: 300, currency: "USD" }, status: "completed" });
    }
    expect(payment.refunds.map(({ amount }) => amount)).toEqual(["3"]);
  });
});

describe("a payment that Medusa cancels", () => {
  it("goes back when its order was canceled, once", async () => {
    const { payment } = await world.buy();
    for (const order of world.medusa.shop.orders) order.status = "canceled";
    const input = { data: payment.data, context: { idempotency_key: payment.id } };
    await world.provider.cancelPayment(input);
    await world.provider.cancelPayment(input);
    expect(await world.refundsAtService()).toEqual([2_280]);
  });

  it("is not called given back when the service refuses, and goes back at the next try, once", async () => {
    const { payment } = await world.buy();
    for (const order of world.medusa.shop.orders) order.status = "canceled";
    const cancel = () => world.provider.cancelPayment({ data: payment.data, context: { idempotency_key: payment.id } });
    await world.sandbox.control.addFault({ method: "POST", path: "/refunds", status: 400, times: 1 });
    await expect(cancel()).rejects.toThrow("The service refused this refund: the money is still here.");
    expect(await world.refundsAtService()).toEqual([]);
    await cancel();
    await cancel();
    expect(await world.refundsAtService()).toEqual([2_280]);
  });

  it("is not called given back while nobody knows whether an earlier refund went back", async () => {
    const { payment } = await world.buy();
    await refundUnheard(payment, "2.8");
    for (const order of world.medusa.shop.orders) order.status = "canceled";
    const cancel = () => world.provider.cancelPayment({ data: payment.data, context: { idempotency_key: payment.id } });
    await expect(cancel()).rejects.toThrow("nobody knows yet whether the money went back");
    await world.medusa.refund(payment, "2.8");
    await cancel();
    expect(await world.refundsAtService()).toEqual([2_000, 280]);
  });

  it("stays when its order stands", async () => {
    const { payment } = await world.buy();
    await world.provider.cancelPayment({ data: payment.data, context: { idempotency_key: payment.id } });
    expect(await world.refundsAtService()).toEqual([]);
  });
});
