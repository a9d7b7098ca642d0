import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Fixture } from "../fixture.ts";
import { type RefundRow, waitUntil } from "../probe.ts";
import {
  BASKET_AT_SERVICE,
  BASKET_IN_VENDURE,
  buy,
  refundAtService,
  refundWithLostAnswer,
  serviceRefunds,
  waitForReview,
} from "../steps.ts";

export function lostRefunds(fixture: () => Fixture): void {
  async function waitForRefunds(orderCode: string, count: number): Promise<readonly RefundRow[]> {
    return await waitUntil(
      () => fixture().probe.refunds(orderCode),
      (rows) => rows.length === count,
    );
  }

  async function waitForLedger(orderCode: string): Promise<void> {
    await waitUntil(
      () =>
        fixture().sql<{ state: string }>(
          `select r.state from tillkit.tillkit_refunds r join tillkit.tillkit_payments p on p.id = r.payment_id
           where p.order_id = '${orderCode}'`,
        ),
      ([refund]) => refund?.state === "completed",
    );
  }

  describe("a refund that Vendure does not show", () => {
    it("a full refund whose answer is lost is shown once, also when its owner clicks again", async () => {
      const { paymentId, orderCode, checkoutId } = await buy(fixture());
      expect(await refundWithLostAnswer(fixture(), paymentId, BASKET_IN_VENDURE)).toContain(
        "may or may not have been made",
      );
      await waitForLedger(orderCode);
      const clickedAgain = await (await fixture().owner()).refund(paymentId, BASKET_IN_VENDURE);
      // Vendure may already show the refund. Then Vendure itself finds nothing that is left.
      expect([null, expect.stringContaining("refundable")]).toContainEqual(clickedAgain);
      expect(await waitForRefunds(orderCode, 1)).toMatchObject([{ state: "Settled", total: BASKET_IN_VENDURE }]);
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([BASKET_AT_SERVICE]);
    });

    it("a refund whose answer is lost is shown without a click, and the next click does not repeat it", async () => {
      const { paymentId, orderCode, checkoutId } = await buy(fixture());
      expect(await refundWithLostAnswer(fixture(), paymentId, 200_000)).toContain("may or may not have been made");
      expect(await waitForRefunds(orderCode, 1)).toMatchObject([{ state: "Settled", total: 200_000 }]);
      const owner = await fixture().owner();
      expect(await owner.refund(paymentId, 200_000)).toContain("has been made");
      expect(await owner.refund(paymentId, 200_000)).toContain("a moment ago");
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([2_000]);
      await sleep(6_000);
      expect(await owner.refund(paymentId, 200_000)).toBeNull();
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([2_000, 2_000]);
    });

    it("a refund made at the service while a payment is held is shown once its owner accepts the payment", async () => {
      const started = await fixture().newShopper().startPayment();
      await started.shopper.moveTo("AddingItems");
      await started.shopper.addItem("basket");
      await started.shopper.moveTo("ArrangingPayment");
      await fixture().pay(started);
      await waitForReview(fixture(), started);
      await refundAtService(fixture(), started.checkoutId, 1_500);
      await waitForLedger(started.orderCode);
      // The owner decides about what the page shows after the refund.
      const [held] = await waitForReview(fixture(), started);
      await (await fixture().owner()).accept(held);
      expect(await waitForRefunds(started.orderCode, 1)).toMatchObject([{ state: "Settled", total: 150_000 }]);
      const [payment] = await fixture().probe.payments(started.orderCode);
      expect(payment).toMatchObject({ state: "Settled", amount: 1_050_000 });
      const left = 900_000;
      expect(await (await fixture().owner()).refund(payment?.id ?? 0, left)).toBeNull();
      expect((await serviceRefunds(fixture(), started.checkoutId)).toSorted()).toEqual([1_500, 4_000]);
    });

    it("a refund that a person said was made is shown once, although the service names it only later", async () => {
      const { orderCode } = await buy(fixture());
      const [payment] = await fixture().sql<{ id: string }>(
        `select id from tillkit.tillkit_payments where order_id = '${orderCode}'`,
      );
      const refund = {
        paymentId: payment?.id ?? "",
        key: "tillkit:decided",
        ref: { storeId: "__default_channel__", orderId: orderCode },
        attempt: "",
        amount: { minor: 1_000, currency: "XOF" },
        status: "completed",
      } as const;
      const { recordRefund } = fixture().adapter();
      expect(await recordRefund({ ...refund, refundId: "" })).toMatchObject({ outcome: "recorded" });
      // As an older version of the plugin wrote it: the key in the place of the id, and nowhere else.
      await fixture().sql(`update refund set metadata = '{}' where "transactionId" = 'tillkit:decided'`);
      expect(await recordRefund({ ...refund, refundId: "rf_named_later" })).toMatchObject({ outcome: "already" });
      expect(await fixture().probe.refunds(orderCode)).toHaveLength(1);
    });

    it("a refund of items above what is left sends no money", async () => {
      const { paymentId, orderId, orderCode, checkoutId } = await buy(fixture());
      const owner = await fixture().owner();
      expect(await owner.refund(paymentId, 100_000)).toBeNull();
      expect(await owner.refundItems(orderId, { paymentId, shipping: 50_000 })).toContain("more than what is left");
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([1_000]);
      expect(await fixture().probe.refunds(orderCode)).toHaveLength(1);
    });

    it("a refund of all items and their delivery is made once", async () => {
      const { paymentId, orderId, orderCode, checkoutId } = await buy(fixture());
      const owner = await fixture().owner();
      const clicks = [0, 1, 2].map(() => owner.refundItems(orderId, { paymentId, shipping: 50_000 }));
      expect((await Promise.all(clicks)).filter((answer) => answer === null)).toHaveLength(1);
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([BASKET_AT_SERVICE]);
      expect(await fixture().probe.refunds(orderCode)).toMatchObject([{ total: BASKET_IN_VENDURE }]);
    });

    it("a refund that names an item of no order sends no money", async () => {
      const { paymentId, checkoutId } = await buy(fixture());
      const { call } = await fixture().owner();
      const lines = [{ orderLineId: "999999", quantity: 1 }];
      const input = { paymentId: String(paymentId), amount: 100_000, lines, shipping: 0, adjustment: 0 };
      const refused = call("mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { __typename } }", {
        input,
      });
      await expect(refused).rejects.toThrow("more than what is left");
      expect(await serviceRefunds(fixture(), checkoutId)).toEqual([]);
    });
  });
}
