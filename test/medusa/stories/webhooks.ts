import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Stage } from "../stage.ts";

const SETTLED_MS = 3_000;
const STOCK_ROUTE = "/hooks/payment/tillkit_tillkit";
/** Medusa looks at what came to its own address some five seconds later. */
const STOCK_DELAY_MS = 7_000;

/** What arrives at the shop's webhook address. */
export function webhooks(stage: () => Stage): void {
  describe("a webhook", () => {
    it("without the right signature is refused with 401, and nothing happens", async () => {
      const { probe } = stage();
      const paying = await stage().paidInSilence("xof");
      const letter = await stage().letterOf(paying.checkoutId);
      const { status } = await stage().send(letter, { secret: "whsec_of_somebody_else" });
      expect(status).toBe(401);
      const unsigned = await fetch(stage().webhookUrl, { method: "POST", body: letter });
      expect(unsigned.status).toBe(401);
      await settled();
      expect(await probe.orders(paying.cartId)).toEqual([]);
    });

    it("that says paid while the service says open makes no order", async () => {
      const { probe, shopper } = stage();
      const paid = await stage().paidInSilence("xof");
      const paying = await shopper.goToPay("xof");
      const letter = await stage().letterOf(paid.checkoutId, {
        id: randomUUID(),
        data: { checkout_session_id: paying.checkoutId, metadata: {} },
      });
      expect((await stage().send(letter)).status).toBe(200);
      await settled();
      expect(await probe.orders(paying.cartId)).toEqual([]);
      expect(await probe.captures(paying.collectionId)).toEqual([]);
    });

    it.each([
      ["half the money", { amount: 2_500 }],
      ["twice the money", { amount: 10_000 }],
      ["another currency", { currency_code: "EUR" }],
    ])("of a payment with %s captures nothing, and the owner sees it", async (_, patch) => {
      const { sandbox, probe, shopper } = stage();
      const paying = await shopper.goToPay("xof");
      const path = `/checkout-sessions/${paying.checkoutId}`;
      await sandbox.control.addFault({ method: "GET", path, patch, times: 1_000 });
      await sandbox.control.paySession(paying.checkoutId, { method: "wave", outcome: "completed" });
      expect((await stage().attention(paying)).finding).toMatch(/paid/i);
      expect((await shopper.complete(paying.cartId)).body.type).not.toBe("order");
      expect(await probe.orders(paying.cartId)).toEqual([]);
      expect(await probe.captures(paying.collectionId)).toEqual([]);
    });

    it("ten times, three of them at once, and each time under an id of its own: one order, one capture", async () => {
      const { probe } = stage();
      const paying = await stage().paidInSilence("usd");
      const same = await stage().letterOf(paying.checkoutId);
      const fresh = () => stage().letterOf(paying.checkoutId, { id: randomUUID() });
      const statuses = [
        ...(await Promise.all([stage().send(same), stage().send(same), stage().send(same)])),
        ...(await Promise.all([fresh(), fresh(), fresh()].map(async (letter) => stage().send(await letter)))),
      ];
      for (let time = 0; time < 10; time += 1) statuses.push(await stage().send(await fresh()));
      expect(statuses.map(({ status }) => status)).toEqual(Array(16).fill(200));
      const { orderId } = await probe.orderWithin(paying.cartId, 20_000);
      await settled();
      expect(await probe.orders(paying.cartId)).toEqual([orderId]);
      expect(await probe.captures(paying.collectionId)).toEqual([9.9]);
    });

    it("before the browser: the shopper who comes back later gets the order that is there already", async () => {
      const { probe, shopper } = stage();
      const paying = await stage().paidInSilence("xof");
      await stage().send(await stage().letterOf(paying.checkoutId));
      const { orderId } = await probe.orderWithin(paying.cartId, 20_000);
      const { body } = await shopper.complete(paying.cartId);
      expect(body.order?.id).toBe(orderId);
    });

    it("of 150 KB, which Medusa's own route refuses for good, makes the order", async () => {
      const { probe } = stage();
      const paying = await stage().paidInSilence("xof");
      const letter = await stage().letterOf(paying.checkoutId, { bytes: 150_000 });
      expect((await stage().send(letter)).status).toBe(200);
      await probe.orderWithin(paying.cartId, 20_000);
    });

    it("at Medusa's own address, which answers 200 to everybody, counts as little: the service is asked", async () => {
      const { probe, shopper } = stage();
      const paid = await stage().paidInSilence("xof");
      const unpaid = await shopper.goToPay("xof");
      const letter = await stage().letterOf(paid.checkoutId);
      const forged = letter.replaceAll(paid.checkoutId, unpaid.checkoutId);
      await stage().send(forged, { to: STOCK_ROUTE });
      await stage().send(letter, { to: STOCK_ROUTE, secret: "whsec_of_somebody_else" });
      await new Promise((resolve) => setTimeout(resolve, STOCK_DELAY_MS));
      expect(await probe.orders(paid.cartId)).toEqual([]);
      await stage().send(letter, { to: STOCK_ROUTE });
      const { ms } = await probe.orderWithin(paid.cartId, 20_000);
      console.log(`From a webhook at Medusa's own address to the order: ${Math.round(ms)} ms.`);
      expect(await probe.captures(paid.collectionId)).toEqual([5_000]);
      expect(await probe.orders(unpaid.cartId)).toEqual([]);
    });

    it("of a payment of ours that Medusa no longer knows is an orphan: the owner sees it", async () => {
      const { probe } = stage();
      const paying = await stage().paidInSilence("xof");
      await stage().sql(`delete from payment_session where id = '${paying.session.id}'`);
      await stage().send(await stage().letterOf(paying.checkoutId));
      await stage().attention(paying);
      expect(await probe.orders(paying.cartId)).toEqual([]);
    });

    it("of another channel on the same key is foreign: taken, counted, and its money never touched", async () => {
      const { sandbox, probe } = stage();
      const other = await stage().service.checkoutSessions.create({
        amount: 700,
        currency_code: "XOF",
        title: "At the market stall",
        success_url: "https://stall.example/thanks",
        cancel_url: "https://stall.example",
      });
      const checkoutId = other.data.id ?? "";
      await sandbox.control.paySession(checkoutId, { method: "wave", outcome: "completed" });
      const [event] = await sandbox.control.listEvents({ sessionId: checkoutId });
      expect(await stage().delivered(event?.id ?? "")).toBe(200);
      await settled();
      expect(await probe.refunds(checkoutId)).toEqual([]);
      expect(await stage().sql(`select id from tillkit.tillkit_payments where session_id = '${checkoutId}'`)).toEqual(
        [],
      );
      expect(await stage().session(checkoutId)).toMatchObject({ status: "completed" });
    });
  });
}

/** Long enough for everything that a webhook sets off. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
}
