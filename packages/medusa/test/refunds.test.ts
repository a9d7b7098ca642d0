import { createServiceClient } from "@tillkit/client";
import { acceptReview, confirmPayment, findingKey, runDue, silentLog, syncRefunds } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMedusaAdapter } from "../src/adapter/medusa-adapter.ts";
import { toPaymentView } from "../src/admin-api/payment-view.ts";
import type { FakePayment, FakeSession } from "./fake-medusa/tables.ts";
import { type Fixture, openFixture } from "./fixture.ts";

const MINUTE = 60_000;

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

/** Requests a refund that the service makes and whose answer is lost. */
async function refundWithLostAnswer(payment: FakePayment, requested: string): Promise<void> {
  const { tenants } = (await fixture.runtime()).engine;
  const { service } = tenants;
  tenants.service = async (id) => ({
    ...(await service(id)),
    async refund(request) {
      await (await service(id)).refund(request);
      throw new Error("The connection broke.");
    },
  });
  await expect(fixture.medusa.refund(payment, requested)).rejects.toThrow("Trying again does not make it twice");
  tenants.service = service;
}

function cancelOrdersInMedusa(): void {
  for (const order of fixture.medusa.tables.orders) order.status = "canceled";
}

/** Medusa asks our provider to cancel a payment, as it does for each payment of a canceled order. */
function cancelPayment({ id, data }: FakePayment) {
  return fixture.provider.cancelPayment({ data, context: { idempotency_key: id } });
}

describe("a refund requested in Medusa", () => {
  it.each([
    { currency: "USD", minor: 2_280, requested: "2.8", sent: 280 },
    { currency: "USD", minor: 2_280, requested: "0.1", sent: 10 },
    { currency: "USD", minor: 2_280, requested: "22.8", sent: 2_280 },
    { currency: "XOF", minor: 10_500, requested: "1", sent: 1 },
  ])("the service refunds exactly $requested $currency", async ({ currency, minor, requested, sent }) => {
    const { payment } = await fixture.placePaidOrder({ minor, currency });
    await fixture.medusa.refund(payment, requested);
    expect(await fixture.refundsAtService()).toEqual([sent]);
    expect(payment.refunds).toHaveLength(1);
  });

  it("a double click makes one refund, and Medusa shows one", async () => {
    const { payment } = await fixture.placePaidOrder();
    const clicks = [fixture.medusa.refund(payment, "2.8"), fixture.medusa.refund(payment, "2.8")];
    const answers = await Promise.allSettled(clicks);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await fixture.refundsAtService()).toEqual([280]);
    expect(payment.refunds.map(({ amount }) => amount)).toEqual(["2.8"]);
  });

  it("a refund with a lost answer is made once, and the next request in Medusa finds it", async () => {
    const { payment } = await fixture.placePaidOrder();
    await refundWithLostAnswer(payment, "2.8");
    expect(payment.refunds).toEqual([]);
    await fixture.medusa.refund(payment, "2.8");
    expect(await fixture.refundsAtService()).toEqual([280]);
    expect(payment.refunds).toHaveLength(1);
  });

  it("a refund that the service refuses fails in Medusa, which shows the reason", async () => {
    const { payment } = await fixture.placePaidOrder();
    await fixture.sandbox.control.addFault({ method: "POST", path: "/refunds", status: 400, times: 1 });
    await expect(fixture.medusa.refund(payment, "2.8")).rejects.toMatchObject({
      type: "not_allowed",
      message: "The payment service refused the refund, so no money moved. Its dashboard says why.",
    });
    expect(payment.refunds).toEqual([]);
    expect(await fixture.refundsAtService()).toEqual([]);
  });

  it("a refund of more than the rest is rejected", async () => {
    const { payment } = await fixture.placePaidOrder();
    await fixture.medusa.refund(payment, "20");
    await expect(fixture.medusa.refund(payment, "2.81")).rejects.toMatchObject({ type: "not_allowed" });
    expect(await fixture.refundsAtService()).toEqual([2_000]);
  });
});

describe("a payment that a restored ledger knows as unpaid", () => {
  it("its refund is refused, and Medusa shows none", async () => {
    const { payment, session } = await fixture.placePaidOrder();
    const { ledger } = await fixture.runtime();
    const paid = await fixture.payment(session);
    const unpaid = { state: "open", amountReceived: null, transactionId: null } as const;
    const next = { ...paid, ...unpaid, version: paid.version + 1 };
    await ledger.commit({ payment: { next, expect: paid.version }, timeline: [] });
    Object.assign(ledger, { transactions: async () => [] });
    await expect(fixture.medusa.refund(payment, "22.8")).rejects.toThrow("No money arrived with this payment");
    expect([payment.refunds, await fixture.refundsAtService()]).toEqual([[], []]);
  });
});

