import { describe, expect, it } from "vitest";
import type { Fixture } from "../fixture.ts";
import { waitUntil } from "../probe.ts";
import {
  createPaymentMethod,
  createPromotion,
  expectSettledOnce,
  serviceRefunds,
  WAX_CLOTH_AT_SERVICE,
  waitForReview,
} from "../steps.ts";

const AUTHORIZE_A_PART =
  'mutation { addPaymentToOrder(input: { method: "authorizing", metadata: {} }) { __typename ... on ErrorResult { message } } }';

export function refusedPayments(fixture: () => Fixture): void {
  async function asOwner<Data>(query: string): Promise<Data> {
    return await (await fixture().owner()).call<Data>(query);
  }

  describe("a payment that Vendure does not take", () => {
    it("an order whose coupon ends while its shopper pays is held, and its owner may accept the lower price", async () => {
      const couponCode = "ENDS-SOON";
      const promotion = await createPromotion(fixture(), { couponCode });
      const shopper = fixture().newShopper();
      await shopper.fillCart();
      await shopper.call(`mutation { applyCouponCode(couponCode: "${couponCode}") { __typename } }`);
      const started = await shopper.startPaymentOfCart();
      await asOwner(`mutation { updatePromotion(input: { id: "${promotion}", enabled: false }) { __typename } }`);
      await fixture().pay(started);
      const [held] = await waitForReview(fixture(), started);
      expect(held).toMatchObject({ canAccept: true, refundable: expect.any(String) });
      expect(held?.finding).toMatch(/3,000 then, 5,500 now|3.000.+then, 5.500.+now/);
      expect(await fixture().probe.payments(started.orderCode)).toEqual([]);
      await (await fixture().owner()).accept(held);
      await expectSettledOnce(fixture(), started.orderCode);
    });

    it("an order whose product is deleted while its shopper pays is held, and its owner refunds it", async () => {
      const id = fixture().variants["wax-cloth"];
      const started = await fixture().newShopper().startPayment("wax-cloth");
      await asOwner(`mutation { deleteProductVariant(id: "${id}") { result } }`);
      try {
        await fixture().pay(started);
        const [held] = await waitForReview(fixture(), started);
        expect(held?.finding).toContain("no longer exists in the shop");
        expect(await fixture().probe.payments(started.orderCode)).toEqual([]);
        const owner = await fixture().owner();
        // Another signal may verify the payment again for a moment, and then it cannot be decided.
        await waitUntil(
          async () => {
            const [shown] = await waitForReview(fixture(), started);
            return await owner.refundHeld(shown).then(
              () => "refunded",
              (error: unknown) => String(error),
            );
          },
          (answer) => answer === "refunded",
        );
        expect(await serviceRefunds(fixture(), started.checkoutId)).toEqual([WAX_CLOTH_AT_SERVICE]);
      } finally {
        // The other scenarios sell this product too.
        await fixture().sql(`update product_variant set "deletedAt" = null where id = ${id}`);
      }
    });

    it("an order is settled when its disabled payment method is enabled again, and until then its owner reads why", async () => {
      type Methods = { paymentMethods: { items: { id: string; handler: { code: string } }[] } };
      const { paymentMethods } = await asOwner<Methods>("{ paymentMethods { items { id handler { code } } } }");
      const id = paymentMethods.items.find(({ handler }) => handler.code === "tillkit")?.id;
      const enable = (enabled: boolean) =>
        asOwner(`mutation { updatePaymentMethod(input: { id: "${id}", enabled: ${enabled} }) { id } }`);
      const started = await fixture().newShopper().startPayment();
      await enable(false);
      try {
        await fixture().pay(started);
        const notes = await waitUntil(
          () => fixture().probe.notes(started.orderCode),
          ([note]) => note !== undefined,
        );
        expect(notes.join()).toContain("no enabled payment method");
        expect(await fixture().probe.payments(started.orderCode)).toEqual([]);
        await fixture().returnToShop(started.orderCode);
        expect(await fixture().probe.notes(started.orderCode)).toHaveLength(1);
      } finally {
        await enable(true);
      }
      await fixture().returnToShop(started.orderCode);
      await expectSettledOnce(fixture(), started.orderCode);
    });

    it("an order of which another method has authorized a part cannot be paid, and its shopper reads why", async () => {
      await createPaymentMethod(fixture(), "authorizing");
      const shopper = fixture().newShopper();
      await shopper.fillCart();
      await shopper.moveTo("ArrangingPayment");
      await shopper.call(AUTHORIZE_A_PART);
      await expect(shopper.createCheckout()).rejects.toThrow("has authorized a part");
    });

    it("a payment of an order of which another method has authorized a part meanwhile is held", async () => {
      await createPaymentMethod(fixture(), "authorizing");
      const started = await fixture().newShopper().startPayment();
      await started.shopper.call(AUTHORIZE_A_PART);
      await fixture().pay(started);
      const [held] = await waitForReview(fixture(), started);
      expect(held).toMatchObject({ refundable: expect.any(String) });
      expect(await fixture().probe.payments(started.orderCode)).toMatchObject([{ state: "Authorized", ours: false }]);
    });
  });
}
