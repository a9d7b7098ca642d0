import { money, type Payment } from "@tillkit/core";
import { balanceOf, financialStatus, type ShopOrder, type SimulatedShop } from "@tillkit/shopify-simulator";
import { expect, test } from "vitest";
import { type Fixture, type FixtureOptions, HOUR, MINUTE, openFixture, SECOND, TOTAL } from "./fixture.ts";

const openOrderFixture = (options: FixtureOptions = {}) => openFixture({ mode: "order", ...options });

function orderPayUrl({ url, shop }: Fixture, { checkoutToken }: ShopOrder, { domain }: SimulatedShop = shop): string {
  return `${url}/shopify/order-pay?shop=${domain}&checkout_token=${checkoutToken}`;
}

/** The shopper opens the pay link on the order's page. */
async function visitOrder(fixture: Fixture, order: ShopOrder, shop: SimulatedShop = fixture.shop) {
  const { location } = await fixture.open(orderPayUrl(fixture, order, shop));
  if (location === null) return expect.fail("The order has no page to pay on.");
  await fixture.open(location);
  const [payment] = await fixture.ledger.paymentsOfOrder({ storeId: shop.domain, orderId: orderIdOf(order) });
  return payment ?? expect.fail("No session was opened at the service.");
}

function orderIdOf({ id }: ShopOrder): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

async function openPaymentOf({ ledger, shop }: Fixture, order: ShopOrder): Promise<Payment> {
  const payments = await ledger.paymentsOfOrder({ storeId: shop.domain, orderId: orderIdOf(order) });
  return payments.find(({ state }) => state === "open") ?? expect.fail("No payment of the order is open.");
}

async function place(fixture: Fixture, total = TOTAL): Promise<ShopOrder> {
  const order = fixture.shop.placeOrder({ total, test: true });
  await fixture.settle();
  return order;
}

test("an order with our payment method gets a pay link, and its payment is captured once with the exact amount", async () => {
  const fixture = await openOrderFixture();
  const order = await place(fixture);
  expect(order.metafields.get("$app.pay_url")?.value).toContain("/pay/");
  await fixture.pay(await visitOrder(fixture, order));
  await fixture.until(() => financialStatus(order) === "PAID");
  await fixture.advanceTime(10 * MINUTE);
  expect(fixture.shop.record.effectsOf("order-paid")).toMatchObject([{ id: order.id, amount: TOTAL }]);
  expect(fixture.shop.record.callsOf("orderCapture").map(({ outcome }) => outcome)).toEqual(["done"]);
});

test("the pay link of a paid order leads to the order, and the pay link of a cancelled order shows that it is closed", async () => {
  const fixture = await openOrderFixture();
  const paid = await place(fixture);
  const cancelled = await place(fixture);
  await fixture.pay(await visitOrder(fixture, paid));
  await fixture.until(() => financialStatus(paid) === "PAID");
  expect(await fixture.follow(orderPayUrl(fixture, paid))).toContain(paid.checkoutToken);
  fixture.shop.cancelOrder(cancelled.id);
  const { location } = await fixture.open(orderPayUrl(fixture, cancelled));
  expect(await fixture.open(location ?? "")).toMatchObject({
    status: 409,
    text: expect.stringContaining("ne peut plus"),
  });
});

test("an order in the shopper's own currency is paid and captured in that currency", async () => {
  const fixture = await openOrderFixture({ shop: { currency: "XOF", rates: { EUR: 6.5596 } } });
  const order = await place(fixture, money(4_250, "EUR"));
  const payment = await visitOrder(fixture, order);
  expect(payment.amountDue).toEqual(money(4_250, "EUR"));
  await fixture.pay(payment);
  await fixture.until(() => financialStatus(order) === "PAID");
  expect(balanceOf(order).received).toEqual(money(4_250, "EUR"));
});

test.each([
  ["a reset after Shopify recorded it", { reset: true as const, when: "after" as const }],
  ["a 500 after Shopify recorded it", { status: 500 as const, when: "after" as const }],
  ["a reset before Shopify recorded it", { reset: true as const }],
  ["a 503", { status: 503 as const }],
  ["an internal error in an answer of 200", { error: "INTERNAL_SERVER_ERROR" as const }],
])("a payment is recorded once although the capture met %s", async (_fault, fault) => {
  const fixture = await openOrderFixture();
  const order = await place(fixture);
  const payment = await visitOrder(fixture, order);
  fixture.simulator.faults.add({ on: "orderCapture", ...fault });
  await fixture.pay(payment);
  await fixture.advanceTime(10 * MINUTE);
  expect(financialStatus(order)).toBe("PAID");
  expect(fixture.shop.record.effectsOf("order-paid")).toHaveLength(1);
  expect((await fixture.ledger.find({ id: payment.id }))?.state).toBe("recorded");
});