describe("an underpaid order that its owner accepted", () => {
  /**
   * An order of 2,280 cents whose owner accepted a smaller payment. `sent`: the refunds requested from the service, in cents; the
   * service accepts all of them.
   */
  async function acceptedOrder(amountReceived = 2_279) {
    const { cart, session } = await fixture.startCheckout();
    await fixture.pay(session);
    const fault = {
      method: "GET",
      path: "/checkout-sessions/{id}",
      patch: { amount: amountReceived },
      times: 100,
    } as const;
    await fixture.sandbox.control.addFault({ ...fault, when: "after" });
    const smaller = { gross_amount: amountReceived };
    const ofTransactions = { "/transactions/{id}": smaller, "/transactions": { data: smaller } };
    for (const [path, patch] of Object.entries(ofTransactions))
      await fixture.sandbox.control.addFault({ ...fault, path, patch, when: "after" });
    await expect(fixture.medusa.completeCart(cart)).rejects.toMatchObject({ type: "not_allowed" });
    const { engine } = await fixture.runtime();
    const { id: paymentId, finding } = await fixture.payment(session);
    await acceptReview(engine, { paymentId, by: "user_01", findingKey: finding ? findingKey(finding) : "" });
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
    const [payment] = fixture.medusa.tables.payments;
    if (!payment) throw new Error("Medusa has no payment.");
    return { payment, sent };
  }

  it("a full refund of an underpaid order refunds the amount received", async () => {
    const { payment, sent } = await acceptedOrder();
    await fixture.medusa.refund(payment, "22.8");
    expect([sent, payment.refunds.length]).toEqual([[2_279], 1]);
  });

  it("an underpaid order can be refunded completely in several parts", async () => {
    const { payment, sent } = await acceptedOrder();
    await fixture.medusa.refund(payment, "2.8");
    await fixture.medusa.refund(payment, "19.99");
    // This cent was never received: Medusa shows its refund, and the service sends nothing.
    await fixture.medusa.refund(payment, "0.01");
    expect([sent, payment.refunds.length]).toEqual([[280, 1_999], 3]);
    expect(fixture.medusa.tables.notifications.map(({ description }) => description)).toContain(
      "Medusa shows a refund of $0.01, but no money was sent: the shopper paid less than the order’s total, and all of it has gone back already.",
    );
  });

  it("canceling an underpaid order refunds the amount received", async () => {
    const { payment, sent } = await acceptedOrder();
    cancelOrdersInMedusa();
    await cancelPayment(payment);
    expect(sent).toEqual([2_279]);
  });

  it("a partial refund of an underpaid order is exactly the requested amount", async () => {
    const { payment, sent } = await acceptedOrder(1_140);
    await expect(fixture.medusa.refund(payment, "15")).rejects.toMatchObject({ type: "not_allowed" });
    await fixture.medusa.refund(payment, "5");
    expect(sent).toEqual([500]);
  });
});

