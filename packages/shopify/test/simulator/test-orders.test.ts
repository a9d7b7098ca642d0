import { money } from "@tillkit/core";
import { financialStatus, type ShopOrder } from "@tillkit/shopify-simulator";
import { expect, test } from "vitest";
import { type Fixture, type FixtureOptions, MINUTE, openFixture } from "./fixture.ts";

const TOTAL = money(12_500, "XOF");
const TEST_METHOD = "Test, do not use";

const openOrderFixture = (options: FixtureOptions = {}) => openFixture({ mode: "order", ...options });

/** Shopify marks no order with a manual method as a test. */
async function place({ shop, settle }: Fixture, gateway: string): Promise<ShopOrder> {
  const order = shop.placeOrder({ total: TOTAL, gateway, test: false });
  await settle();
  return order;
}

async function openPayLink({ open }: Fixture, order: ShopOrder) {
  return await open(order.metafields.get("$app.pay_url")?.value ?? expect.fail("The order has no pay link."));
}

async function paymentOf({ ledger, shop }: Fixture, order: ShopOrder) {
  const [payment] = await ledger.paymentsOfOrder({ storeId: shop.domain, orderId: order.id.replace(/.*\//, "") });
  return payment ?? expect.fail("No payment was started.");
}

test("an order of a development store is paid with the test key, although Shopify does not mark it as a test", async () => {
  const fixture = await openOrderFixture({ shop: { plan: "development" } });
  const order = await place(fixture, "Mobile money");
  expect((await openPayLink(fixture, order)).location).toContain(new URL(fixture.sandbox.baseUrl).hostname);
  const payment = await paymentOf(fixture, order);
  expect(payment.environment).toBe("test");
  await fixture.pay(payment);
  await fixture.until(() => financialStatus(order) === "PAID");
});

test("an order with the payment method for tests is paid with the test key in a shop that sells", async () => {
  const fixture = await openOrderFixture();
  await fixture.settings({ gatewayName: "Mobile money", testGatewayName: TEST_METHOD });
  const trial = await place(fixture, ` ${TEST_METHOD.toUpperCase()}`);
  const sale = await place(fixture, "Mobile money");
  await openPayLink(fixture, trial);
  await fixture.pay(await paymentOf(fixture, trial));
  await fixture.until(() => financialStatus(trial) === "PAID");
  // The sale has no live key yet. The test key never pays it.
  const closed = await openPayLink(fixture, sale);
  expect(closed).toMatchObject({ location: null, text: expect.stringContaining("momentanément fermé") });
  expect(financialStatus(sale)).toBe("PENDING");
});

test("a refund of a test order is paid once, under the name that its method had", async () => {
  const fixture = await openOrderFixture();
  await fixture.settings({ gatewayName: "Mobile money", testGatewayName: TEST_METHOD });
  const order = await place(fixture, TEST_METHOD);
  await openPayLink(fixture, order);
  const payment = await paymentOf(fixture, order);
  await fixture.pay(payment);
  await fixture.until(() => financialStatus(order) === "PAID");
  await fixture.settings({ gatewayName: "Mobile money", testGatewayName: "Another trial" });
  fixture.shop.refundOrder(order.id, money(2_500, "XOF"));
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: MINUTE });
  const refunds = await fixture.ledger.refunds(payment.id);
  expect(refunds.map(({ amount, state }) => [amount.minor, state])).toEqual([[2_500, "completed"]]);
});

test("an open order of a test method whose name now sells is never paid with test money", async () => {
  const fixture = await openOrderFixture();
  await fixture.settings({ gatewayName: "Cash", testGatewayName: "Mobile money" });
  const order = await place(fixture, "Mobile money");
  await openPayLink(fixture, order);
  const payment = await paymentOf(fixture, order);
  expect(payment.environment).toBe("test");
  await fixture.settings({ gatewayName: "Mobile money", testGatewayName: TEST_METHOD });
  await fixture.pay(payment);
  await fixture.advanceTime(10 * MINUTE, { longestStepMs: MINUTE });
  expect(financialStatus(order)).toBe("PENDING");
  expect((await fixture.ledger.find({ id: payment.id }))?.state).toBe("review");
});

test("the settings page says which orders can be paid now and which of them are tests", async () => {
  const fixture = await openOrderFixture();
  const page = async () => (await fixture.shop.install()).text.replaceAll("\u00a0", " ");
  expect(await page()).toContain("le nom d’un moyen de paiement pour les essais");
  await fixture.settings({ gatewayName: "Mobile money", testGatewayName: TEST_METHOD });
  const text = await page();
  expect(text).toContain("Les commandes avec « Mobile money » ne peuvent pas encore être payées");
  expect(text).toContain(`Les commandes avec « ${TEST_METHOD} » sont des essais et ne coûtent rien.`);
});

test("one payment method cannot be used both for sales and for tests", async () => {
  const fixture = await openOrderFixture();
  const answer = await fixture.settings({ gatewayName: "Mobile money", testGatewayName: " mobile MONEY", do: "save" });
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain("doit porter un autre nom");
});
