import { createServiceClient } from "@tillkit/client";
import { confirmPayment, syncRefunds } from "@tillkit/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listPayments } from "../src/admin-api/list-payments.ts";
import { noteCanceledOrder } from "../src/admin-api/note-canceled-order.ts";
import type { PaymentView } from "../src/admin-api/payment-view.ts";
import { refundBeforeCancel } from "../src/admin-api/refund-before-cancel.ts";
import type { FakePayment, FakeSession } from "./fake-medusa/tables.ts";
import { type Fixture, openFixture } from "./fixture.ts";

const REFUSED = { method: "POST", path: "/refunds", status: 400, times: 1 } as const;

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

/** An order whose refund Medusa shows as made although it failed a while later. */
async function orderWithFailedRefund(amount = "2.8") {
  const placed = await fixture.placePaidOrder();
  await failLater(placed.session, () => fixture.medusa.refund(placed.payment, amount));
  return placed;
}

/** Requests a refund that is pending for longer than Medusa waits and then fails. */
async function failLater(session: FakeSession, request: () => Promise<unknown>) {
  await fixture.sandbox.control.changeSettings({ refunds: "pending" });
  await withFastClock(request);
  const { engine, ledger } = await fixture.runtime();
  const { id } = await fixture.payment(session);
  const pending = (await ledger.refunds(id)).find(({ state }) => state === "pending");
  await fixture.sandbox.control.failRefund(pending?.refundId ?? "");
  await fixture.sandbox.control.changeSettings({ refunds: "instant" });
  const notificationsBefore = fixture.medusa.tables.notifications.length;
  await syncRefunds(engine, id);
  await fixture.runJobsUntil(() => fixture.medusa.tables.notifications.length > notificationsBefore);
}

/** Runs `work` with a clock that advances at once, so that nobody waits for a pending refund. */
async function withFastClock<Value>(work: () => Promise<Value>): Promise<Value> {
  const { engine } = await fixture.runtime();
  const { clock } = engine;
  let waited = 0;
  const sleep = async (ms: number) => {
    waited += ms;
  };
  Object.assign(engine, { clock: { ...clock, now: () => clock.now() + waited, sleep } });
  return await work().finally(() => Object.assign(engine, { clock }));
}

async function paymentsToReview() {
  return (await listPayments(await fixture.runtime(), { filter: "review", after: undefined, language: "en" })).payments;
}

async function sendAgain(session: FakeSession, page: { readonly seen?: string } = {}) {
  const [listed] = await paymentsToReview();
  const refundKey = listed?.refunds.find((refund) => refund.can_send_again)?.key ?? "";
  await fixture.admin.decide((await fixture.payment(session)).id, { kind: "sendAgain", refundKey }, page);
}

async function settle(session: FakeSession, reason: string) {
  const [listed] = await paymentsToReview();
  const refundKey = listed?.refunds.find((refund) => refund.can_settle)?.key ?? "";
  await fixture.admin.decide((await fixture.payment(session)).id, { kind: "settledOutside", refundKey, reason });
}

async function refundInDashboard(session: FakeSession, amount: number) {
  const { transactionId } = await fixture.payment(session);
  const client = createServiceClient({ apiKey: fixture.options.apiKey, baseUrl: fixture.options.service.baseUrl });
  const body = { transaction_id: transactionId ?? "", amount, reason: "requested_by_customer" } as const;
  await client.refunds.create({ ...body, refund_type: "partial" }, { idempotencyKey: "in-the-dashboard" });
  const { engine, ledger } = await fixture.runtime();
  const { id } = await fixture.payment(session);
  await syncRefunds(engine, id);
  await fixture.runJobsUntil(async () => (await ledger.countJobs(engine.clock.now())).due === 0);
}

const amountsIn = ({ refunds }: FakePayment) => refunds.map(({ amount }) => amount);

