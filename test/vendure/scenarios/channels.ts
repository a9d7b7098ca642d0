import { describe, expect, it } from "vitest";
import type { Fixture } from "../fixture.ts";
import { expectSettledOnce } from "../steps.ts";

export function channels(fixture: () => Fixture): void {
  describe("two shops in one Vendure", () => {
    it("an order of the channel in dollars is paid in dollars with two decimals", async () => {
      const started = await fixture().newShopper("us").startPayment();
      const { total } = await fixture().probe.order(started.orderCode);
      const { data: session } = await fixture().service.checkoutSessions.read(started.checkoutId);
      expect(session).toMatchObject({ amount: total, currencyCode: "USD" });
      await fixture().pay(started);
      await expectSettledOnce(fixture(), started.orderCode, total);
    });

    it("a payment of the channel in dollars belongs to this channel's shop in the ledger", async () => {
      const started = await fixture().newShopper("us").startPayment();
      const rows = await fixture().sql(
        `select store_id from tillkit.tillkit_payments where order_id = '${started.orderCode}'`,
      );
      expect(rows).toEqual([{ store_id: "us" }]);
    });

    it("an order of one shop is not found as an order of the other, although the default channel contains it", async () => {
      const started = await fixture().newShopper("us").startPayment();
      const ref = { storeId: "__default_channel__", orderId: started.orderCode };
      expect(await fixture().adapter().findOrder(ref)).toBeNull();
    });

    it("the owner of one channel does not see the payments of the other", async () => {
      const started = await fixture().newShopper("ci").startPayment();
      const [everywhere, us] = [await fixture().owner("ci"), await fixture().owner("us")];
      expect(await everywhere.paymentsOfOrder(started.orderCode)).toHaveLength(1);
      expect(await us.paymentsOfOrder(started.orderCode)).toEqual([]);
    });

    it("an amount with hundredths of a franc is refused before any page is opened", async () => {
      const shopper = fixture().newShopper();
      const code = await shopper.fillCart();
      await shopper.moveTo("ArrangingPayment");
      await fixture().sql(`update "order" set "subTotalWithTax" = "subTotalWithTax" + 1 where code = '${code}'`);
      await expect(shopper.createCheckout()).rejects.toThrow("does not take this amount");
    });
  });
}
