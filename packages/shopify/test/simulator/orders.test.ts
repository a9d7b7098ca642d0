import { money } from "@tillkit/core";
import { balanceOf, financialStatus, type ShopOrder, type SimulatedShop } from "@tillkit/testkit/shopify";
import { expect, test } from "vitest";
import { HOUR, MINUTE, openWorld, SECOND, TOTAL, type World, type WorldOptions } from "./world.ts";

const openOrderWorld = (options: WorldOptions = {}) => openWorld({ mode: "order", ...options });

function orderPayUrl({ url, shop }: World, { checkoutToken }: ShopOrder, { domain }: SimulatedShop = shop): string {
  return `${url}/shopify/order-pay?shop=${domain}&checkout_token=${checkoutToken}`;
}

/** The shopper follows the pay link of the order's page. */
async function visitOrder(world: World, order: ShopOrder, shop: SimulatedShop = world.shop) {
  const { location } = await world.open(orderPayUrl(world, order, shop));
  if (location === null) return expect.fail("The order has no page to pay on.");
  await world.open(location);
  const [payment] = await world.ledger.siblings({ storeId: shop.domain, orderId: orderIdOf(order) });
  return payment ?? expect.fail("Nothing was opened at the service.");
}

function orderIdOf({ id }: ShopOrder): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

async function place(world: World, total = TOTAL): Promise<ShopOrder> {
  const order = world.shop.placeOrder({ total, test: true });
  await world.settle();
  return order;
}

test("an order with our manual method gets a pay link; paid, it is captured once, exactly", async () => {
  const world = await openOrderWorld();
  const order = await place(world);
  expect(order.metafields.get("$app:tillkit.pay_url")?.value).toContain("/pay/");
  await world.pay(await visitOrder(world, order));
  await world.until(() => financialStatus(order) === "PAID");
  await world.pass(10 * MINUTE);
  expect(world.shop.record.of("order-paid")).toMatchObject([{ id: order.id, amount: TOTAL }]);
  expect(world.shop.record.callsOf("orderCapture").map(({ outcome }) => outcome)).toEqual(["done"]);
}, 60_000);

test("who opens the order's pay link again is led to the order once it is paid, and reads that a cancelled one is closed", async () => {
  const world = await openOrderWorld();
  const [paid, cancelled] = [await place(world), await place(world)];
  await world.pay(await visitOrder(world, paid));
  await world.until(() => financialStatus(paid) === "PAID");
  expect(await world.follow(orderPayUrl(world, paid))).toContain(paid.checkoutToken);
  world.shop.cancelOrder(cancelled.id);
  const { location } = await world.open(orderPayUrl(world, cancelled));
  expect(await world.open(location ?? "")).toMatchObject({
    status: 409,
    text: expect.stringContaining("ne peut plus"),
  });
}, 60_000);

test("an order in the shopper's own currency is paid and captured in it", async () => {
  const world = await openOrderWorld({ shop: { currency: "XOF", rates: { EUR: 6.5596 } } });
  const order = await place(world, money(4_250, "EUR"));
  const payment = await visitOrder(world, order);
  expect(payment.amountDue).toEqual(money(4_250, "EUR"));
  await world.pay(payment);
  await world.until(() => financialStatus(order) === "PAID");
  expect(balanceOf(order).received).toEqual(money(4_250, "EUR"));
}, 60_000);

test.each([
  ["a reset after Shopify booked it", { reset: true as const, when: "after" as const }],
  ["a 500 after Shopify booked it", { status: 500 as const, when: "after" as const }],
  ["a reset before", { reset: true as const }],
  ["a 503", { status: 503 as const }],
  ["an internal error in an answer of 200", { error: "INTERNAL_SERVER_ERROR" as const }],
])(
  "%s: looked at again, booked once",
  async (_what, fault) => {
    const world = await openOrderWorld();
    const order = await place(world);
    const payment = await visitOrder(world, order);
    world.simulator.faults.add({ on: "orderCapture", ...fault });
    await world.pay(payment);
    await world.pass(10 * MINUTE);
    expect(financialStatus(order)).toBe("PAID");
    expect(world.shop.record.of("order-paid")).toHaveLength(1);
    expect((await world.ledger.find({ id: payment.id }))?.state).toBe("recorded");
  },
  60_000,
);