describe("a refund that failed after Medusa had shown it", () => {
  it("the page lists the payment of a refund that failed late, and names the order and the amount", async () => {
    const { session } = await orderWithFailedRefund();
    const { id } = await fixture.payment(session);
    expect(await paymentsToReview()).toMatchObject([
      { id, order_name: "#1", refunds: [{ state: "failed", can_send_again: true }] },
    ]);
    const sentence =
      "The refund of $2.80 for order #1 failed. The shopper has not received it, even if Medusa shows it.";
    expect((await paymentsToReview())[0]?.problem).toContain(sentence);
    expect(fixture.medusa.tables.notifications[0]?.description).toContain(sentence);
  });

  it("a refund that failed late is sent again once, and the list is empty afterwards", async () => {
    const { session, payment } = await orderWithFailedRefund("22.8");
    await sendAgain(session);
    expect(amountsIn(payment)).toEqual(["22.8"]);
    expect(await fixture.completedRefundsAtService()).toEqual([2_280]);
    expect(await paymentsToReview()).toEqual([]);
    await expect(sendAgain(session)).rejects.toThrow("has changed since");
    expect(await fixture.completedRefundsAtService()).toEqual([2_280]);
  });

  it("two people who send a failed refund again at the same time make one refund", async () => {
    const { session } = await orderWithFailedRefund();
    const answers = await Promise.allSettled([sendAgain(session), sendAgain(session)]);
    expect(answers.map(({ status }) => status)).toContain("fulfilled");
    expect(await fixture.refundsAtService()).toHaveLength(2);
    expect(await fixture.completedRefundsAtService()).toEqual([280]);
  });

  it("a refund that fails late a second time is listed and sent a third time", async () => {
    const { session } = await orderWithFailedRefund();
    await failLater(session, () => sendAgain(session));
    expect((await paymentsToReview()).map(({ refunds }) => refunds.map(({ state }) => state))).toEqual([
      ["failed", "failed"],
    ]);
    await sendAgain(session);
    expect(await fixture.completedRefundsAtService()).toEqual([280]);
    expect(await paymentsToReview()).toEqual([]);
  });

  it("a failed refund that the service refuses again stays listed", async () => {
    const { session } = await orderWithFailedRefund();
    await fixture.sandbox.control.addFault(REFUSED);
    await expect(sendAgain(session)).rejects.toThrow("The payment service refused the refund");
    expect(await paymentsToReview()).toHaveLength(1);
    await sendAgain(session);
    expect(await fixture.completedRefundsAtService()).toEqual([280]);
  });

  it("a refund of the same amount in the service's dashboard replaces the failed one in Medusa", async () => {
    const { session, payment } = await orderWithFailedRefund("22.8");
    await refundInDashboard(session, 2_280);
    expect(amountsIn(payment)).toEqual(["22.8"]);
    expect(await paymentsToReview()).toEqual([]);
    await expect(sendAgain(session)).rejects.toThrow("has changed since");
    expect(await fixture.completedRefundsAtService()).toEqual([2_280]);
  });

  it("a failed refund that was paid back in cash leaves the list with its reason, and nothing is sent for it", async () => {
    const { session, payment } = await orderWithFailedRefund();
    await settle(session, "In cash, receipt 12, to awa@example.com");
    expect(await paymentsToReview()).toEqual([]);
    expect(amountsIn(payment)).toEqual(["2.8"]);
    expect(await fixture.completedRefundsAtService()).toEqual([]);
    const { ledger } = await fixture.runtime();
    const { id } = await fixture.payment(session);
    expect((await ledger.timeline({ paymentId: id })).at(-1)).toMatchObject({
      kind: "refund_settled",
      by: "user_01",
      reason: "In cash, receipt 12, to [email]",
    });
    expect((await ledger.listActs({ paymentId: id, limit: 5 })).rows).toMatchObject([
      { act: "settle_refund", by: "user_01", detail: "$2.80" },
    ]);
    const query = { filter: "all", after: undefined, language: "en" } as const;
    const { payments } = await listPayments(await fixture.runtime(), query);
    expect(payments[0]?.refunds).toMatchObject([{ amount: "$2.80", state: "failed", is_settled: true }]);
    await expect(sendAgain(session)).rejects.toThrow("has changed since");
    await expect(settle(session, "Twice")).rejects.toThrow("has changed since");
  });

  it.each(["sendAgain", "settledOutside"] as const)(
    "%s of an old page is refused after a dispute opened, and after somebody else settled the refund",
    async (kind) => {
      const { session } = await orderWithFailedRefund();
      const { id, transactionId } = await fixture.payment(session);
      const { engine, ledger } = await fixture.runtime();
      const decideAsOn = async ({ refunds, seen }: PaymentView) => {
        const refundKey = refunds[0]?.key ?? "";
        const decision =
          kind === "sendAgain" ? { kind, refundKey } : { kind, refundKey, reason: "In cash, receipt 12" };
        await fixture.admin.decide(id, decision, { seen });
      };
      const beforeDispute = await fixture.admin.read(id);
      const now = engine.clock.now();
      const facts = { reason: "fraudulent", outcome: null, evidenceDueBy: null, openedAt: now, updatedAt: now };
      const amount = { minor: 2_000, currency: "USD" };
      const dispute = { id: "dispute-1", paymentId: id, transactionId, amount, status: "pending", ...facts } as const;
      await ledger.commit({ disputes: [dispute], timeline: [] });
      await expect(decideAsOn(beforeDispute)).rejects.toThrow("has changed since");
      expect((await fixture.admin.read(id)).refunds).toMatchObject([{ can_send_again: true, is_settled: false }]);
      const beforeSettlement = await fixture.admin.read(id);
      await settle(session, "In cash, receipt 11");
      await expect(decideAsOn(beforeSettlement)).rejects.toThrow("has changed since");
      expect(await fixture.completedRefundsAtService()).toEqual([]);
    },
  );

  it("a failed refund is not settled while somebody else sends it again", async () => {
    const { session } = await orderWithFailedRefund();
    const { ledger } = await fixture.runtime();
    const { put } = ledger.records;
    let sending: Promise<void> | null = null;
    Object.assign(ledger.records, {
      async put(...row: Parameters<typeof put>) {
        // After the comparison of the settlement, and before its commit.
        if (row[1] === "settled_refund" && sending === null) {
          sending = sendAgain(session);
          await sending;
        }
        return await put.apply(ledger.records, row);
      },
    });
    await expect(settle(session, "In cash, receipt 12")).rejects.toThrow("has changed since");
    expect(await fixture.completedRefundsAtService()).toEqual([280]);
    const { refunds } = await fixture.admin.read((await fixture.payment(session)).id);
    expect(refunds.map(({ is_settled: isSettled }) => isSettled)).toEqual([false, false]);
  });

  it("a failed refund is not settled without a reason", async () => {
    const { session } = await orderWithFailedRefund();
    await expect(settle(session, "  ok ")).rejects.toThrow("Write in a few words how the refund was settled");
    expect(await paymentsToReview()).toHaveLength(1);
  });

  it("a new refund of the same amount is a decision of its own beside one that was sent again", async () => {
    const { session, payment } = await orderWithFailedRefund();
    await sendAgain(session);
    await fixture.advanceClock(60_000);
    await fixture.medusa.refund(payment, "2.8");
    expect(amountsIn(payment)).toEqual(["2.8", "2.8"]);
    expect(await fixture.completedRefundsAtService()).toEqual([280, 280]);
  });
});