test("a payment is never recorded with another amount on an order that was edited meanwhile", async () => {
  const fixture = await openOrderFixture();
  const order = await place(fixture);
  const payment = await visitOrder(fixture, order);
  fixture.shop.editOrder(order.id, money(20_000, "XOF"));
  await fixture.pay(payment);
  await fixture.advanceTime(10 * MINUTE);
  expect(fixture.shop.record.effectsOf("order-paid")).toEqual([]);
  expect((await fixture.ledger.find({ id: payment.id }))?.state).toBe("review");
  expect(order.tags).toContain("tillkit-review");
});

test("an order that was edited before its payment is paid with its new total", async () => {
  const fixture = await openOrderFixture();
  const order = await place(fixture);
  await visitOrder(fixture, order);
  fixture.shop.editOrder(order.id, money(9_000, "XOF"));
  await fixture.settle();
  await visitOrder(fixture, order);
  const open = await openPaymentOf(fixture, order);
  expect(open.amountDue).toEqual(money(9_000, "XOF"));
  await fixture.pay(open);
  await fixture.advanceTime(5 * MINUTE);
  expect(financialStatus(order)).toBe("PAID");
  expect(balanceOf(order).received).toEqual(money(9_000, "XOF"));
});

test("the payment of an order that was cancelled meanwhile is refunded", async () => {
  const fixture = await openOrderFixture();
  const order = await place(fixture);
  const payment = await visitOrder(fixture, order);
  fixture.shop.cancelOrder(order.id);
  await fixture.pay(payment);
  await fixture.advanceTime(30 * MINUTE);
  expect(fixture.shop.record.effectsOf("order-paid")).toEqual([]);
  expect((await fixture.ledger.find({ id: payment.id }))?.state).toBe("refunded");
});

test("an order that was paid in the shop meanwhile is not paid twice", async () => {
  const fixture = await openOrderFixture();
  const order = await place(fixture);
  const payment = await visitOrder(fixture, order);
  fixture.shop.payOrderOutside(order.id, TOTAL);
  await fixture.pay(payment);
  await fixture.advanceTime(30 * MINUTE);
  expect(fixture.shop.record.effectsOf("order-paid")).toEqual([]);
  expect((await fixture.ledger.find({ id: payment.id }))?.state).toBe("refunded");
});

test("the payment of an order whose webhooks came late and twice is recorded once", async () => {
  const fixture = await openOrderFixture();
  fixture.simulator.webhooks.hold();
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  await fixture.advanceTime(6 * MINUTE, { longestStepMs: MINUTE });
  // The shopper does not wait for the pay link that a scheduled task writes, and pays from the order's page.
  await fixture.pay(await visitOrder(fixture, order));
  await fixture.until(() => financialStatus(order) === "PAID");
  await fixture.simulator.webhooks.release();
  for (const delivery of fixture.simulator.webhooks.deliveries) await fixture.simulator.webhooks.resend(delivery);
  await fixture.settle();
  expect(fixture.shop.record.effectsOf("order-paid")).toHaveLength(1);
});

test("a refund in the shop's admin is paid once, however often its webhook comes", async () => {
  const fixture = await openOrderFixture();
  const order = await place(fixture);
  const payment = await visitOrder(fixture, order);
  await fixture.pay(payment);
  await fixture.until(() => financialStatus(order) === "PAID");
  fixture.shop.refundOrder(order.id, money(2_500, "XOF"), "one basket was broken");
  await fixture.simulator.webhooks.settled();
  const reported = fixture.simulator.webhooks.deliveries.filter(({ topic }) => topic === "refunds/create");
  expect(reported.length).toBeGreaterThan(0);
  for (const delivery of reported) await fixture.simulator.webhooks.resend(delivery);
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: 30 * SECOND });
  const refunds = await fixture.ledger.refunds(payment.id);
  expect(refunds.map(({ amount, state }) => [amount.minor, state])).toEqual([[2_500, "completed"]]);
});

