import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { good } from "../http.ts";
import { until } from "../probe.ts";
import { payingOf } from "../shop.ts";
import type { Stage } from "../stage.ts";

/** What shoppers do to a cart while its money is on the way. */
export function carts(stage: () => Stage): void {
  describe("a cart", () => {
    it("changed after the redirect and paid on the old page: no order for the wrong sum, the money is shown to the owner", async () => {
      const { shopper, sandbox, probe, owner } = stage();
      const cart = await shopper.fillCart("xof", "shea-butter");
      const old = payingOf(cart.id, await good(shopper.pressPay(cart.id)));
      await shopper.changeQuantity(cart, 4);
      const next = payingOf(cart.id, await good(shopper.pressPay(cart.id)));
      expect(next.checkoutId).not.toBe(old.checkoutId);
      await sandbox.control.paySession(old.checkoutId, { method: "wave", outcome: "completed" });
      const seen = await stage().attention(old);
      expect((await shopper.complete(cart.id)).body.type).not.toBe("order");
      expect(await probe.orders(cart.id)).toEqual([]);

      // The owner gives it back; paying the new page then makes the order.
      await good(owner.call("POST", `/admin/tillkit/payments/${seen.id}/refund`));
      await until(
        () => probe.refunds(old.checkoutId),
        (refunds) => refunds.length === 1,
        10_000,
      );
      await sandbox.control.paySession(next.checkoutId, { method: "wave", outcome: "completed" });
      const { orderId } = await probe.orderWithin(cart.id, 20_000);
      expect(await owner.order(orderId)).toMatchObject({ total: 10_000, payment_status: "captured" });
    });

    it("with the last basket of two shoppers: one gets it, the other gets all money back, once", async () => {
      const { shopper, probe } = stage();
      const first = await stage().paidInSilence("usd", "last-basket");
      const second = await stage().paidInSilence("usd", "last-basket");
      expect((await shopper.complete(first.cartId)).body.type).toBe("order");
      const letter = await stage().letterOf(second.checkoutId);
      const [tooLate] = await Promise.all([shopper.complete(second.cartId), stage().send(letter)]);
      expect(tooLate.body.type).not.toBe("order");
      const [refund] = await until(
        () => probe.refunds(second.checkoutId),
        (refunds) => refunds.some(({ status }) => status === "completed"),
        30_000,
      );
      expect(refund).toMatchObject({ amount: 3_400, status: "completed" });
      await stage().send(await stage().letterOf(second.checkoutId, { id: randomUUID() }));
      expect((await shopper.complete(second.cartId)).body.type).not.toBe("order");
      // Medusa gives money back some six seconds after a cart could not be completed.
      await new Promise((resolve) => setTimeout(resolve, 8_000));
      expect(await probe.refunds(second.checkoutId)).toHaveLength(1);
      expect(await probe.orders(second.cartId)).toEqual([]);
      expect(await probe.refunds(first.checkoutId)).toEqual([]);
    });

    it("whose storefront sends along the data of somebody's paid session is not paid by it", async () => {
      const { shopper, probe } = stage();
      const paid = await stage().paidInSilence("xof");
      const cart = await shopper.fillCart("xof", "voucher");
      const thief = payingOf(cart.id, await good(shopper.pressPay(cart.id, { ...paid.session.data, amount: "1" })));
      expect(thief.checkoutId).not.toBe(paid.checkoutId);
      expect(thief.session.data.amount).toBe(paid.session.data.amount);
      expect((await shopper.complete(cart.id)).body.type).not.toBe("order");
      expect(await probe.orders(cart.id)).toEqual([]);
      expect((await shopper.complete(paid.cartId)).body.type).toBe("order");
    });

    it("shows no secret of the shop to whoever reads it", async () => {
      const { shopper } = stage();
      const { cartId, collectionId } = await stage().bought("usd");
      const readable = await Promise.all([
        shopper.call("GET", `/store/carts/${cartId}?fields=*payment_collection,*payment_collection.payment_sessions`),
        shopper.call("GET", `/store/payment-providers`),
        shopper.call("GET", `/store/payment-collections/${collectionId}`),
      ]);
      const text = readable.map((answer) => answer.text).join("\n") + stage().log();
      for (const secret of stage().secrets) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/svc_sk_|whsec_/);
    });
  });
}
