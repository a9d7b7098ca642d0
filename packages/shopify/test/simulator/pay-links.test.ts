import { createServiceClient } from "@tillkit/client";
import { financialStatus, type ShopOrder } from "@tillkit/shopify-simulator";
import { expect, test } from "vitest";
import { type Fixture, openFixture, TOTAL } from "./fixture.ts";

const numberOf = ({ id }: ShopOrder) => id.replace(/.*\//, "");
/** Shopify's random confirmation number, as the simulator makes it. */
const confirmationOf = ({ checkoutToken }: ShopOrder) => checkoutToken.slice(0, 9).toUpperCase();

function linkOf({ url, shop }: Fixture, order: string, confirmation: string): string {
  return `${url}/shopify/order-pay?shop=${shop.domain}&order=${order}&confirmation=${confirmation}`;
}

test("the link of the thank-you page and of the e-mail leads to the payment of the order", async () => {
  const fixture = await openFixture({ mode: "order", realTime: true });
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  const { status, location } = await fixture.open(linkOf(fixture, numberOf(order), confirmationOf(order)));
  expect([status, location]).toEqual([303, expect.stringContaining(`${fixture.url}/pay/`)]);
});

test("a link with another confirmation number never leads to an order, and is answered like an order that does not exist", async () => {
  const fixture = await openFixture({ mode: "order", realTime: true });
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  const other = await fixture.open(linkOf(fixture, numberOf(order), "R6HQQJ6MM"));
  const missing = await fixture.open(linkOf(fixture, "999", "R6HQQJ6MM"));
  expect([other.status, other.location]).toEqual([503, null]);
  expect([missing.status, missing.location]).toEqual([503, null]);
  for (const broken of [linkOf(fixture, numberOf(order), ""), linkOf(fixture, "0", "R6HQQJ6MM")])
    expect((await fixture.open(broken)).status).toBe(404);
});

test("a shopper who comes from the thank-you page before the order exists is led to the order as soon as it exists", async () => {
  const fixture = await openFixture({ mode: "order", realTime: true });
  const orders = fixture.shop.orders;
  const find = orders.find.bind(orders);
  let reads = 0;
  const findLater = (id: string) => {
    reads += 1;
    return reads < 3 ? null : find(id);
  };
  Object.assign(orders, { find: findLater });
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  const { status } = await fixture.open(linkOf(fixture, numberOf(order), confirmationOf(order)));
  expect(status).toBe(303);
});

test("the pay link is removed from an order when it is paid, so that the order's page shows it no more", async () => {
  const fixture = await openFixture({ mode: "order" });
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  await fixture.settle();
  const link = order.metafields.get("$app.pay_url")?.value ?? expect.fail("The order has no pay link.");
  await fixture.open(link);
  const [payment] = await fixture.ledger.paymentsOfOrder({ storeId: fixture.shop.domain, orderId: numberOf(order) });
  await fixture.pay(payment ?? expect.fail("No payment was started."));
  await fixture.until(() => financialStatus(order) === "PAID");
  await fixture.until(() => !order.metafields.has("$app.pay_url"));
  // The link in the e-mail still leads somewhere: to the paid order.
  expect(await fixture.follow(link)).toContain(order.checkoutToken);
});

test("the pay link is removed from a cancelled order", async () => {
  const fixture = await openFixture({ mode: "order" });
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  await fixture.until(() => order.metafields.has("$app.pay_url"));
  fixture.shop.cancelOrder(order.id);
  await fixture.until(() => !order.metafields.has("$app.pay_url"));
});

/** The session as the service shows it. */
async function openedSession(fixture: Fixture, order: ShopOrder): Promise<string> {
  await fixture.settle();
  await fixture.open(order.metafields.get("$app.pay_url")?.value ?? "");
  const ref = { storeId: fixture.shop.domain, orderId: numberOf(order) };
  const [payment] = await fixture.ledger.paymentsOfOrder(ref);
  const { sandbox } = fixture;
  const client = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  return JSON.stringify((await client.checkoutSessions.read(payment?.session?.id ?? "")).raw);
}

test("the items, the name and the e-mail address of the order reach the hosted page, and the ledger stores no name or address", async () => {
  const fixture = await openFixture({ mode: "order" });
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  const session = await openedSession(fixture, order);
  expect(session).toContain("2 × Café Touba, 1 × Bissap");
  for (const text of ["Awa Diop", "awa@shopper.example"]) expect(session).toContain(text);
  const stored = JSON.stringify(
    await fixture.ledger.paymentsOfOrder({ storeId: fixture.shop.domain, orderId: numberOf(order) }),
  );
  expect(stored).toContain('"orderNumber":"1001"');
  expect(stored).not.toMatch(/Awa Diop|awa@/);
});

test("an order is paid without the customer's name where Shopify denies it, and the owner has nothing to mend", async () => {
  const fixture = await openFixture({ mode: "order", shop: { customerData: false } });
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  const session = await openedSession(fixture, order);
  expect(session).toContain("2 × Café Touba");
  expect(session).not.toContain("Awa Diop");
  expect((await fixture.shop.install()).text).not.toContain("refuse à cette application");
});
