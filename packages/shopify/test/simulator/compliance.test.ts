import { expect, test } from "vitest";
import { type Fixture, HOUR, MINUTE, openFixture, TOTAL } from "./fixture.ts";

async function placePaidOrder(fixture: Fixture) {
  const order = fixture.shop.placeOrder({ total: TOTAL, test: true });
  await fixture.settle();
  const { location } = await fixture.open(
    `${fixture.url}/shopify/order-pay?shop=${fixture.shop.domain}&checkout_token=${order.checkoutToken}`,
  );
  await fixture.open(location ?? "");
  const ref = { storeId: fixture.shop.domain, orderId: order.id.slice(order.id.lastIndexOf("/") + 1) };
  const [payment] = await fixture.ledger.paymentsOfOrder(ref);
  await fixture.pay(payment ?? expect.fail("The ledger has no payment of the order."));
  await fixture.until(() => fixture.shop.record.effectsOf("order-paid").length === 1);
  await fixture.until(async () => (await fixture.ledger.paymentsOfOrder(ref))[0]?.state === "recorded");
  return { order, ref };
}

test("a customer's erasure request removes the data of their orders from the ledger", async () => {
  const fixture = await openFixture({ mode: "order" });
  const { order, ref } = await placePaidOrder(fixture);
  const before = JSON.stringify(await fixture.ledger.paymentsOfOrder(ref));
  expect(before).toContain(order.name);
  const [delivery] = fixture.shop.sendWebhook(
    "customers/redact",
    fixture.shop.compliancePayload("awa@shopper.example", [order.id]),
  );
  await fixture.simulator.webhooks.settled();
  expect(delivery?.statuses).toEqual([200]);
  // Payments that are not final are erased later, within the 30 days that Shopify allows.
  await fixture.advanceTime(5 * 24 * HOUR, { longestStepMs: 6 * HOUR });
  expect(JSON.stringify(await fixture.ledger.paymentsOfOrder(ref))).not.toContain(order.name);
});

test("a customer's data request gives the owner the file with what is stored about the customer's orders", async () => {
  const fixture = await openFixture({ mode: "order" });
  const { order, ref } = await placePaidOrder(fixture);
  const body = fixture.shop.compliancePayload("awa@shopper.example", [order.id]);
  const [delivery] = fixture.shop.sendWebhook("customers/data_request", body);
  await fixture.settle();
  expect(delivery?.statuses).toEqual([200]);
  const { text, cookies } = await fixture.shop.install();
  expect(text).toContain("Un client demande l’accès à ses données.");
  const [, link = ""] = /href="([^"]+customer-data[^"]+)"/.exec(text) ?? [];
  const file = await fetch(`${fixture.url}${link}`, { headers: { Cookie: cookies } });
  expect(file.headers.get("content-disposition")).toContain("attachment");
  const content = await file.json();
  expect(content).toMatchObject({
    shop: fixture.shop.domain,
    orders: [{ order: ref.orderId, payments: [{ state: "recorded", amountReceived: "12500 XOF", refunds: [] }] }],
  });
  const emailOrSecret = /awa@|svc_sk|whsec/;
  expect(JSON.stringify(content)).not.toMatch(emailOrSecret);
  // Without the owner's cookie the file is refused, and the owner of another shop gets nothing of this shop.
  expect((await fetch(`${fixture.url}${link}`)).status).toBe(403);
  const otherOwner = await fixture.simulator.openShop("other").install();
  const fileOfOtherOwner = await fetch(`${fixture.url}${link}`, { headers: { Cookie: otherOwner.cookies } });
  expect(await fileOfOtherOwner.json()).toMatchObject({ orders: [{ payments: [] }] });
});

test("a shop and all its data are removed 48 hours after its uninstall", async () => {
  const fixture = await openFixture({ mode: "order" });
  const { ref } = await placePaidOrder(fixture);
  fixture.shop.uninstall();
  await fixture.settle();
  await fixture.advanceTime(48 * HOUR, { longestStepMs: HOUR });
  fixture.shop.sendWebhook("shop/redact", { shop_id: 954_889, shop_domain: fixture.shop.domain });
  await fixture.settle();
  await fixture.advanceTime(13 * HOUR, { longestStepMs: HOUR });
  const left = JSON.stringify(await fixture.ledger.paymentsOfOrder(ref));
  expect(left).not.toContain("#1001");
  expect(await fixture.ledger.records.list({ kind: "shopify-shop", limit: 10 })).toEqual([]);
});

test.each(["customers/data_request", "customers/redact", "shop/redact", "app/uninstalled", "orders/create"])(
  "a webhook %s without Shopify's signature is answered with 401",
  async (topic) => {
    const fixture = await openFixture({ mode: "order" });
    const send = (hmac: string | null) =>
      fetch(`${fixture.url}/shopify/webhooks`, {
        method: "POST",
        body: JSON.stringify(fixture.shop.compliancePayload("awa@shopper.example", [])),
        headers: {
          "X-Shopify-Topic": topic,
          "X-Shopify-Shop-Domain": fixture.shop.domain,
          "X-Shopify-Webhook-Id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
          ...(hmac === null ? {} : { "X-Shopify-Hmac-Sha256": hmac }),
        },
      });
    const wrongHmac = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    expect((await send(null)).status).toBe(401);
    expect((await send(wrongHmac)).status).toBe(401);
    await fixture.settle();
    expect(fixture.shop.installedWith()).not.toBeNull();
  },
);

test("a shop that uninstalled the app starts no payment, and a payment in progress is completed", async () => {
  const fixture = await openFixture();
  const { session } = await fixture.shop.startPayment({ total: TOTAL });
  const payment = await fixture.visit(session);
  fixture.shop.uninstall();
  await fixture.settle();
  expect((await fixture.shop.startPayment({ total: TOTAL })).answer.status).toBe(403);
  await fixture.pay(payment);
  await fixture.advanceTime(5 * MINUTE);
  expect((await fixture.payment(session)).state).toBe("verified");
  await fixture.shop.install();
  expect((await fixture.shop.startPayment({ total: TOTAL })).answer.status).toBe(200);
});

test("an uninstall webhook that arrives after a new installation changes nothing", async () => {
  const fixture = await openFixture();
  fixture.simulator.webhooks.hold();
  fixture.shop.uninstall();
  await fixture.clock.advance(HOUR);
  await fixture.shop.install();
  await fixture.simulator.webhooks.release();
  await fixture.settle();
  const { session, answer } = await fixture.shop.startPayment({ total: TOTAL });
  expect(answer.status).toBe(200);
  await fixture.pay(await fixture.visit(session));
  await fixture.until(() => fixture.shop.record.effectsOf("resolved").length === 1);
});
