import { expect, test } from "vitest";
import { HOUR, MINUTE, openWorld, TOTAL, type World } from "./world.ts";

async function paidOrder(world: World) {
  const order = world.shop.placeOrder({ total: TOTAL, test: true });
  await world.settle();
  const { location } = await world.open(
    `${world.url}/shopify/order-pay?shop=${world.shop.domain}&checkout_token=${order.checkoutToken}`,
  );
  await world.open(location ?? "");
  const ref = { storeId: world.shop.domain, orderId: order.id.slice(order.id.lastIndexOf("/") + 1) };
  const [payment] = await world.ledger.siblings(ref);
  await world.pay(payment ?? expect.fail("Nothing was opened."));
  await world.until(() => world.shop.record.of("order-paid").length === 1);
  await world.until(async () => (await world.ledger.siblings(ref))[0]?.state === "recorded");
  return { order, ref };
}

test("a customer's wish to be forgotten takes their order's data out of the ledger", async () => {
  const world = await openWorld({ mode: "order" });
  const { order, ref } = await paidOrder(world);
  const before = JSON.stringify(await world.ledger.siblings(ref));
  expect(before).toContain(order.name);
  const [delivery] = world.shop.sendWebhook(
    "customers/redact",
    world.shop.complianceOf("awa@shopper.example", [order.id]),
  );
  await world.simulator.webhooks.settled();
  expect(delivery?.statuses).toEqual([200]);
  // Shopify gives 30 days; what is still being watched is left until that is over.
  await world.pass(5 * 24 * HOUR, 6 * HOUR);
  expect(JSON.stringify(await world.ledger.siblings(ref))).not.toContain(order.name);
}, 60_000);

test("a customer's question what is kept is answered, and noted for the owner", async () => {
  const world = await openWorld({ mode: "order" });
  const { order } = await paidOrder(world);
  const body = world.shop.complianceOf("awa@shopper.example", [order.id]);
  const [delivery] = world.shop.sendWebhook("customers/data_request", body);
  await world.settle();
  expect(delivery?.statuses).toEqual([200]);
  const { text } = await world.shop.install();
  expect(text).toContain("ni nom, ni e-mail, ni téléphone");
});

test("48 hours after it left, a shop and everything about it is gone", async () => {
  const world = await openWorld({ mode: "order" });
  const { ref } = await paidOrder(world);
  world.shop.uninstall();
  await world.settle();
  await world.pass(48 * HOUR, HOUR);
  world.shop.sendWebhook("shop/redact", { shop_id: 954_889, shop_domain: world.shop.domain });
  await world.settle();
  await world.pass(13 * HOUR, HOUR);
  const left = JSON.stringify(await world.ledger.siblings(ref));
  expect(left).not.toContain("#1001");
  expect(await world.ledger.records.list({ kind: "shopify-shop", limit: 10 })).toEqual([]);
}, 60_000);

test.each(["customers/data_request", "customers/redact", "shop/redact", "app/uninstalled", "orders/create"])(
  "%s that Shopify did not sign is refused with 401",
  async (topic) => {
    const world = await openWorld({ mode: "order" });
    const send = (hmac: string) =>
      fetch(`${world.url}/shopify/webhooks`, {
        method: "POST",
        body: JSON.stringify(world.shop.complianceOf("awa@shopper.example", [])),
        headers: {
          "X-Shopify-Topic": topic,
          "X-Shopify-Shop-Domain": world.shop.domain,
          "X-Shopify-Webhook-Id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
          ...(hmac === "" ? {} : { "X-Shopify-Hmac-Sha256": hmac }),
        },
      });
    expect((await send("")).status).toBe(401);
    expect((await send("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")).status).toBe(401);
    await world.settle();
    expect(world.shop.installedWith()).not.toBeNull();
  },
);

test("a shop that took the app away gets no more payments; money under way still counts", async () => {
  const world = await openWorld();
  const { session } = await world.shop.startPayment({ total: TOTAL });
  const payment = await world.visit(session);
  world.shop.uninstall();
  await world.settle();
  expect((await world.shop.startPayment({ total: TOTAL })).answer.status).toBe(403);
  await world.pay(payment);
  await world.pass(5 * MINUTE);
  expect((await world.payment(session)).state).toBe("verified");
  await world.shop.install();
  expect((await world.shop.startPayment({ total: TOTAL })).answer.status).toBe(200);
}, 60_000);

test("an uninstall that is told after the app was installed again changes nothing", async () => {
  const world = await openWorld();
  world.simulator.webhooks.hold();
  world.shop.uninstall();
  await world.clock.advance(HOUR);
  await world.shop.install();
  await world.simulator.webhooks.release();
  await world.settle();
  const { session, answer } = await world.shop.startPayment({ total: TOTAL });
  expect(answer.status).toBe(200);
  await world.pay(await world.visit(session));
  await world.until(() => world.shop.record.of("resolved").length === 1);
}, 60_000);