test("an order that was edited while it was being paid is never booked for another sum", async () => {
  const world = await openOrderWorld();
  const order = await place(world);
  const payment = await visitOrder(world, order);
  world.shop.editOrder(order.id, money(20_000, "XOF"));
  await world.pay(payment);
  await world.pass(10 * MINUTE);
  expect(world.shop.record.of("order-paid")).toEqual([]);
  expect((await world.ledger.find({ id: payment.id }))?.state).toBe("review");
  expect(order.tags).toContain("tillkit-review");
}, 60_000);

test("an order that was edited before it is paid is paid for its new sum", async () => {
  const world = await openOrderWorld();
  const order = await place(world);
  await visitOrder(world, order);
  world.shop.editOrder(order.id, money(9_000, "XOF"));
  await world.settle();
  const again = await visitOrder(world, order);
  const payments = await world.ledger.siblings({ storeId: world.shop.domain, orderId: again.ref.orderId });
  const open = payments.find(({ state }) => state === "open") ?? expect.fail("Nothing is open.");
  expect(open.amountDue).toEqual(money(9_000, "XOF"));
  await world.pay(open);
  await world.pass(5 * MINUTE);
  expect(financialStatus(order)).toBe("PAID");
  expect(balanceOf(order).received).toEqual(money(9_000, "XOF"));
}, 60_000);

test("the money of an order that was cancelled meanwhile goes back", async () => {
  const world = await openOrderWorld();
  const order = await place(world);
  const payment = await visitOrder(world, order);
  world.shop.cancelOrder(order.id);
  await world.pay(payment);
  await world.pass(30 * MINUTE);
  expect(world.shop.record.of("order-paid")).toEqual([]);
  expect((await world.ledger.find({ id: payment.id }))?.state).toBe("refunded");
}, 60_000);

test("an order that was paid in the shop meanwhile is not paid twice", async () => {
  const world = await openOrderWorld();
  const order = await place(world);
  const payment = await visitOrder(world, order);
  world.shop.payOrderOutside(order.id, TOTAL);
  await world.pay(payment);
  await world.pass(30 * MINUTE);
  expect(world.shop.record.of("order-paid")).toEqual([]);
  expect((await world.ledger.find({ id: payment.id }))?.state).toBe("refunded");
}, 60_000);

test("an order whose webhooks were lost, then came late and twice, is booked once", async () => {
  const world = await openOrderWorld();
  world.simulator.webhooks.hold();
  const order = world.shop.placeOrder({ total: TOTAL, test: true });
  await world.pass(6 * MINUTE, MINUTE);
  // In real life the app's own round would have found it: here the shopper comes by the order's page.
  await world.pay(await visitOrder(world, order));
  await world.until(() => financialStatus(order) === "PAID");
  await world.simulator.webhooks.release();
  for (const delivery of world.simulator.webhooks.deliveries) await world.simulator.webhooks.repeat(delivery);
  await world.settle();
  expect(world.shop.record.of("order-paid")).toHaveLength(1);
}, 60_000);

test("a refund in the shop's admin gives the money back once, however often it is told", async () => {
  const world = await openOrderWorld();
  const order = await place(world);
  const payment = await visitOrder(world, order);
  await world.pay(payment);
  await world.until(() => financialStatus(order) === "PAID");
  world.shop.refundOrder(order.id, money(2_500, "XOF"), "one basket was broken");
  await world.simulator.webhooks.settled();
  const told = world.simulator.webhooks.deliveries.filter(({ topic }) => topic === "refunds/create");
  expect(told.length).toBeGreaterThan(0);
  for (const delivery of told) await world.simulator.webhooks.repeat(delivery);
  await world.pass(10 * MINUTE, 30 * SECOND);
  const refunds = await world.ledger.refunds(payment.id);
  expect(refunds.map(({ amount, state }) => [amount.minor, state])).toEqual([[2_500, "completed"]]);
}, 60_000);

