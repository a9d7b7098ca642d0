import { describe, expect, it } from "vitest";
import type { ScenarioFixture } from "../scenario-fixture.ts";

/** Payments from the cart to the order. */
export function paying(fixture: () => ScenarioFixture): void {
  describe("a payment", () => {
    it.each([
      ["francs without decimals", "xof", 10_500, 10_500],
      ["dollars with two decimals", "usd", 22.8, 2_280],
    ] as const)("a payment in %s is exactly the cart's total at the service and in Medusa", async (...row) => {
      const [, currency, total, wire] = row;
      const { shopper, sandbox, probe } = fixture();
      const started = await shopper.startPayment(currency, "wax-cloth");
      const session = await fixture().readSession(started.checkoutId);
      expect(session).toMatchObject({ amount: wire, currencyCode: currency.toUpperCase(), status: "open" });

      await sandbox.control.paySession(started.checkoutId, { method: "card", outcome: "completed" });
      const { orderId } = await probe.orderOf(started.cartId);
      expect(await fixture().owner.order(orderId)).toMatchObject({ total, payment_status: "captured" });
      expect(await probe.captures(started.collectionId)).toEqual([total]);
    });

    it("a payment in dinars is rejected with a text for the shopper, and no request is sent", async () => {
      const { shopper, sandbox } = fixture();
      const countPosts = () => sandbox.control.listRequests().filter(({ method }) => method === "POST").length;
      const before = countPosts();
      const cart = await shopper.fillCart("kwd", "wax-cloth");
      const { status, body } = await shopper.createPaymentSession(cart.id);
      expect(status).toBe(400);
      expect(body).toMatchObject({ message: expect.stringMatching(/XOF, USD, EUR/) });
      expect(countPosts()).toBe(before);
    });

    it("an unpaid cart never becomes an order, however often it is completed", async () => {
      const { shopper, probe } = fixture();
      const { cartId, collectionId } = await shopper.startPayment("xof");
      for (let time = 0; time < 3; time += 1) {
        const { status, body } = await shopper.completeCart(cartId);
        expect(body.type).not.toBe("order");
        expect(status).toBeLessThan(500);
      }
      expect(await probe.orders(cartId)).toEqual([]);
      expect(await probe.captures(collectionId)).toEqual([]);
    });

    it("the returning shopper gets the order without a webhook, and the same order when the page is reloaded", async () => {
      const { shopper, probe } = fixture();
      const { cartId, collectionId } = await fixture().payWithoutWebhook("usd");
      const first = await shopper.completeCart(cartId);
      expect(first.body.type).toBe("order");
      const second = await shopper.completeCart(cartId);
      expect(second.body.order?.id).toBe(first.body.order?.id);
      expect(await probe.orders(cartId)).toHaveLength(1);
      expect(await probe.captures(collectionId)).toEqual([9.9]);
    });

    it("the webhook alone makes the order", async () => {
      const { shopper, sandbox, probe } = fixture();
      const [byShopper, byWebhook]: [number[], number[]] = [[], []];
      for (let round = 0; round < 5; round += 1) {
        byShopper.push((await shopper.completeCart((await fixture().payWithoutWebhook("xof")).cartId)).ms);
        const { cartId, checkoutId } = await shopper.startPayment("xof");
        await sandbox.control.paySession(checkoutId, { method: "wave", outcome: "completed" });
        byWebhook.push((await probe.orderOf(cartId)).ms);
      }
      console.log(`From the payment to the order, by its webhook: ${roundedTimes(byWebhook)} ms.`);
      console.log(`For comparison, Medusa completing a paid cart: ${roundedTimes(byShopper)} ms.`);
    });

    it("webhook, two returning pages and the job at once make one order with one capture", async () => {
      const { shopper, probe } = fixture();
      const { cartId, checkoutId, collectionId } = await fixture().payWithoutWebhook("xof");
      const body = await fixture().webhookBodyFor(checkoutId);
      const [completion, again] = await Promise.all([
        shopper.completeCart(cartId),
        shopper.completeCart(cartId),
        fixture().sendWebhook(body),
      ]);
      const { orderId } = await probe.orderOf(cartId);
      for (const { body } of [completion, again]) if (body.order) expect(body.order.id).toBe(orderId);
      expect((await shopper.completeCart(cartId)).body.order?.id).toBe(orderId);
      expect(await probe.orders(cartId)).toEqual([orderId]);
      expect(await probe.captures(collectionId)).toEqual([5_000]);
    });
  });
}

function roundedTimes(times: readonly number[]): string {
  return times.map(Math.round).join(", ");
}
