import { describe, expect, it } from "vitest";
import type { Fixture } from "../fixture.ts";
import {
  BASKET_AT_SERVICE,
  buy,
  expectSettledOnce,
  serviceRefunds,
  waitForReview,
  waitForReviewNote,
} from "../steps.ts";

/** Two baskets with one delivery. */
const TWO_BASKETS_IN_VENDURE = 1_050_000;

export function changedOrders(fixture: () => Fixture): void {
  describe("an order that changes while its shopper pays", () => {
    it("a payment of an order that was reopened is held, and pays it when its shopper comes back to the checkout", async () => {
      const started = await fixture().newShopper().startPayment();
      expect(await started.shopper.moveTo("AddingItems")).toBeNull();
      await fixture().pay(started);
      const [held] = await waitForReview(fixture(), started);
      expect(held).toMatchObject({ state: "review", refundable: expect.any(String) });
      expect(await fixture().probe.payments(started.orderCode)).toEqual([]);
      await expect(started.shopper.createCheckout()).rejects.toThrow(/already paid|checking it/);
      await expectSettledOnce(fixture(), started.orderCode);
    });

    it("a payment of an order that was enlarged is held and does not pay the larger order", async () => {
      const started = await fixture().newShopper().startPayment();
      await started.shopper.moveTo("AddingItems");
      await started.shopper.addItem("wax-cloth");
      await started.shopper.moveTo("ArrangingPayment");
      await fixture().pay(started);
      const [held] = await waitForReview(fixture(), started);
      expect(held?.finding).toMatch(/5,500|18,000|5\s500/);
      expect(await fixture().probe.payments(started.orderCode)).toEqual([]);
      expect(await fixture().probe.order(started.orderCode)).toMatchObject({ state: "ArrangingPayment" });
    });

    it("a payment of a cancelled order is held, the order stays cancelled, and the owner refunds it", async () => {
      const started = await fixture().newShopper().startPayment();
      expect(await started.shopper.moveTo("Cancelled")).toBeNull();
      await fixture().pay(started);
      const [held] = await waitForReview(fixture(), started);
      expect(await fixture().probe.order(started.orderCode)).toMatchObject({ state: "Cancelled" });
      await waitForReviewNote(fixture(), started);
      await (await fixture().owner()).refundHeld(held);
      expect(await serviceRefunds(fixture(), started.checkoutId)).toEqual([BASKET_AT_SERVICE]);
      expect(await fixture().probe.order(started.orderCode)).toMatchObject({ state: "Cancelled" });
    });

    it("a shopper who reopens the order at the moment of the payment loses neither order nor payment", async () => {
      for (let round = 0; round < 5; round += 1) {
        const started = await fixture().newShopper().startPayment();
        await fixture().pay(started, "lost");
        const [refusal] = await Promise.all([
          started.shopper.moveTo("AddingItems").catch((error: Error) => error.message),
          fixture().returnToShop(started.orderCode),
        ]);
        const payments = await fixture().probe.payments(started.orderCode);
        const { state } = await fixture().probe.order(started.orderCode);
        // If the shopper was first, the payment is held; if the payment was first, the order is settled.
        expect([state, payments.length]).toEqual(refusal === null ? ["AddingItems", 0] : ["PaymentSettled", 1]);
      }
      expect(await fixture().probe.orphans("tillkit")).toBe(0);
    });

    it("a shopper who cancels the order at the moment of the payment loses neither order nor payment", async () => {
      for (let round = 0; round < 5; round += 1) {
        const started = await fixture().newShopper().startPayment();
        await fixture().pay(started, "lost");
        const [refusal] = await Promise.all([
          started.shopper.moveTo("Cancelled").catch((error: Error) => error.message),
          fixture().returnToShop(started.orderCode),
        ]);
        const payments = await fixture().probe.payments(started.orderCode);
        const { state } = await fixture().probe.order(started.orderCode);
        expect([state, payments.length]).toEqual(refusal === null ? ["Cancelled", 0] : ["PaymentSettled", 1]);
      }
      expect(await fixture().probe.orphans("tillkit")).toBe(0);
    });

    it("a second payment of a paid order is a duplicate that the owner refunds, and the order keeps its payment", async () => {
      const shopper = fixture().newShopper();
      const first = await shopper.startPayment();
      await shopper.moveTo("AddingItems");
      await shopper.addItem("basket");
      const second = await shopper.createCheckout();
      expect(second.url).not.toBe(first.url);
      const secondPayment = { ...first, checkoutId: second.url.split("/").at(-1) ?? "" };
      await fixture().pay(secondPayment);
      await expectSettledOnce(fixture(), first.orderCode, TWO_BASKETS_IN_VENDURE);
      await fixture().pay(first);
      const [held] = await waitForReview(fixture(), first);
      await (await fixture().owner()).refundHeld(held);
      expect(await serviceRefunds(fixture(), first.checkoutId)).toEqual([BASKET_AT_SERVICE]);
      await expectSettledOnce(fixture(), first.orderCode, TWO_BASKETS_IN_VENDURE);
      expect(await fixture().probe.refunds(first.orderCode)).toEqual([]);
    });

    it("a paid order cannot be paid again or reopened by its shopper", async () => {
      const { shopper, orderCode } = await buy(fixture());
      await expect(shopper.createCheckout()).rejects.toThrow("There is no order to pay.");
      expect(await shopper.moveTo("AddingItems").catch((error: Error) => error.message)).not.toBeNull();
      expect(await fixture().probe.order(orderCode)).toMatchObject({ state: "PaymentSettled" });
    });
  });
}
