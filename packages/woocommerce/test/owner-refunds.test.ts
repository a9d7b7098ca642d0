import type { ShopOrder } from "@tillkit/fake-woocommerce";
import { describe, expect, it } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { payOrderTwice } from "./money-steps.ts";
import { openServerFixture, type ServerFixture } from "./server-fixture.ts";

describe.each(["auto", "rest"] as const)("accepted held orders, writeOrdersBy %s", (writeOrdersBy) => {
  it("an accepted held payment is recorded on the order, is not refunded automatically, and can be refunded by the owner", async () => {
    const { fixture, order } = await openHeldOrder(writeOrdersBy);
    fixture.fake.shop.edit(order.id, { status: "processing" });
    await check(fixture, order);
    await waitFor(async () => expect(await states(fixture, order)).toEqual(["recorded"]));
    const payment = await fixture.payment(order.id);
    expect(fixture.fake.shop.order(order.id)).toMatchObject({
      status: "processing",
      transactionId: expect.stringMatching(/./),
      meta: { _tillkit_payment_id: payment.id },
    });
    expect(fixture.fake.shop.effects).toEqual([]);
    expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
    expect(await fixture.ledger.refunds(payment.id)).toEqual([]);
    expect(await fixture.call("refund", refundInput(order, "1500"))).toMatchObject({ status: 200 });
    expect(await fixture.ledger.refunds(payment.id)).toMatchObject([{ amount: { minor: 1_500 }, origin: "store" }]);
  });

  it("an accepted held payment needs no attention in the order box", async () => {
    const { fixture, order } = await openHeldOrder(writeOrdersBy);
    fixture.fake.shop.edit(order.id, { status: "processing" });
    // A job may hold the order at the moment of the check.
    await waitFor(async () => {
      const { body } = await check(fixture, order);
      expect(body).toMatchObject({ attention: false, payments: [{ received: { minor: 5_000, currency: "XOF" } }] });
    });
  });

  it("an order that the owner sets to Processing and then cancels stays cancelled, and its payment stays under review", async () => {
    const { fixture, order } = await openHeldOrder(writeOrdersBy);
    fixture.fake.shop.edit(order.id, { status: "processing" });
    fixture.fake.shop.edit(order.id, { status: "cancelled" });
    await check(fixture, order);
    expect(fixture.fake.shop.order(order.id)?.status).toBe("cancelled");
    expect(await states(fixture, order)).toEqual(["review"]);
  });
});

describe("refunds of orders with two payments", () => {
  it.each([
    ["sends the payment's id", true],
    ["sends no id", false],
  ])("a refund concerns the payment that the order shows if the plugin %s", async (_, sendsId) => {
    const { fixture, order, first, second } = await openTwicePaidOrder();
    // After a late write of an older process or a restored database, the order shows the second payment.
    const { meta } = fixture.fake.shop.order(order.id) ?? { meta: {} };
    fixture.fake.shop.change(order.id, { meta: { ...meta, _tillkit_payment_id: second.id } });
    const input = { ...refundInput(order, "1500"), ...(sendsId ? { payment: second.id } : {}) };
    // The second call repeats the first under the same key.
    for (const _ of [1, 2]) expect(await fixture.call("refund", input)).toMatchObject({ status: 200 });
    expect(await fixture.ledger.refunds(first.id)).toEqual([]);
    expect(await fixture.ledger.refunds(second.id)).toMatchObject([{ amount: { minor: 1_500 } }]);
  });

  it("a refund with the payment id of another order is refused", async () => {
    const { fixture, order } = await openTwicePaidOrder();
    const other = await fixture.openOrder();
    const input = { ...refundInput(order, "1500"), payment: other.payment.id };
    expect((await fixture.call("refund", input)).status).toBe(404);
    const odd = { ...refundInput(order, "1500"), payment: "../x" };
    expect((await fixture.call("refund", odd)).status).toBe(400);
  });

  it("a refund of an order that was paid otherwise is refused", async () => {
    const { fixture, order, first, second } = await openTwicePaidOrder();
    fixture.fake.shop.edit(order.id, { paymentMethod: "cod" });
    expect((await fixture.call("refund", refundInput(order, "1500"))).status).toBe(404);
    for (const { id } of [first, second]) expect(await fixture.ledger.refunds(id)).toEqual([]);
  });

  it("a refund of an order set to paid by hand concerns its only accepted payment", async () => {
    const { fixture, order, first, second } = await openTwicePaidOrder();
    fixture.fake.shop.change(order.id, { transactionId: "", meta: {} });
    expect(await fixture.call("refund", refundInput(order, "1500"))).toMatchObject({ status: 200 });
    expect(await fixture.ledger.refunds(first.id)).toHaveLength(1);
    expect(await fixture.ledger.refunds(second.id)).toEqual([]);
  });
});

const HELD = { status: "on-hold", meta: { _tillkit_decision: "held" } };

/** An order whose total was edited during the payment: the payment is under review and the order on hold. */
async function openHeldOrder(writeOrdersBy: "auto" | "rest") {
  const fixture = await openServerFixture({ config: { autoRefund: ["duplicate"] }, store: { writeOrdersBy } });
  const { order, payment } = await fixture.openOrder();
  fixture.fake.shop.edit(order.id, { total: "6000" });
  await fixture.pay(payment);
  await waitFor(async () => expect(await states(fixture, order)).toEqual(["review"]));
  await waitFor(() => expect(fixture.fake.shop.order(order.id)).toMatchObject(HELD));
  return { fixture, order };
}

async function openTwicePaidOrder() {
  const fixture = await openServerFixture();
  const { order, first, second } = await payOrderTwice(fixture);
  await waitFor(async () => expect(await states(fixture, order)).toEqual(["recorded", "duplicate"]));
  return { fixture, order, first, second };
}

async function states(fixture: ServerFixture, order: ShopOrder): Promise<readonly string[]> {
  return (await fixture.payments(order.id)).map(({ state }) => state);
}

async function check(fixture: ServerFixture, order: ShopOrder) {
  return await fixture.call("check", { order: String(order.id), key: order.key });
}

let lastKeyNumber = 0;

function refundInput(order: ShopOrder, amount: string) {
  lastKeyNumber += 1;
  return {
    order: String(order.id),
    key: order.key,
    refund_key: `refund-key-${lastKeyNumber}`,
    amount,
    currency: "XOF",
  };
}