describe("a pending refund", () => {
  /** Requests a refund and runs `meanwhile` while Medusa waits. The clock is advanced, so the test does not wait. */
  async function refundSlowly(payment: FakePayment, meanwhile: () => Promise<unknown>) {
    await fixture.sandbox.control.changeSettings({ refunds: "pending" });
    const { engine } = await fixture.runtime();
    const { clock } = engine;
    const startedAt = clock.now();
    let waited = 0;
    const sleep = async (ms: number) => {
      waited += ms;
      await meanwhile();
    };
    // The clock stands still otherwise, because on a busy machine the requests alone take a part of the four seconds.
    Object.assign(engine, { clock: { ...clock, now: () => startedAt + waited, sleep } });
    await fixture.medusa.refund(payment, "2.8").finally(() => Object.assign(engine, { clock }));
    return { engine, waited };
  }

  const refundId = async (session: FakeSession) => {
    const [refund] = await (await fixture.runtime()).ledger.refunds((await fixture.payment(session)).id);
    return refund?.refundId ?? "";
  };

  it("a pending refund that fails within seconds fails in Medusa", async () => {
    const { session, payment } = await fixture.placePaidOrder();
    const failing = refundSlowly(payment, async () => fixture.sandbox.control.failRefund(await refundId(session)));
    await expect(failing).rejects.toThrow(
      "The payment service refused the refund, so no money moved. Its dashboard says why.",
    );
    expect(payment.refunds).toEqual([]);
  });

  it("a refund still pending after four seconds is shown, and its later failure notifies the owner", async () => {
    const { session, payment } = await fixture.placePaidOrder();
    const { engine, waited } = await refundSlowly(payment, async () => {});
    expect([waited, payment.refunds.length]).toEqual([4_000, 1]);
    await fixture.sandbox.control.failRefund(await refundId(session));
    const { id } = await fixture.payment(session);
    await syncRefunds(engine, id);
    await fixture.runJobsUntil(() => fixture.medusa.tables.notifications.length > 0);
    expect(fixture.medusa.tables.notifications[0]?.description).toBe(
      "The refund of $2.80 for order #1 failed. The shopper has not received it, even if Medusa shows it. Send it again under “Payments to review”.",
    );
    const view = await toPaymentView(await fixture.runtime(), await fixture.payment(session), "en");
    expect(view.refunds).toMatchObject([{ amount: "$2.80", state: "failed" }]);
  });
});

describe("a refund that the service made although its answer was lost", () => {
  /** Requests a refund whose answer is lost: Medusa deletes its row, and a minute later the service reports the refund. */
  async function loseAnswerOfRefund(requested: string) {
    const { payment, session } = await fixture.placePaidOrder();
    await refundWithLostAnswer(payment, requested);
    const { id } = await fixture.payment(session);
    await fixture.advanceClock(MINUTE);
    const { ledger } = await fixture.runtime();
    await fixture.runJobsUntil(async () => (await ledger.refunds(id)).every(({ state }) => state === "completed"));
    return payment;
  }

  it("after a refund whose answer was lost, the next click shows that refund and a further click makes a new one", async () => {
    const payment = await loseAnswerOfRefund("2.8");
    await fixture.medusa.refund(payment, "2.8");
    expect(await fixture.refundsAtService()).toEqual([280]);
    expect(payment.refunds.map(({ amount }) => amount)).toEqual(["2.8"]);
    await fixture.advanceClock(MINUTE);
    await fixture.medusa.refund(payment, "2.8");
    expect(await fixture.refundsAtService()).toEqual([280, 280]);
    expect(payment.refunds).toHaveLength(2);
  });

  it("a double click does not send a refund with a lost answer again", async () => {
    const payment = await loseAnswerOfRefund("2.8");
    const clicks = [fixture.medusa.refund(payment, "2.8"), fixture.medusa.refund(payment, "2.8")];
    const answers = await Promise.allSettled(clicks);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await fixture.refundsAtService()).toEqual([280]);
    expect(payment.refunds).toHaveLength(1);
  });

  it("the next click shows a full refund with a lost answer", async () => {
    const payment = await loseAnswerOfRefund("22.8");
    await fixture.medusa.refund(payment, "22.8");
    expect(await fixture.refundsAtService()).toEqual([2_280]);
    expect(payment.refunds).toHaveLength(1);
  });

  it("a refund of another amount is sent beside one with a lost answer", async () => {
    const payment = await loseAnswerOfRefund("2.8");
    await fixture.medusa.refund(payment, "5");
    expect(await fixture.refundsAtService()).toEqual([500, 280]);
  });
});

