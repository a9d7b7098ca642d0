import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ScenarioFixture } from "../scenario-fixture.ts";

const PROCESSING_MS = 3_000;
const BUILT_IN_ROUTE = "/hooks/payment/tillkit_tillkit";
/** Medusa processes a webhook at its built-in route about five seconds after the webhook arrived. */
const BUILT_IN_DELAY_MS = 7_000;

/** Webhooks that reach the store. */
export function webhooks(fixture: () => ScenarioFixture): void {
  describe("a webhook", () => {
    it("a webhook without the right signature is answered 401 and changes nothing", async () => {
      const { probe } = fixture();
      const started = await fixture().payWithoutWebhook("xof");
      const body = await fixture().webhookBodyFor(started.checkoutId);
      const { status } = await fixture().sendWebhook(body, { secret: "whsec_of_another_store" });
      expect(status).toBe(401);
      const unsigned = await fetch(fixture().webhookUrl, { method: "POST", body });
      expect(unsigned.status).toBe(401);
      await waitForProcessing();
      expect(await probe.orders(started.cartId)).toEqual([]);
    });

    it("a webhook that reports a payment of an open session makes no order", async () => {
      const { probe, shopper } = fixture();
      const paid = await fixture().payWithoutWebhook("xof");
      const started = await shopper.startPayment("xof");
      const body = await fixture().webhookBodyFor(paid.checkoutId, {
        id: randomUUID(),
        data: { checkout_session_id: started.checkoutId, metadata: {} },
      });
      expect((await fixture().sendWebhook(body)).status).toBe(200);
      await waitForProcessing();
      expect(await probe.orders(started.cartId)).toEqual([]);
      expect(await probe.captures(started.collectionId)).toEqual([]);
    });

    it.each([
      ["half the amount", { amount: 2_500 }],
      ["twice the amount", { amount: 10_000 }],
      ["another currency", { currency_code: "EUR" }],
    ])("a payment with %s is not captured and is held for review", async (_, patch) => {
      const { sandbox, probe, shopper } = fixture();
      const started = await shopper.startPayment("xof");
      const path = `/checkout-sessions/${started.checkoutId}`;
      await sandbox.control.addFault({ method: "GET", path, patch, times: 1_000 });
      await sandbox.control.paySession(started.checkoutId, { method: "wave", outcome: "completed" });
      expect((await fixture().waitForReview(started)).finding).toMatch(/asks for|currency differs/);
      expect((await shopper.completeCart(started.cartId)).body.type).not.toBe("order");
      expect(await probe.orders(started.cartId)).toEqual([]);
      expect(await probe.captures(started.collectionId)).toEqual([]);
    });

    it("sixteen webhooks about one payment, some at once, make one order with one capture", async () => {
      const { probe } = fixture();
      const started = await fixture().payWithoutWebhook("usd");
      const body = await fixture().webhookBodyFor(started.checkoutId);
      const sendSame = () => fixture().sendWebhook(body);
      const sendUnderFreshId = async () =>
        fixture().sendWebhook(await fixture().webhookBodyFor(started.checkoutId, { id: randomUUID() }));
      const answers = [
        ...(await Promise.all([sendSame(), sendSame(), sendSame()])),
        ...(await Promise.all([sendUnderFreshId(), sendUnderFreshId(), sendUnderFreshId()])),
      ];
      for (let time = 0; time < 10; time += 1) answers.push(await sendUnderFreshId());
      expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
      const { orderId } = await probe.orderOf(started.cartId);
      await waitForProcessing();
      expect(await probe.orders(started.cartId)).toEqual([orderId]);
      expect(await probe.captures(started.collectionId)).toEqual([9.9]);
    });

    it("the shopper who returns after the webhook gets the order that the webhook made", async () => {
      const { probe, shopper } = fixture();
      const started = await fixture().payWithoutWebhook("xof");
      await fixture().sendWebhook(await fixture().webhookBodyFor(started.checkoutId));
      const { orderId } = await probe.orderOf(started.cartId);
      const { body } = await shopper.completeCart(started.cartId);
      expect(body.order?.id).toBe(orderId);
    });

    it("a webhook of 150 KB makes the order", async () => {
      const { probe } = fixture();
      const started = await fixture().payWithoutWebhook("xof");
      const body = await fixture().webhookBodyFor(started.checkoutId, { paddingBytes: 150_000 });
      expect((await fixture().sendWebhook(body)).status).toBe(200);
      await probe.orderOf(started.cartId);
    });

    it("a webhook at the built-in route makes an order only after the payment was read from the service", async () => {
      const { probe, shopper } = fixture();
      const paid = await fixture().payWithoutWebhook("xof");
      const unpaid = await shopper.startPayment("xof");
      const body = await fixture().webhookBodyFor(paid.checkoutId);
      const forged = body.replaceAll(paid.checkoutId, unpaid.checkoutId);
      await fixture().sendWebhook(forged, { to: BUILT_IN_ROUTE });
      await fixture().sendWebhook(body, { to: BUILT_IN_ROUTE, secret: "whsec_of_another_store" });
      await new Promise((resolve) => setTimeout(resolve, BUILT_IN_DELAY_MS));
      expect(await probe.orders(paid.cartId)).toEqual([]);
      await fixture().sendWebhook(body, { to: BUILT_IN_ROUTE });
      const { ms } = await probe.orderOf(paid.cartId);
      console.log(`From a webhook at the built-in route to the order: ${Math.round(ms)} ms.`);
      expect(await probe.captures(paid.collectionId)).toEqual([5_000]);
      expect(await probe.orders(unpaid.cartId)).toEqual([]);
    });

    it("a payment whose session Medusa deleted is held for review", async () => {
      const { probe } = fixture();
      const started = await fixture().payWithoutWebhook("xof");
      await fixture().sql(`delete from payment_session where id = '${started.session.id}'`);
      await fixture().sendWebhook(await fixture().webhookBodyFor(started.checkoutId));
      await fixture().waitForReview(started);
      expect(await probe.orders(started.cartId)).toEqual([]);
    });

    it("a payment of another channel on the same key is never changed", async () => {
      const { sandbox, probe } = fixture();
      const other = await fixture().service.checkoutSessions.create({
        amount: 700,
        currency_code: "XOF",
        title: "At the market stall",
        success_url: "https://stall.example/thanks",
        cancel_url: "https://stall.example",
      });
      const checkoutId = other.data.id ?? "";
      await sandbox.control.paySession(checkoutId, { method: "wave", outcome: "completed" });
      const [event] = await sandbox.control.listEvents({ sessionId: checkoutId });
      expect(await fixture().redeliver(event?.id ?? "")).toBe(200);
      await waitForProcessing();
      expect(await probe.refunds(checkoutId)).toEqual([]);
      expect(await fixture().sql(`select id from tillkit.tillkit_payments where session_id = '${checkoutId}'`)).toEqual(
        [],
      );
      expect(await fixture().readSession(checkoutId)).toMatchObject({ status: "completed" });
    });
  });
}

/** Waits long enough for all processing that a webhook starts. */
function waitForProcessing(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PROCESSING_MS));
}
