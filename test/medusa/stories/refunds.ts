import { describe, expect, it } from "vitest";
import { good } from "../http.ts";
import { until } from "../probe.ts";
import type { Stage } from "../stage.ts";

const TAKEN_WITHOUT_ANSWER = { method: "POST", path: "/refunds", when: "after", reset: true, times: 1_000 } as const;
const NOT_READABLE = { method: "GET", path: "/refunds", status: 503, times: 1_000 } as const;

/** Whoever clicks this long after the first time means it. */
const NO_SECOND_CLICK_MS = 6_000;

/** The owner gives money back. */
export function refunds(stage: () => Stage): void {
  describe("the owner gives back", () => {
    it.each([
      ["2.80 of 22.80 dollars", "usd", 2.8, 280],
      ["0.10 of 22.80 dollars", "usd", 0.1, 10],
      ["1 of 10 500 francs", "xof", 1, 1],
    ] as const)("%s, to the cent", async (...row) => {
      const [, currency, amount, wire] = row;
      const { owner, probe } = stage();
      const { checkoutId, orderId, paymentId } = await stage().bought(currency, "wax-cloth");
      expect((await owner.refund(paymentId, amount)).status).toBe(200);
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: wire, status: "completed" }]);
      const [payment] = await owner.payments(orderId);
      expect(payment?.refunds?.map((refund) => refund.amount)).toEqual([amount]);
    });

    it("with a double click: one refund at the service", async () => {
      const { owner, probe } = stage();
      const { checkoutId, paymentId } = await stage().bought("usd", "wax-cloth");
      await Promise.all([owner.refund(paymentId, 2.8), owner.refund(paymentId, 2.8)]);
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: 280, status: "completed" }]);
    });

    it("and the answer is lost, and clicks again under Medusa's new key: one refund at the service", async () => {
      const { owner, probe } = stage();
      const { checkoutId, orderId, paymentId } = await stage().bought("usd", "wax-cloth");
      const lost = await stage().during(TAKEN_WITHOUT_ANSWER, () =>
        stage().during(NOT_READABLE, () => owner.refund(paymentId, 5)),
      );
      expect(lost.status).toBeGreaterThanOrEqual(400);
      await until(
        () => owner.refund(paymentId, 5),
        ({ status }) => status === 200,
        40_000,
      );
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: 500, status: "completed" }]);
      const [payment] = await owner.payments(orderId);
      expect(payment?.refunds?.map(({ amount }) => amount)).toEqual([5]);
    });

    it("and the answer is lost, the money goes back all the same, and the click a while later only shows it", async () => {
      const { owner, probe } = stage();
      const { checkoutId, orderId, paymentId } = await stage().bought("usd", "wax-cloth");
      const lost = await stage().during(TAKEN_WITHOUT_ANSWER, () =>
        stage().during(NOT_READABLE, () => owner.refund(paymentId, 5)),
      );
      expect(lost.status).toBeGreaterThanOrEqual(400);
      type Shown = { payments: { refunds: { state: string }[] }[] };
      await until(
        () => good(owner.call<Shown>("GET", `/admin/tillkit/orders/${orderId}`)),
        ({ payments }) => payments[0]?.refunds[0]?.state === "completed",
        60_000,
      );
      await new Promise((resolve) => setTimeout(resolve, NO_SECOND_CLICK_MS));
      expect((await owner.refund(paymentId, 5)).status).toBe(200);
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: 500, status: "completed" }]);
      const [payment] = await owner.payments(orderId);
      expect(payment?.refunds?.map(({ amount }) => amount)).toEqual([5]);
    });

    it("nothing when the service refuses: Medusa says so and books nothing", async () => {
      const { owner, probe } = stage();
      const { checkoutId, orderId, paymentId } = await stage().bought("xof", "wax-cloth");
      const refusal = { method: "POST", path: "/refunds", status: 400, times: 1 } as const;
      const { status, text } = await stage().during(refusal, () => owner.refund(paymentId, 500));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).toMatch(/Le service de paiement a refusé ce remboursement/);
      expect(await probe.refunds(checkoutId)).toEqual([]);
      const [payment] = await owner.payments(orderId);
      expect(payment?.refunds ?? []).toEqual([]);
    });

    it("a part at the service's dashboard, past Medusa: it is written down in Medusa, once, and not sent again", async () => {
      const { owner, probe, sandbox, service } = stage();
      const { checkoutId, orderId } = await stage().bought("usd", "wax-cloth");
      const events = await sandbox.control.listEvents({ sessionId: checkoutId });
      const paid = events.find(({ event }) => event === "PAYMENT_SUCCEEDED");
      const body = {
        transaction_id: paid?.transaction_id ?? "",
        amount: 300,
        reason: "requested_by_customer",
      } as const;
      await service.refunds.create({ ...body, refund_type: "partial" }, { idempotencyKey: `by-hand-${checkoutId}` });
      await until(
        () => owner.payments(orderId),
        ([payment]) => (payment?.refunds ?? []).length > 0,
        30_000,
      );
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      const [payment] = await owner.payments(orderId);
      expect(payment?.refunds?.map(({ amount }) => amount)).toEqual([3]);
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: 300, status: "completed" }]);
    });

    it("everything by cancelling the order", async () => {
      const { owner, probe } = stage();
      const { checkoutId, orderId } = await stage().bought("usd");
      expect((await owner.cancelOrder(orderId)).status).toBe(200);
      await until(
        () => probe.refunds(checkoutId),
        (refunds) => refunds[0]?.status === "completed",
        20_000,
      );
      expect(await probe.refunds(checkoutId)).toMatchObject([{ amount: 990 }]);
      expect(await owner.order(orderId)).toMatchObject({ status: "canceled" });
    });

    it("the rest by cancelling an order of which a part went back already", async () => {
      const { owner, probe } = stage();
      const { checkoutId, orderId, paymentId } = await stage().bought("usd", "wax-cloth");
      await owner.refund(paymentId, 2.8);
      expect((await owner.cancelOrder(orderId)).status).toBe(200);
      const refunded = await until(
        () => probe.refunds(checkoutId),
        (refunds) => refunds.length === 2,
        20_000,
      );
      expect(refunded.map(({ amount }) => amount)).toEqual(expect.arrayContaining([280, 2_000]));
    });
  });
}
