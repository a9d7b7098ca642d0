import type { ShopOrder } from "@tillkit/woocommerce/fake";
import { describe, expect, it, vi } from "vitest";
import { openWorld, type World } from "./world.ts";

const PATIENCE = { timeout: 10_000, interval: 20 };

describe.each(["auto", "rest"] as const)(
  "an owner who accepts a held order by setting it to Processing (%s)",
  (settleBy) => {
    it("keeps its money: the payment is named, nothing goes back by rule, and the owner can refund it", async () => {
      const { world, order } = await heldWorld(settleBy);
      world.fake.shop.edit(order.id, { status: "processing" });
      await check(world, order);
      await vi.waitFor(async () => expect(await states(world, order)).toEqual(["recorded"]), PATIENCE);
      const payment = await world.payment(order.id);
      expect(world.fake.shop.order(order.id)).toMatchObject({
        status: "processing",
        transactionId: expect.stringMatching(/./),
        meta: { _tillkit_payment_id: payment.id },
      });
      expect(world.fake.shop.effects).toEqual([]);
      expect(world.fake.shop.stockTaken(order.id)).toBe(1);
      expect(await world.ledger.refunds(payment.id)).toEqual([]);
      expect(await world.call("refund", refundWish(order, "1500"))).toMatchObject({ status: 200 });
      expect(await world.ledger.refunds(payment.id)).toMatchObject([{ amount: { minor: 1_500 }, origin: "store" }]);
    });

    it("is not shown as paid twice in the box beside the order", async () => {
      const { world, order } = await heldWorld(settleBy);
      world.fake.shop.edit(order.id, { status: "processing" });
      const { body } = await check(world, order);
      expect(body).toMatchObject({ attention: false, payments: [{ received: { minor: 5_000, currency: "XOF" } }] });
    });

    it("and cancels it instead finds it cancelled, and the payment still held", async () => {
      const { world, order } = await heldWorld(settleBy);
      world.fake.shop.edit(order.id, { status: "processing" });
      world.fake.shop.edit(order.id, { status: "cancelled" });
      await check(world, order);
      expect(world.fake.shop.order(order.id)?.status).toBe("cancelled");
      expect(await states(world, order)).toEqual(["review"]);
    });
  },
);

describe("a refund from the order screen of an order with two payments", () => {
  it.each([
    ["names it", true],
    ["does not say, so the shop is asked", false],
  ])("gives back the money of the payment that the order shows, where the plugin %s", async (_, names) => {
    const { world, order, first, second } = await twicePaidWorld();
    // A write of an older process landed late, or the records were restored: the order shows the second one.
    const { meta } = world.fake.shop.order(order.id) ?? { meta: {} };
    world.fake.shop.change(order.id, { meta: { ...meta, _tillkit_payment_id: second.id } });
    const wish = { ...refundWish(order, "1500"), ...(names ? { payment: second.id } : {}) };
    for (const _ of [1, 2]) expect(await world.call("refund", wish)).toMatchObject({ status: 200 });
    expect(await world.ledger.refunds(first.id)).toEqual([]);
    expect(await world.ledger.refunds(second.id)).toMatchObject([{ amount: { minor: 1_500 } }]);
  });

  it("gives nothing back of a payment that belongs to another order", async () => {
    const { world, order } = await twicePaidWorld();
    const other = await world.openOrder();
    const wish = { ...refundWish(order, "1500"), payment: other.payment.id };
    expect((await world.call("refund", wish)).status).toBe(404);
    const odd = { ...refundWish(order, "1500"), payment: "../x" };
    expect((await world.call("refund", odd)).status).toBe(400);
  });

  it("gives nothing back where the order shows a payment that is not ours", async () => {
    const { world, order, first, second } = await twicePaidWorld();
    world.fake.shop.edit(order.id, { paymentMethod: "cod" });
    expect((await world.call("refund", refundWish(order, "1500"))).status).toBe(404);
    for (const { id } of [first, second]) expect(await world.ledger.refunds(id)).toEqual([]);
  });

  it("gives back the one accepted payment where the order was set to paid by hand and bears no name yet", async () => {
    const { world, order, first, second } = await twicePaidWorld();
    world.fake.shop.change(order.id, { transactionId: "", meta: {} });
    expect(await world.call("refund", refundWish(order, "1500"))).toMatchObject({ status: 200 });
    expect(await world.ledger.refunds(first.id)).toHaveLength(1);
    expect(await world.ledger.refunds(second.id)).toEqual([]);
  });
});

/** The total was edited while the shopper paid: the money is held, and with it the order. */
async function heldWorld(settleBy: "auto" | "rest") {
  const world = await openWorld({ config: { giveBack: ["duplicate"] }, store: { settleBy } });
  const { order, payment } = await world.openOrder();
  world.fake.shop.edit(order.id, { total: "6000" });
  await world.pay(payment);
  await vi.waitFor(async () => expect(await states(world, order)).toEqual(["review"]), PATIENCE);
  await vi.waitFor(() => expect(world.fake.shop.order(order.id)?.status).toBe("on-hold"), PATIENCE);
  return { world, order };
}

/** Two sessions of one order, both paid; the order shows the first. */
async function twicePaidWorld() {
  const world = await openWorld();
  const { order, payment: first } = await world.openOrder();
  world.fake.shop.edit(order.id, { total: "6000" });
  await world.follow(order);
  world.fake.shop.edit(order.id, { total: "5000" });
  const second = await world.payment(order.id);
  await world.pay(first);
  await vi.waitFor(async () => expect(await states(world, order)).toContain("recorded"), PATIENCE);
  await world.pay(second);
  await vi.waitFor(async () => expect(await states(world, order)).toEqual(["recorded", "duplicate"]), PATIENCE);
  return { world, order, first, second };
}

async function states(world: World, order: ShopOrder): Promise<readonly string[]> {
  return (await world.payments(order.id)).map(({ state }) => state);
}

async function check(world: World, order: ShopOrder) {
  return await world.call("check", { order: String(order.id), key: order.key });
}

let keys = 0;

function refundWish(order: ShopOrder, amount: string) {
  keys += 1;
  return { order: String(order.id), key: order.key, refund_key: `refund-key-${keys}`, amount, currency: "XOF" };
}