test("a refund in the shop is paid, too, where the owner wrote the method's name in small letters", async () => {
  const world = await openOrderWorld();
  await world.settings({ gatewayName: " mobile money" });
  const order = await place(world);
  const payment = await visitOrder(world, order);
  await world.pay(payment);
  await world.until(() => financialStatus(order) === "PAID");
  world.shop.refundOrder(order.id, money(2_500, "XOF"));
  await world.pass(10 * MINUTE, 30 * SECOND);
  const refunds = await world.ledger.refunds(payment.id);
  expect(refunds.map(({ amount, state }) => [amount.minor, state])).toEqual([[2_500, "completed"]]);
}, 60_000);

test("an order that was paid under the method's old name is refunded, once, and is still paid by its payment", async () => {
  const world = await openOrderWorld();
  const order = await place(world);
  const payment = await visitOrder(world, order);
  await world.pay(payment);
  await world.until(() => financialStatus(order) === "PAID");
  for (const gatewayName of ["Wave", "Wave & Orange"]) await world.settings({ gatewayName });
  world.shop.refundOrder(order.id, money(2_500, "XOF"));
  await world.pass(10 * MINUTE, 30 * SECOND);
  const refunds = await world.ledger.refunds(payment.id);
  expect(refunds.map(({ amount, state }) => [amount.minor, state])).toEqual([[2_500, "completed"]]);
  const adapter = await world.app.checkout.engine.store(world.shop.domain);
  expect(await adapter.findOrder(payment.ref, "")).toMatchObject({ paidBy: payment.id });
}, 60_000);

test("another shop's order, and another payment method's, have no page of ours", async () => {
  const world = await openOrderWorld();
  const cash = world.shop.placeOrder({ total: TOTAL, test: true, gateway: "Cash on Delivery (COD)" });
  await world.settle();
  expect(cash.metafields.size).toBe(0);
  const token = cash.checkoutToken;
  const pageOf = async (shop: string) =>
    (await world.open(`${world.url}/shopify/order-pay?shop=${shop}&checkout_token=${token}`)).location;
  expect(await pageOf(world.shop.domain)).toBeNull();
  expect(await pageOf("nobody.myshopify.com")).toBeNull();
});

test("a shop that takes no payments for now begins none, finishes those that were begun, and goes on where it stopped", async () => {
  const world = await openOrderWorld();
  const [begun, waiting, cash] = [await place(world), await place(world), await place(world)];
  const payment = await visitOrder(world, begun);
  await world.settings({ gatewayName: "Mobile money", paused: "yes" });
  await world.pay(payment);
  await world.until(() => financialStatus(begun) === "PAID");

  const link = waiting.metafields.get("$app:tillkit.pay_url")?.value ?? "";
  const closed = await world.open(link);
  expect(closed).toMatchObject({ status: 500, location: null });
  expect(closed.text).toContain("momentanément fermé");
  expect(await world.ledger.siblings({ storeId: world.shop.domain, orderId: orderIdOf(waiting) })).toEqual([]);

  world.shop.payOrderOutside(cash.id, TOTAL);
  expect(await world.follow(orderPayUrl(world, cash))).toContain(cash.checkoutToken);

  await world.settings({ gatewayName: "Mobile money" });
  await world.pay(await visitOrder(world, waiting));
  // Time for Shopify's bucket to fill again.
  await world.pass(MINUTE);
  expect(financialStatus(waiting)).toBe("PAID");
}, 60_000);

test("an unpaid order is left as it is, and may be paid a day later", async () => {
  const world = await openOrderWorld();
  const order = await place(world);
  await visitOrder(world, order);
  await world.pass(24 * HOUR, HOUR);
  expect(order.cancelledAt).toBeNull();
  const late = await visitOrder(world, order);
  const open = (await world.ledger.siblings(late.ref)).find(({ state }) => state === "open") ?? late;
  await world.pay(open);
  await world.until(() => financialStatus(order) === "PAID");
  expect(world.shop.record.of("order-paid")).toHaveLength(1);
}, 120_000);
