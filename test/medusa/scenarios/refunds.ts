import { describe, expect, it } from "vitest";
import { expectOk } from "../http.ts";
import { waitUntil } from "../probe.ts";
import type { ScenarioFixture } from "../scenario-fixture.ts";

const NOT_READABLE = { method: "GET", path: "/refunds", status: 503, times: 1_000 } as const;
const ANSWER_LOST = { method: "POST", path: "/refunds", when: "after", reset: true, times: 1_000 } as const;

/** After this time a second click is a new refund. */
const AFTER_DOUBLE_CLICK_MS = 6_000;

/** Refunds by the owner. */
export function refunds(fixture: () => ScenarioFixture): void {
  describe("a refund by the owner", () => {
    it.each([
      ["2.80 of 22.80 dollars", "usd", 2.8, 280],
      ["0.10 of 22.80 dollars", "usd", 0.1, 10],
      ["1 of 10 500 francs", "xof", 1, 1],
    ] as const)("a refund of %s is exact at the service and in Medusa", async (...row) => {
      const [, currency, amount, wire] = row;
      const { owner, probe } = fixture();
      const { checkoutId, orderId, paymentId } = await fixture().placeOrder(currency, "wax-cloth");
      expect((await owner.refund(paymentId, amount)).status).toBe(200);
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: wire, status: "completed" }]);
      const [payment] = await owner.payments(orderId);
      expect(payment?.refunds?.map((refund) => refund.amount)).toEqual([amount]);
    });

    it("a double click makes one refund at the service", async () => {
      const { owner, probe } = fixture();
      const { checkoutId, paymentId } = await fixture().placeOrder("usd", "wax-cloth");
      await Promise.all([owner.refund(paymentId, 2.8), owner.refund(paymentId, 2.8)]);
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: 280, status: "completed" }]);
    });

    it("a repeated click after a lost answer makes one refund at the service", async () => {
      const { owner, probe } = fixture();
      const { checkoutId, orderId, paymentId } = await fixture().placeOrder("usd", "wax-cloth");
      const lost = await refundWithLostAnswer(fixture(), paymentId, checkoutId);
      expect(lost.status).toBeGreaterThanOrEqual(400);
      await waitUntil(
        () => owner.refund(paymentId, 5),
        ({ status }) => status === 200,
      );
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: 500, status: "completed" }]);
      const [payment] = await owner.payments(orderId);
      expect(payment?.refunds?.map(({ amount }) => amount)).toEqual([5]);
    });

    it("a later click finds the refund that was made although its answer was lost", async () => {
      const { owner, probe } = fixture();
      const { checkoutId, orderId, paymentId } = await fixture().placeOrder("usd", "wax-cloth");
      const lost = await refundWithLostAnswer(fixture(), paymentId, checkoutId);
      expect(lost.status).toBeGreaterThanOrEqual(400);
      type Shown = { payments: { refunds: { state: string }[] }[] };
      await waitUntil(
        () => expectOk(owner.call<Shown>("GET", `/admin/tillkit/orders/${orderId}`)),
        ({ payments }) => payments[0]?.refunds[0]?.state === "completed",
      );
      await new Promise((resolve) => setTimeout(resolve, AFTER_DOUBLE_CLICK_MS));
      expect((await owner.refund(paymentId, 5)).status).toBe(200);
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: 500, status: "completed" }]);
      const [payment] = await owner.payments(orderId);
      expect(payment?.refunds?.map(({ amount }) => amount)).toEqual([5]);
    });

    it("a refund that the service refuses fails in Medusa and is not recorded", async () => {
      const { owner, probe } = fixture();
      const { checkoutId, orderId, paymentId } = await fixture().placeOrder("xof", "wax-cloth");
      const refusal = { method: "POST", path: "/refunds", status: 400, times: 1 } as const;
      const { status, text } = await fixture().withFault(refusal, () => owner.refund(paymentId, 500));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).toMatch(/Le service de paiement a refusé le remboursement/);
      expect(await probe.refunds(checkoutId)).toEqual([]);
      const [payment] = await owner.payments(orderId);
      expect(payment?.refunds ?? []).toEqual([]);
    });

    it("a refund made in the service's dashboard is recorded in Medusa once and not sent again", async () => {
      const { owner, probe, sandbox, service } = fixture();
      const { checkoutId, orderId } = await fixture().placeOrder("usd", "wax-cloth");
      const events = await sandbox.control.listEvents({ sessionId: checkoutId });
      const paid = events.find(({ event }) => event === "PAYMENT_SUCCEEDED");
      const body = {
        transaction_id: paid?.transaction_id ?? "",
        amount: 300,
        reason: "requested_by_customer",
      } as const;
      await service.refunds.create({ ...body, refund_type: "partial" }, { idempotencyKey: `by-hand-${checkoutId}` });
      await waitUntil(
        () => owner.payments(orderId),
        ([payment]) => (payment?.refunds ?? []).length > 0,
      );
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      const [payment] = await owner.payments(orderId);
      expect(payment?.refunds?.map(({ amount }) => amount)).toEqual([3]);
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: 300, status: "completed" }]);
    });

    it("canceling an order refunds it completely", async () => {
      const { owner, probe } = fixture();
      const { checkoutId, orderId } = await fixture().placeOrder("usd");
      expect((await owner.cancelOrder(orderId)).status).toBe(200);
      await waitUntil(
        () => probe.refunds(checkoutId),
        (refunds) => refunds[0]?.status === "completed",
      );
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: 990 }]);
      expect(await owner.order(orderId)).toMatchObject({ status: "canceled" });
    });

    it("canceling a partly refunded order refunds the rest", async () => {
      const { owner, probe } = fixture();
      const { checkoutId, orderId, paymentId } = await fixture().placeOrder("usd", "wax-cloth");
      await owner.refund(paymentId, 2.8);
      expect((await owner.cancelOrder(orderId)).status).toBe(200);
      const refunded = await waitUntil(
        () => probe.refunds(checkoutId),
        (refunds) => refunds.length === 2,
      );
      expect(refunded.map(({ amount }) => amount)).toEqual(expect.arrayContaining([280, 2_000]));
    });
  });
}

/** The oldest fault that matches a request is taken first, so this one lets a single read pass. */
const READABLE_ONCE = { method: "GET", path: "/refunds", delayMs: 1, times: 1 } as const;

/**
 * The service makes the refund and its answer is lost. The refunds are read before one is sent, and cannot be read after that. A job may take the one
 * read that passes: then nothing was sent, and the click is repeated.
 */
async function refundWithLostAnswer(
  { owner, probe, withFault }: ScenarioFixture,
  paymentId: string,
  checkoutId: string,
) {
  async function click() {
    const answer = await withFault(ANSWER_LOST, () =>
      withFault(READABLE_ONCE, () => withFault(NOT_READABLE, () => owner.refund(paymentId, 5))),
    );
    return { answer, made: await probe.refunds(checkoutId) };
  }
  return (await waitUntil(click, ({ made }) => made.length > 0)).answer;
}
