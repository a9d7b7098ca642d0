import { describe, expect, it } from "vitest";
import type { Fixture } from "../fixture.ts";
import { waitUntil } from "../probe.ts";
import {
  BASKET_AT_SERVICE,
  BASKET_IN_VENDURE,
  buy,
  refundAtService,
  refundWithLostAnswer,
  serviceRefunds,
  withFault,
} from "../steps.ts";

const REFUSED = { method: "POST", path: "/refunds", status: 400, times: 1 } as const;

export function refunds(fixture: () => Fixture): void {
  describe("a refund", () => {
    it("a full refund is made once at the service and shown in Vendure", async () => {
      const { paymentId, orderCode, checkoutId } = await buy(fixture());
      expect(await (await fixture().owner()).refund(paymentId, BASKET_IN_VENDURE)).toBeNull();
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([BASKET_AT_SERVICE]);
      expect(await fixture().probe.refunds(orderCode)).toMatchObject([{ state: "Settled", total: BASKET_IN_VENDURE }]);
    });

    it("two partial refunds of different amounts are both made", async () => {
      const { paymentId, orderCode, checkoutId } = await buy(fixture());
      const owner = await fixture().owner();
      expect(await owner.refund(paymentId, 200_000)).toBeNull();
      expect(await owner.refund(paymentId, 350_000)).toBeNull();
      expect((await serviceRefunds(fixture(), checkoutId)).toSorted()).toEqual([2_000, 3_500]);
      expect((await fixture().probe.refunds(orderCode)).map(({ total }) => total)).toEqual([200_000, 350_000]);
    });

    it("ten full refunds at once send the money back once", async () => {
      const { paymentId, orderCode, checkoutId } = await buy(fixture());
      const owner = await fixture().owner();
      const answers = await Promise.all(Array.from({ length: 10 }, () => owner.refund(paymentId, BASKET_IN_VENDURE)));
      expect(answers.filter((answer) => answer === null)).toHaveLength(1);
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([BASKET_AT_SERVICE]);
      expect(await fixture().probe.refunds(orderCode)).toHaveLength(1);
    });

    it("ten clicks on the same partial refund make one refund", async () => {
      const { paymentId, checkoutId } = await buy(fixture());
      const owner = await fixture().owner();
      const answers = await Promise.all(Array.from({ length: 10 }, () => owner.refund(paymentId, 100_000)));
      expect(answers.filter((answer) => answer === null)).toHaveLength(1);
      expect(answers.filter((answer) => answer?.includes("a moment ago"))).toHaveLength(9);
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([1_000]);
    });

    it("a refund above the payment's amount is refused and not made at the service", async () => {
      const { paymentId, checkoutId } = await buy(fixture());
      expect(await (await fixture().owner()).refund(paymentId, 550_100)).not.toBeNull();
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([]);
    });

    it("a refund that the service refuses leaves nothing in Vendure, and its owner reads why", async () => {
      const { paymentId, orderCode } = await buy(fixture());
      const owner = await fixture().owner();
      const answer = await withFault(fixture(), REFUSED, () => owner.refund(paymentId, BASKET_IN_VENDURE));
      expect(answer).toContain("refused the refund");
      expect(await fixture().probe.refunds(orderCode)).toEqual([]);
    });

    it("a refund whose answer is lost is made once, and the next click is no second refund", async () => {
      const { paymentId, orderCode, checkoutId } = await buy(fixture());
      const owner = await fixture().owner();
      const lost = await refundWithLostAnswer(fixture(), paymentId, 200_000);
      expect(lost).toContain("may or may not have been made");
      expect(await fixture().probe.refunds(orderCode)).toEqual([]);
      await waitUntil(
        () => owner.refund(paymentId, 200_000),
        // Vendure may have recorded the refund before this click.
        (answer) => answer === null || answer.includes("has been made"),
      );
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([2_000]);
      expect(await fixture().probe.refunds(orderCode)).toMatchObject([{ state: "Settled", total: 200_000 }]);
    });

    it("a pending refund is pending in Vendure and settles when the service completes it", async () => {
      const { refundId, orderCode } = await refundPending(fixture());
      await fixture().sandbox.control.completeRefund(refundId);
      await waitUntil(
        () => fixture().probe.refunds(orderCode),
        ([refund]) => refund?.state === "Settled",
      );
      expect(await fixture().probe.refunds(orderCode)).toMatchObject([
        { transactionId: refundId, total: BASKET_IN_VENDURE },
      ]);
    });

    it("a pending refund settles although a hundred older refunds of another method stay pending", async () => {
      const { paymentId: otherPayment } = await buy(fixture());
      await fixture().sql(
        `insert into refund (items, shipping, adjustment, total, method, state, metadata, "paymentId")
         select 0, 0, 0, 1, 'by hand', 'Pending', '{}', ${otherPayment} from generate_series(1, 101)`,
      );
      const { refundId, orderCode } = await refundPending(fixture());
      await fixture().sandbox.control.completeRefund(refundId);
      await waitUntil(
        () => fixture().probe.refunds(orderCode),
        ([refund]) => refund?.state === "Settled",
      );
      await fixture().sql("delete from refund where method = 'by hand'");
    });

    it("a pending refund that an administrator settles by hand stays pending until the service finishes it", async () => {
      const { refundId, orderCode } = await refundPending(fixture());
      const [refund] = await fixture().probe.refunds(orderCode);
      const { call } = await fixture().owner();
      const settling = call("mutation ($input: SettleRefundInput!) { settleRefund(input: $input) { __typename } }", {
        input: { id: String(refund?.id), transactionId: "typed by hand" },
      });
      await expect(settling).rejects.toThrow("has not finished this refund");
      expect(await fixture().probe.refunds(orderCode)).toMatchObject([{ state: "Pending", transactionId: refundId }]);
      await fixture().sandbox.control.completeRefund(refundId);
      await waitUntil(
        () => fixture().probe.refunds(orderCode),
        ([row]) => row?.state === "Settled",
      );
    });

    it("a pending refund that fails at the service fails in Vendure, and can be made again", async () => {
      const { refundId, orderCode, paymentId, checkoutId } = await refundPending(fixture());
      await fixture().sandbox.control.failRefund(refundId);
      await waitUntil(
        () => fixture().probe.refunds(orderCode),
        ([refund]) => refund?.state === "Failed",
      );
      expect(await (await fixture().owner()).refund(paymentId, BASKET_IN_VENDURE)).toBeNull();
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([BASKET_AT_SERVICE]);
    });

    it("a refund made in the service's dashboard is shown in Vendure once and not sent again", async () => {
      const { orderCode, checkoutId } = await buy(fixture());
      await refundAtService(fixture(), checkoutId, 1_500);
      await waitUntil(
        () => fixture().probe.refunds(orderCode),
        (rows) => rows.length === 1,
      );
      expect(await fixture().probe.refunds(orderCode)).toMatchObject([{ state: "Settled", total: 150_000 }]);
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([1_500]);
    });

    it("an order that its owner cancels keeps its payment, which is refunded afterwards", async () => {
      const { orderId, paymentId, orderCode, checkoutId } = await buy(fixture());
      const owner = await fixture().owner();
      expect(await owner.cancelOrder(orderId)).toBeNull();
      expect(await fixture().probe.order(orderCode)).toMatchObject({ state: "Cancelled" });
      expect(await owner.refund(paymentId, BASKET_IN_VENDURE)).toBeNull();
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([BASKET_AT_SERVICE]);
    });

    it("a payment that has arrived cannot be cancelled, and its owner is told to refund it", async () => {
      const { paymentId, orderCode } = await buy(fixture());
      expect(await (await fixture().owner()).cancelPayment(paymentId)).toContain("refund it");
      expect(await fixture().probe.payments(orderCode)).toMatchObject([{ state: "Settled" }]);
    });
  });
}

/** Buys a basket and refunds it while the service leaves refunds pending. */
async function refundPending(fixture: Fixture) {
  const order = await buy(fixture);
  const { control } = fixture.sandbox;
  await control.changeSettings({ refunds: "pending" });
  const answer = await (await fixture.owner()).refund(order.paymentId, BASKET_IN_VENDURE);
  await control.changeSettings({ refunds: "instant" });
  expect(answer).toBeNull();
  const [refund] = await fixture.probe.refunds(order.orderCode);
  expect(refund).toMatchObject({ state: "Pending", total: BASKET_IN_VENDURE });
  return { ...order, refundId: refund?.transactionId ?? "" };
}
