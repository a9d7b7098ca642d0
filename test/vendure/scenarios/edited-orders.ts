import { beforeAll, describe, expect, it } from "vitest";
import type { Fixture } from "../fixture.ts";
import { waitUntil } from "../probe.ts";
import {
  BASKET_IN_VENDURE,
  buy,
  createPromotion,
  editDuringSettlement,
  expectSettledOnce,
  waitForBlocked,
  waitForReview,
} from "../steps.ts";

const COUPON = "HALF-PRICE";
const ADDRESS = { fullName: "Awa Diallo", streetLine1: "Avenue 17", city: "Treichville", countryCode: "CI" };
const CUSTOMER = { firstName: "Awa", lastName: "Diallo", emailAddress: "awa.diallo@example.com" };

const CHANGE_ADDRESS = ["setOrderShippingAddress", "CreateAddressInput", ADDRESS] as const;

/** What a shopper can change in an order that waits for its payment, with the mutation of the Shop API, its input's type and its input. */
const EDITS = [
  ["the shipping address", ...CHANGE_ADDRESS],
  ["the billing address", "setOrderBillingAddress", "CreateAddressInput", ADDRESS],
  ["the customer", "setCustomerForOrder", "CreateCustomerInput", CUSTOMER],
  ["a custom field", "setOrderCustomFields", "UpdateOrderInput", { customFields: { giftNote: "Happy birthday" } }],
] as const;
export function editedOrders(fixture: () => Fixture): void {
  async function startPaid() {
    const started = await fixture().newShopper().startPayment();
    await fixture().pay(started, "lost");
    return started;
  }

  async function expectPaidAndUnchanged(orderCode: string, refusal: string | null): Promise<void> {
    expect(await fixture().probe.order(orderCode)).toMatchObject({
      state: "PaymentSettled",
      active: false,
      total: BASKET_IN_VENDURE,
    });
    await expectSettledOnce(fixture(), orderCode);
    expect(refusal ?? "Vendure made the change.").toContain("has just arrived");
  }

  describe("a shopper who edits the order while its payment is written", () => {
    beforeAll(async () => {
      await createPromotion(fixture(), { couponCode: COUPON });
    });

    it.each(EDITS)(
      "an order whose shopper changes %s at the moment of the payment stays paid",
      async (_part, mutation, type, input) => {
        const { orderCode, shopper } = await startPaid();
        const refusal = await editDuringSettlement(fixture(), orderCode, {
          settle: () => fixture().returnToShop(orderCode),
          edit: () => shopper.edit(mutation, type, input),
        });
        await expectPaidAndUnchanged(orderCode, refusal);
      },
    );

    it("a coupon applied at the moment of the payment changes neither the total nor the paid order", async () => {
      const { orderCode, shopper } = await startPaid();
      const refusal = await editDuringSettlement(fixture(), orderCode, {
        settle: () => fixture().returnToShop(orderCode),
        edit: () => shopper.call(`mutation { applyCouponCode(couponCode: "${COUPON}") { __typename } }`),
      });
      await expectPaidAndUnchanged(orderCode, refusal);
    });

    it("an order whose shopper changes the address while the webhook settles it stays paid", async () => {
      const { orderCode, checkoutId, shopper } = await startPaid();
      const body = await fixture().webhookBody(checkoutId);
      const refusal = await editDuringSettlement(fixture(), orderCode, {
        settle: () => fixture().sendWebhook(body),
        edit: () => shopper.edit(...CHANGE_ADDRESS),
      });
      await expectPaidAndUnchanged(orderCode, refusal);
    });

    it("an item that a shopper adds while a held payment settles the order is not added", async () => {
      const started = await fixture().newShopper().startPayment();
      const { orderCode, shopper } = started;
      await shopper.moveTo("AddingItems");
      await fixture().pay(started);
      await waitForReview(fixture(), started);
      await fixture().sql("begin");
      // Vendure waits for this row after it has read the order and before it writes the new line.
      const variant = fixture().variants["wax-cloth"];
      await fixture().sql(`select 1 from product_variant where id = ${variant} for update`);
      const refusal = shopper.addItem("wax-cloth").then(
        () => null,
        (error: Error) => error.message,
      );
      await waitForBlocked(fixture(), 1);
      await expect(shopper.createCheckout()).rejects.toThrow("already paid");
      await fixture().sql("commit");
      await expectPaidAndUnchanged(orderCode, await refusal);
    });

    it("a paid order that was overwritten as unpaid is paid again after the next start, unless it was changed", async () => {
      const [overwritten, changed] = [await buy(fixture()), await buy(fixture())];
      const codes = [overwritten, changed].map(({ orderCode }) => `'${orderCode}'`).join();
      await fixture().stop();
      await fixture().sql(
        `update "order" set state = 'ArrangingPayment', active = true, "orderPlacedAt" = null where code in (${codes})`,
      );
      await fixture().sql(`update "order" set "subTotalWithTax" = 250000 where code = '${changed.orderCode}'`);
      await fixture().restart();
      await expectSettledOnce(fixture(), overwritten.orderCode);
      expect(await fixture().probe.order(overwritten.orderCode)).toMatchObject({ active: false });
      expect(await fixture().probe.allocated(overwritten.orderCode)).toBe(1);
      const notes = await waitUntil(
        () => fixture().probe.notes(changed.orderCode),
        (texts) => texts.length > 0,
      );
      expect(notes.join()).toContain("Compare it with its payment");
      expect(await fixture().probe.order(changed.orderCode)).toMatchObject({ state: "ArrangingPayment" });
    });

    it("a shopper may change the address of an order that waits for its payment", async () => {
      const started = await fixture().newShopper().startPayment();
      await started.shopper.edit(...CHANGE_ADDRESS);
      await fixture().pay(started);
      await expectSettledOnce(fixture(), started.orderCode);
    });
  });
}