test("a refund in the shop is paid although the owner wrote the payment method's name in lower case", async () => {
  const fixture = await openOrderFixture();
  await fixture.settings({ gatewayName: " mobile money" });
  const order = await place(fixture);
  const payment = await visitOrder(fixture, order);
  await fixture.pay(payment);
  await fixture.until(() => financialStatus(order) === "PAID");
  fixture.shop.refundOrder(order.id, money(2_500, "XOF"));
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: 30 * SECOND });
  const refunds = await fixture.ledger.refunds(payment.id);
  expect(refunds.map(({ amount, state }) => [amount.minor, state])).toEqual([[2_500, "completed"]]);
});

test("an order that was paid under a former name of the payment method is refunded once and stays paid by its payment", async () => {
  const fixture = await openOrderFixture();
  const order = await place(fixture);
  const payment = await visitOrder(fixture, order);
  await fixture.pay(payment);
  await fixture.until(() => financialStatus(order) === "PAID");
  for (const gatewayName of ["Wave", "Wave & Orange"]) await fixture.settings({ gatewayName });
  fixture.shop.refundOrder(order.id, money(2_500, "XOF"));
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: 30 * SECOND });
  const refunds = await fixture.ledger.refunds(payment.id);
  expect(refunds.map(({ amount, state }) => [amount.minor, state])).toEqual([[2_500, "completed"]]);
  const adapter = await fixture.app.checkout.engine.store(fixture.shop.domain);
  expect(await adapter.findOrder(payment.ref, "")).toMatchObject({ paidBy: payment.id });
});

test("an order with another payment method or of a shop without the app has no pay page", async () => {
  const fixture = await openOrderFixture();
  const cashOrder = fixture.shop.placeOrder({ total: TOTAL, test: true, gateway: "Cash on Delivery (COD)" });
  await fixture.settle();
  expect(cashOrder.metafields.size).toBe(0);
  const token = cashOrder.checkoutToken;
  const redirectFor = async (shop: string) =>
    (await fixture.open(`${fixture.url}/shopify/order-pay?shop=${shop}&checkout_token=${token}`)).location;
  expect(await redirectFor(fixture.shop.domain)).toBeNull();
  expect(await redirectFor("nobody.myshopify.com")).toBeNull();
});

test("a paused shop starts no payment, completes started payments, and can be resumed", async () => {
  const fixture = await openOrderFixture();
  const started = await place(fixture);
  const unstarted = await place(fixture);
  const paidInCash = await place(fixture);
  const payment = await visitOrder(fixture, started);
  await fixture.settings({ gatewayName: "Mobile money", paused: "yes" });
  await fixture.pay(payment);
  await fixture.until(() => financialStatus(started) === "PAID");

  const link = unstarted.metafields.get("$app.pay_url")?.value ?? "";
  const pausedPage = await fixture.open(link);
  expect(pausedPage).toMatchObject({ status: 500, location: null });
  expect(pausedPage.text).toContain("momentanément fermé");
  expect(await fixture.ledger.paymentsOfOrder({ storeId: fixture.shop.domain, orderId: orderIdOf(unstarted) })).toEqual(
    [],
  );

  fixture.shop.payOrderOutside(paidInCash.id, TOTAL);
  expect(await fixture.follow(orderPayUrl(fixture, paidInCash))).toContain(paidInCash.checkoutToken);

  await fixture.settings({ gatewayName: "Mobile money" });
  await fixture.pay(await visitOrder(fixture, unstarted));
  // In this time Shopify's rate limit allows calls again.
  await fixture.advanceTime(MINUTE);
  expect(financialStatus(unstarted)).toBe("PAID");
});

test("an unpaid order is not changed and can be paid a day later", async () => {
  const fixture = await openOrderFixture();
  const order = await place(fixture);
  await visitOrder(fixture, order);
  await fixture.advanceTime(24 * HOUR, { longestStepMs: HOUR });
  expect(order.cancelledAt).toBeNull();
  await visitOrder(fixture, order);
  await fixture.pay(await openPaymentOf(fixture, order));
  await fixture.until(() => financialStatus(order) === "PAID");
  expect(fixture.shop.record.effectsOf("order-paid")).toHaveLength(1);
});