describe("a refund that Medusa did not request", () => {
  it("a refund made in the service's dashboard is recorded in Medusa once and not sent again", async () => {
    const { session, payment } = await fixture.placePaidOrder();
    const { engine } = await fixture.runtime();
    const { id } = await fixture.payment(session);
    await confirmPayment(engine, id, { actor: "timer" });
    const { transactionId } = await fixture.payment(session);
    const client = createServiceClient({ apiKey: fixture.options.apiKey, baseUrl: fixture.options.service.baseUrl });
    const body = { transaction_id: transactionId ?? "", amount: 300, reason: "requested_by_customer" } as const;
    await client.refunds.create({ ...body, refund_type: "partial" }, { idempotencyKey: "by-hand" });
    await syncRefunds(engine, id);
    await fixture.runJobsUntil(() => payment.refunds.length > 0);
    await syncRefunds(engine, id);
    await runDue(engine);
    expect(payment.refunds.map(({ amount }) => amount)).toEqual(["3"]);
    expect(await fixture.refundsAtService()).toEqual([300]);
  });

  it("a refund of the service's dashboard is recorded although a person named it in the note of another refund", async () => {
    const { session, payment } = await fixture.placePaidOrder();
    const { id: paymentId, ref, attempt } = await fixture.payment(session);
    const { store } = await fixture.runtime();
    await fixture.medusa.refund(payment, "3", { note: "As well as the one of yesterday (rf_7)", by: "user_01" });
    const amount = { minor: 300, currency: "USD" };
    const other = {
      paymentId,
      ref,
      attempt,
      key: "service:rf_7",
      refundId: "rf_7",
      amount,
      status: "completed",
    } as const;
    expect(await store.recordRefund?.(other)).toMatchObject({ outcome: "recorded" });
    expect(await store.recordRefund?.(other)).toMatchObject({ outcome: "already" });
    expect(payment.refunds.map((row) => row.amount)).toEqual(["3", "3"]);
  });

  it("a refund that was recorded under its key is not recorded again once the service has given its id", async () => {
    const { session, payment } = await fixture.placePaidOrder();
    const { id: paymentId, ref, attempt } = await fixture.payment(session);
    const { store } = await fixture.runtime();
    const amount = { minor: 300, currency: "USD" };
    const refund = { paymentId, ref, attempt, key: "decision:1", amount, status: "completed" } as const;
    expect(await store.recordRefund?.({ ...refund, refundId: "" })).toMatchObject({ outcome: "recorded" });
    expect(await store.recordRefund?.({ ...refund, refundId: "rf_9" })).toMatchObject({ outcome: "already" });
    const other = { ...refund, key: "service:rf_8", refundId: "rf_8" };
    expect(await store.recordRefund?.(other)).toMatchObject({ outcome: "recorded" });
    expect(payment.refunds.map((row) => row.amount)).toEqual(["3", "3"]);
  });

  it("a refund is recorded once when the store's language changes in between", async () => {
    const { session, payment } = await fixture.placePaidOrder();
    const { id: paymentId, ref, attempt } = await fixture.payment(session);
    const refund = { paymentId, ref, attempt, refundId: "refund-1", key: "service:refund-1" };
    for (const language of ["en", "fr"] as const) {
      const options = {
        container: fixture.medusa.container,
        storeId: ref.storeId,
        environment: "test",
        language,
      } as const;
      const adapter = createMedusaAdapter({ ...options, storeUrl: "", onMismatch: "notify", log: silentLog });
      await adapter.recordRefund?.({ ...refund, amount: { minor: 300, currency: "USD" }, status: "completed" });
    }
    expect(payment.refunds.map(({ amount }) => amount)).toEqual(["3"]);
  });
});

describe("a payment that Medusa cancels", () => {
  it("a canceled order is refunded once", async () => {
    const { payment } = await fixture.placePaidOrder();
    cancelOrdersInMedusa();
    await cancelPayment(payment);
    await cancelPayment(payment);
    expect(await fixture.refundsAtService()).toEqual([2_280]);
  });

  it("a cancellation fails when the service refuses the refund, and the next try refunds once", async () => {
    const { payment } = await fixture.placePaidOrder();
    cancelOrdersInMedusa();
    await fixture.sandbox.control.addFault({ method: "POST", path: "/refunds", status: 400, times: 1 });
    await expect(cancelPayment(payment)).rejects.toThrow(
      "The payment service refused the refund, so no money moved. Its dashboard says why.",
    );
    expect(await fixture.refundsAtService()).toEqual([]);
    await cancelPayment(payment);
    await cancelPayment(payment);
    expect(await fixture.refundsAtService()).toEqual([2_280]);
  });

  it("a cancellation fails while the outcome of an earlier refund is unknown", async () => {
    const { payment } = await fixture.placePaidOrder();
    await refundWithLostAnswer(payment, "2.8");
    cancelOrdersInMedusa();
    await expect(cancelPayment(payment)).rejects.toThrow("the refund may or may not have been made");
    await fixture.medusa.refund(payment, "2.8");
    await cancelPayment(payment);
    expect(await fixture.refundsAtService()).toEqual([2_000, 280]);
  });

  it("a payment is not refunded while its order is not canceled", async () => {
    const { payment } = await fixture.placePaidOrder();
    await cancelPayment(payment);
    expect(await fixture.refundsAtService()).toEqual([]);
  });
});
