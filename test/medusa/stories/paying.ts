import { describe, expect, it } from "vitest";
import type { Stage } from "../stage.ts";

const SOON_MS = 1_000;

/** From the cart to the order. */
export function paying(stage: () => Stage): void {
  describe("a shopper pays", () => {
    it.each([
      ["francs, which have no decimals", "xof", 10_500, 10_500],
      ["dollars, which have two", "usd", 22.8, 2_280],
    ] as const)("in %s: the service asks for exactly what the cart costs, and Medusa books that", async (...row) => {
      const [, currency, total, wire] = row;
      const { shopper, sandbox, probe } = stage();
      const paying = await shopper.goToPay(currency, "wax-cloth");
      const session = await stage().session(paying.checkoutId);
      expect(session).toMatchObject({ amount: wire, currencyCode: currency.toUpperCase(), status: "open" });

      await sandbox.control.paySession(paying.checkoutId, { method: "card", outcome: "completed" });
      const { orderId } = await probe.orderWithin(paying.cartId, 30_000);
      expect(await stage().owner.order(orderId)).toMatchObject({ total, payment_status: "captured" });
      expect(await probe.captures(paying.collectionId)).toEqual([total]);
    });

    it("in dinars, which have three decimals: refused in a sentence the shopper can act on, nothing sent", async () => {
      const { shopper, sandbox } = stage();
      const opened = () => sandbox.control.listRequests().filter(({ method }) => method === "POST").length;
      const before = opened();
      const cart = await shopper.fillCart("kwd", "wax-cloth");
      const { status, body } = await shopper.pressPay(cart.id);
      expect(status).toBe(400);
      expect(body).toMatchObject({ message: expect.stringMatching(/XOF, USD, EUR/) });
      expect(opened()).toBe(before);
    });

    it("never gets an order for a cart that is not paid, however often the page asks", async () => {
      const { shopper, probe } = stage();
      const { cartId, collectionId } = await shopper.goToPay("xof");
      for (let time = 0; time < 3; time += 1) {
        const { status, body } = await shopper.complete(cartId);
        expect(body.type).not.toBe("order");
        expect(status).toBeLessThan(500);
      }
      expect(await probe.orders(cartId)).toEqual([]);
      expect(await probe.captures(collectionId)).toEqual([]);
    });

    it("and comes back while no webhook arrives: the order is there, and the same one when the page is loaded again", async () => {
      const { shopper, probe } = stage();
      const { cartId, collectionId } = await stage().paidInSilence("usd");
      const first = await shopper.complete(cartId);
      expect(first.body.type).toBe("order");
      const second = await shopper.complete(cartId);
      expect(second.body.order?.id).toBe(first.body.order?.id);
      expect(await probe.orders(cartId)).toHaveLength(1);
      expect(await probe.captures(collectionId)).toEqual([9.9]);
    });

    it("and never comes back: the webhook alone makes the order, within a second", async () => {
      const { shopper, sandbox, probe } = stage();
      const [byShopper, byWebhook]: [number[], number[]] = [[], []];
      for (let round = 0; round < 5; round += 1) {
        byShopper.push((await shopper.complete((await stage().paidInSilence("xof")).cartId)).ms);
        const { cartId, checkoutId } = await shopper.goToPay("xof");
        await sandbox.control.paySession(checkoutId, { method: "wave", outcome: "completed" });
        byWebhook.push((await probe.orderWithin(cartId, 30_000)).ms);
      }
      console.log(`From the payment to the order, by its webhook: ${rounded(byWebhook)} ms.`);
      console.log(`For comparison, Medusa completing a paid cart: ${rounded(byShopper)} ms.`);
      // On a machine that is busy with other things: nothing waits that Medusa itself does not wait for.
      expect(median(byWebhook)).toBeLessThanOrEqual(Math.max(SOON_MS, 3 * median(byShopper)));
    });

    it("and webhook, two returning pages and the job, which looks every second, come at once: one order, one capture, the same for everybody", async () => {
      const { shopper, probe } = stage();
      const { cartId, checkoutId, collectionId } = await stage().paidInSilence("xof");
      const letter = await stage().letterOf(checkoutId);
      const [completion, again] = await Promise.all([
        shopper.complete(cartId),
        shopper.complete(cartId),
        stage().send(letter),
      ]);
      const { orderId } = await probe.orderWithin(cartId, 20_000);
      for (const { body } of [completion, again]) if (body.order) expect(body.order.id).toBe(orderId);
      expect((await shopper.complete(cartId)).body.order?.id).toBe(orderId);
      expect(await probe.orders(cartId)).toEqual([orderId]);
      expect(await probe.captures(collectionId)).toEqual([5_000]);
    });
  });
}

function median(times: readonly number[]): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0;
}

function rounded(times: readonly number[]): string {
  return times.map(Math.round).join(", ");
}
