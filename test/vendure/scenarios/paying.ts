import { describe, expect, it } from "vitest";
import type { Fixture } from "../fixture.ts";
import { waitUntil } from "../probe.ts";
import { expectSettledOnce } from "../steps.ts";

export function paying(fixture: () => Fixture): void {
  describe("a payment", () => {
    it("a payment in francs without decimals is exactly the order's total at the service and in Vendure", async () => {
      const started = await fixture().newShopper().startPayment("wax-cloth");
      const { data: session } = await fixture().service.checkoutSessions.read(started.checkoutId);
      expect(session).toMatchObject({ amount: 13_000, currencyCode: "XOF", status: "open" });
      await fixture().pay(started);
      await expectSettledOnce(fixture(), started.orderCode, 1_300_000);
    });

    it("the webhook alone settles the order", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().pay(started);
      await expectSettledOnce(fixture(), started.orderCode);
      expect(await fixture().probe.allocated(started.orderCode)).toBe(1);
    });

    it("the return alone settles the order when the webhook is lost", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().pay(started, "lost");
      expect(await fixture().returnToShop(started.orderCode)).toEqual([303]);
      await expectSettledOnce(fixture(), started.orderCode);
    });

    it("the timer alone settles the order when the webhook and the return are lost, and no worker runs", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().pay(started, "lost");
      // The first read of the service is planned two minutes after the start: let this time come now.
      const now = Date.now();
      const planned = await fixture().sql(
        `update tillkit.tillkit_jobs set due_at = ${now}, ready_at = ${now} where kind = 'confirm' and payment_id =
         (select id from tillkit.tillkit_payments where order_id = '${started.orderCode}') returning id`,
      );
      expect(planned).not.toEqual([]);
      await waitUntil(
        () => fixture().probe.order(started.orderCode),
        ({ state }) => state === "PaymentSettled",
      );
      await expectSettledOnce(fixture(), started.orderCode);
    });

    it("a returning shopper is led to the order's page in the storefront", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().pay(started, "lost");
      const [row] = await fixture().sql<{ request: string }>(
        `select request from tillkit.tillkit_payments where order_id = '${started.orderCode}'`,
      );
      const { success_url: link } = JSON.parse(row?.request ?? "{}") as { success_url: string };
      const answer = await fetch(link, { redirect: "manual" });
      expect(answer.headers.get("location")).toBe(`http://127.0.0.1:9/orders/${started.orderCode}?payment=paid`);
    });

    it("a shopper who asks for the payment page twice gets the same page", async () => {
      const shopper = fixture().newShopper();
      const { url } = await shopper.startPayment();
      expect((await shopper.createCheckout()).url).toBe(url);
    });

    it("an unpaid order stays unpaid, however often its shopper returns", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().returnToShop(started.orderCode, 3);
      expect(await fixture().probe.order(started.orderCode)).toMatchObject({ state: "ArrangingPayment" });
      expect(await fixture().probe.payments(started.orderCode)).toEqual([]);
    });

    it("an order without a delivery cannot be paid, and its shopper reads why", async () => {
      const shopper = fixture().newShopper();
      await shopper.addItem("basket");
      await expect(shopper.createCheckout()).rejects.toThrow(/cannot be paid yet: .*customer/i);
    });

    it("a shopper without an order reads that there is nothing to pay", async () => {
      await expect(fixture().newShopper().createCheckout()).rejects.toThrow("There is no order to pay.");
    });

    it("webhook, two returning pages and the timer at once settle the order once", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().pay(started, "lost");
      const body = await fixture().webhookBody(started.checkoutId);
      await Promise.all([fixture().sendWebhook(body), fixture().returnToShop(started.orderCode, 2)]);
      await expectSettledOnce(fixture(), started.orderCode);
      expect(await fixture().probe.allocated(started.orderCode)).toBe(1);
    });

    it("a webhook that is delivered ten times settles the order once", async () => {
      const started = await fixture().newShopper().startPayment();
      await fixture().pay(started, "lost");
      const body = await fixture().webhookBody(started.checkoutId);
      const statuses = await Promise.all(Array.from({ length: 10 }, () => fixture().sendWebhook(body)));
      expect(new Set(statuses)).toEqual(new Set([200]));
      await expectSettledOnce(fixture(), started.orderCode);
    });
  });
}
