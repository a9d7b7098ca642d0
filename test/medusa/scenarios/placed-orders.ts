import { describe, expect, it } from "vitest";
import { expectOk } from "../http.ts";
import type { ShownPayment } from "../owner.ts";
import type { ScenarioFixture } from "../scenario-fixture.ts";
import { type StartedPayment, startedPaymentOf } from "../shopper.ts";

/** Held payments whose cart is still open, and whose order the owner places. */
export function placedOrders(fixture: () => ScenarioFixture): void {
  /** Pays a page whose session Medusa has deleted, because the shopper changed the cart and changed it back. */
  async function payForgottenPage(): Promise<StartedPayment & { readonly held: ShownPayment }> {
    const { shopper, sandbox } = fixture();
    const cart = await shopper.fillCart("xof", "shea-butter");
    const started = startedPaymentOf(cart.id, await expectOk(shopper.createPaymentSession(cart.id)));
    await shopper.changeQuantity(cart, 2);
    await shopper.changeQuantity(cart, 1);
    await sandbox.control.paySession(started.checkoutId, { method: "wave", outcome: "completed" });
    return { ...started, held: await fixture().waitForReview(started) };
  }

  const place = (held: ShownPayment, language?: "fr") => fixture().owner.decide(held, { kind: "place" }, language);

  /** Looks again and decides again when the payment has changed since she looked, as the page asks. @returns what the page shows then */
  async function placeAsShown(held: ShownPayment): Promise<ShownPayment> {
    const answer = await place(held);
    if (!/has changed since you looked/.test(answer.text)) return (await expectOk(Promise.resolve(answer))).payment;
    const now = await fixture().owner.shown(held.id);
    console.warn(`The payment changed meanwhile. Before: ${JSON.stringify(held)} Now: ${JSON.stringify(now)}`);
    return (await expectOk(place(now))).payment;
  }

  describe("an order that the owner places from a held payment", () => {
    it("the cart becomes one order with one capture of this payment, and Medusa refunds the order like every other", async () => {
      const { owner, probe } = fixture();
      const { cartId, collectionId, checkoutId, held } = await payForgottenPage();
      expect(held.open_cart).toMatchObject({ is_sold_out: false });
      const placed = await placeAsShown(held);
      expect(placed).toMatchObject({ order_id: expect.any(String), open_cart: null, finding: null });
      const orders = await probe.orders(cartId);
      expect(orders).toHaveLength(1);
      expect(await probe.captures(collectionId)).toEqual([2_500]);
      const [orderId = ""] = orders;
      expect(await owner.order(orderId)).toMatchObject({ total: 2_500, payment_status: "captured" });

      // A repeated click is answered with what the first has led to.
      expect(await expectOk(place(held))).toMatchObject({ payment: { open_cart: null, finding: null } });
      const [payment] = await owner.payments(orderId);
      expect((await owner.refund(payment?.id ?? "", 500)).status).toBe(200);
      expect((await probe.refunds(checkoutId)).map(({ amount }) => amount)).toEqual([500]);
      expect(await probe.orders(cartId)).toEqual(orders);
    });

    it("a sold-out item is named, nothing is captured or refunded, and the order is placed after restocking", async () => {
      const { owner, probe } = fixture();
      const { cartId, collectionId, checkoutId, held } = await payForgottenPage();
      const restock = await setStock(0);
      // The page was opened before the item was sold out.
      expect((await place(held)).text).toMatch(/has changed since you looked/);
      const soldOut = await owner.shown(held.id);
      expect(soldOut.open_cart).toMatchObject({ is_sold_out: true });
      const refused = await place(soldOut);
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.text).toMatch(/sold out/);
      expect((await place(soldOut, "fr")).text).toMatch(/épuisé/);
      expect(await probe.captures(collectionId)).toEqual([]);
      expect(await probe.refunds(checkoutId)).toEqual([]);
      await restock();
      await placeAsShown(held);
      expect(await probe.orders(cartId)).toHaveLength(1);
    });
  });

  /** Sets the stock of shea butter. @returns a function that restores it */
  async function setStock(quantity: number): Promise<() => Promise<unknown>> {
    const { call } = fixture().owner;
    type Level = { readonly location_id: string; readonly stocked_quantity: number };
    type Items = { inventory_items: { id: string; location_levels: Level[] }[] };
    const { inventory_items: items } = await expectOk(
      call<Items>("GET", "/admin/inventory-items?sku=shea-butter&fields=id,*location_levels"),
    );
    const [item] = items;
    const [level] = item?.location_levels ?? [];
    const path = `/admin/inventory-items/${item?.id}/location-levels/${level?.location_id}`;
    const set = (stocked: number) => expectOk(call("POST", path, { stocked_quantity: stocked }));
    // Medusa keeps what other orders have reserved.
    const reserved = await expectOk(
      call<{ inventory_item: { reserved_quantity: number } }>("GET", `/admin/inventory-items/${item?.id}`),
    );
    await set(quantity + (reserved.inventory_item.reserved_quantity ?? 0));
    return () => set(level?.stocked_quantity ?? 0);
  }
}