describe("an order that its owner cancels", () => {
  const orderOf = () => {
    const [order] = fixture.medusa.tables.orders;
    if (!order) throw new Error("Medusa has no order.");
    return order;
  };

  it("an order is not canceled while its refund is refused, and the next click refunds and cancels it", async () => {
    const { payment } = await fixture.placePaidOrder();
    const runtime = await fixture.runtime();
    const { id } = orderOf();
    await fixture.sandbox.control.addFault(REFUSED);
    await expect(refundBeforeCancel(runtime, id, "user_01")).rejects.toMatchObject({
      message: "The payment service refused the refund, so no money moved. Its dashboard says why.",
    });
    expect(amountsIn(payment)).toEqual([]);
    await refundBeforeCancel(runtime, id, "user_01");
    await fixture.medusa.cancelOrder(id);
    expect(await fixture.completedRefundsAtService()).toEqual([2_280]);
    expect(amountsIn(payment)).toEqual(["22.8"]);
  });

  it("a cancellation refunds only what is left, and nothing of an order that is canceled already", async () => {
    const { payment } = await fixture.placePaidOrder();
    await fixture.medusa.refund(payment, "2.8");
    const runtime = await fixture.runtime();
    const { id } = orderOf();
    await refundBeforeCancel(runtime, id, "user_01");
    await fixture.medusa.cancelOrder(id);
    await refundBeforeCancel(runtime, id, "user_01");
    expect(await fixture.completedRefundsAtService()).toEqual([2_000, 280]);
  });

  it("an order that other code cancels without a refund is listed and refunded from the page", async () => {
    const { session, payment } = await fixture.placePaidOrder();
    await confirmPayment((await fixture.runtime()).engine, (await fixture.payment(session)).id, { actor: "timer" });
    const runtime = await fixture.runtime();
    await fixture.sandbox.control.addFault(REFUSED);
    await fixture.medusa.cancelOrder(orderOf().id);
    await noteCanceledOrder(runtime, orderOf().id);
    const listed = await paymentsToReview();
    expect(listed).toMatchObject([{ order_name: "#1", can_refund: true }]);
    expect(listed[0]?.problem).toContain("Order #1 was canceled, but its payment was not refunded.");
    await fixture.admin.decide((await fixture.payment(session)).id, { kind: "refund" });
    await fixture.runJobsUntil(() => payment.refunds.length > 0);
    expect(await fixture.completedRefundsAtService()).toEqual([2_280]);
    expect(await paymentsToReview()).toEqual([]);
  });

  it("a canceled order that was refunded is not listed", async () => {
    const { session } = await fixture.placePaidOrder();
    await confirmPayment((await fixture.runtime()).engine, (await fixture.payment(session)).id, { actor: "timer" });
    await fixture.medusa.cancelOrder(orderOf().id);
    await noteCanceledOrder(await fixture.runtime(), orderOf().id);
    expect(await paymentsToReview()).toEqual([]);
    expect(fixture.medusa.tables.notifications).toEqual([]);
  });
});
