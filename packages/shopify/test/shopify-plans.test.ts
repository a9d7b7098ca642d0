import { type Money, money, type Receipt } from "@tillkit/core";
import { balanceOf, type ShopOrder } from "@tillkit/shopify-simulator";
import { afterEach, expect, test } from "vitest";
import { createShops } from "../src/records/shops.ts";
import { type AppFixture, GATEWAY, openAppFixture, saveSettings } from "./app-fixture.ts";

const fixtures: AppFixture[] = [];
afterEach(async () => {
  await Promise.all(fixtures.splice(0).map((fixture) => fixture.close()));
});

const xof = (minor: number) => money(minor, "XOF");

/** A shop that is not on the Plus plan, with an order that was edited: its pending sale cannot be captured in full. */
async function openEditedOrder() {
  const fixture = await openAppFixture({ mode: "order", shop: { plan: "basic" } });
  fixtures.push(fixture);
  const { id } = fixture.shop.placeOrder({ total: xof(5_000), gateway: GATEWAY, test: true });
  const order = fixture.shop.editOrder(id, xof(7_000));
  return { fixture, order, adapter: await fixture.adapter() };
}

function receiptOf(order: ShopOrder, paid: Money): Receipt {
  return {
    paymentId: "payment-1",
    ref: { storeId: "acme.myshopify.com", orderId: order.id.replace(/.*\//, "") },
    attempt: "",
    sessionId: "cs_1",
    transactionId: "txn_1",
    paid,
    total: order.total,
    environment: "test",
    fence: 1,
  };
}

const originOf = ({ simulator, shop }: AppFixture) => `${simulator.origin}/${shop.domain}`;

const received = (order: ShopOrder) => balanceOf(order).received.minor;

async function isConnected({ shop, ledger }: AppFixture): Promise<boolean> {
  return (await createShops(ledger.records).find(shop.domain))?.reconnectReason === null;
}

test("a payment in a shop outside of the Plus plan marks the order as paid where it equals the outstanding amount", async () => {
  const { fixture, order, adapter } = await openEditedOrder();
  await expect(adapter.markPaid(receiptOf(order, xof(7_000)))).resolves.toMatchObject({ outcome: "recorded" });
  expect(received(order)).toBe(7_000);
  expect(fixture.shop.record.callsOf("orderCreateManualPayment").map(({ outcome }) => outcome)).toEqual([
    "ACCESS_DENIED",
  ]);
  expect(fixture.shop.record.effectsOf("order-paid")).toHaveLength(1);
});

test("a smaller payment that the owner accepted must be recorded by hand outside of the Plus plan, and a tag and a notice say so", async () => {
  const { fixture, order, adapter } = await openEditedOrder();
  await expect(adapter.markPaid(receiptOf(order, xof(6_000)))).rejects.toMatchObject({ code: "owner" });
  expect(received(order)).toBe(0);
  expect(fixture.shop.record.callsOf("orderMarkAsPaid")).toEqual([]);
  expect(order.tags).toContain("tillkit-review");
  const { text } = await fixture.shop.install();
  expect(text).toContain("record this payment on the order by hand");
});

test("a shop in which Shopify denies manual payments stays connected, and neither its log nor its settings page reports the denial", async () => {
  const { fixture, order, adapter } = await openEditedOrder();
  await adapter.markPaid(receiptOf(order, xof(7_000)));
  await expect(adapter.markPaid({ ...receiptOf(order, xof(6_000)), paymentId: "payment-2" })).resolves.toBeDefined();
  expect(await isConnected(fixture)).toBe(true);
  expect(fixture.lines.map(({ message }) => message)).not.toContain("shopify.reconnect_required");
  expect(fixture.lines.map(({ message }) => message)).not.toContain("shopify.access_denied");
  expect((await fixture.shop.install()).text).not.toContain("denies this app");
});

test("a shop stays connected when Shopify denies an order once, which is logged as an error, and the order can be read later", async () => {
  const { fixture, order, adapter } = await openEditedOrder();
  fixture.simulator.faults.add({ on: "order", error: "ACCESS_DENIED" });
  const { ref } = receiptOf(order, xof(7_000));
  await expect(adapter.findOrder(ref, "")).rejects.toMatchObject({ code: "unavailable" });
  expect(await isConnected(fixture)).toBe(true);
  expect(fixture.lines).toContainEqual(expect.objectContaining({ level: "error", message: "shopify.access_denied" }));
  // The shop is connected, so opening the app again installs nothing and shows the settings.
  const page = await fetch(fixture.shop.installUrl(), { headers: { "Accept-Language": "en" } });
  expect(page.url).toContain("/shopify/settings");
  expect(await adapter.findOrder(ref, "")).toMatchObject({ payable: true });
});

test("the pages for shoppers name the shop as its owner named it in Shopify, and lead to its front page", async () => {
  const fixture = await openAppFixture({ mode: "order", shop: { name: "Chez Awa" } });
  fixtures.push(fixture);
  const { shop } = fixture;
  const adapter = await fixture.adapter();
  expect([adapter.name, adapter.branding]).toEqual(["Chez Awa", { homeUrl: originOf(fixture) }]);
  const { id } = shop.placeOrder({ total: xof(5_000), gateway: GATEWAY, test: true });
  const ref = { storeId: shop.domain, orderId: id.replace(/.*\//, "") };
  expect(adapter.adminUrl?.(ref)).toBe(`${originOf(fixture)}/admin/orders/${ref.orderId}`);
  await createShops(fixture.ledger.records).update(shop.domain, { name: "Awa & Filles" });
  expect((await fixture.adapter()).name).toBe("Awa & Filles");
});

test("a shop in offsite mode is named by the first part of its domain on the pages for shoppers", async () => {
  const fixture = await openAppFixture({ shop: { name: "Chez Awa" } });
  fixtures.push(fixture);
  const { name, branding } = await fixture.adapter();
  expect([name, branding]).toEqual(["acme", { homeUrl: expect.stringContaining("acme.myshopify.com") }]);
});

test.each(["order", "offsite"] as const)(
  "the pages for shoppers have the logo and the colour that the owner entered, in %s mode",
  async (mode) => {
    const fixture = await openAppFixture({ mode });
    fixtures.push(fixture);
    const look = { logoUrl: "https://cdn.example/awa.png", color: "#0b6b4f" };
    const gateway = mode === "order" ? { gatewayName: GATEWAY } : {};
    expect((await saveSettings(fixture, { ...gateway, ...look })).status).toBe(303);
    expect((await fixture.adapter()).branding).toMatchObject(look);
    expect((await fixture.shop.install()).text).toContain('value="https://cdn.example/awa.png"');
    await saveSettings(fixture, gateway);
    const adapter = await fixture.adapter();
    if (mode === "order") {
      const { id } = fixture.shop.placeOrder({ total: xof(5_000), gateway: GATEWAY, test: true });
      await adapter.findOrder({ storeId: fixture.shop.domain, orderId: id.replace(/.*\//, "") }, "");
      expect(adapter.branding).toEqual({ homeUrl: originOf(fixture) });
    }
  },
);
