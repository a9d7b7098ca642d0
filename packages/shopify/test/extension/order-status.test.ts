// @vitest-environment jsdom
import { getExtension } from "@shopify/ui-extensions-tester";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { bundleExtension, emptyPage, pageBody, textsOf } from "./bundle-extension.ts";

const bundle = bundleExtension();
afterAll(() => bundle.remove());
const extension = getExtension("customer-account.order-status.block.render", { configSearchDir: bundle.folder });
const LINK = "https://pay.example.com/pay/abc";

beforeEach(() => {
  emptyPage();
  extension.setUp();
  const { shopify } = extension;
  shopify.i18n.translate = textsOf("en.default") as typeof shopify.i18n.translate;
  shopify.order.value = { id: "gid://shopify/Order/1", name: "#1", cancelledAt: undefined } as never;
  setPayUrl(LINK);
});
afterEach(() => extension.tearDown());

function setPayUrl(value: string, type: "order" | "shop" = "order"): void {
  const metafield = { namespace: "$app", key: "pay_url", value, valueType: "string", type: "url" };
  extension.shopify.appMetafields.value = [
    { target: { type, id: "gid://shopify/Order/1" }, metafield },
  ] as typeof extension.shopify.appMetafields.value;
}

const button = () => pageBody().querySelector("s-button");

test("the order's page leads to the payment while the app's pay link is on the order", async () => {
  await extension.render();
  expect(button()?.getAttribute("href")).toBe(LINK);
  expect(button()?.textContent).toBe("Pay now");
});

test("the order's page shows nothing for a paid order, from which the app has removed the link", async () => {
  extension.shopify.appMetafields.value = [];
  await extension.render();
  expect(pageBody().textContent).toBe("");
});

test("the order's page shows nothing for a cancelled order", async () => {
  extension.shopify.order.value = { id: "gid://shopify/Order/1", name: "#1", cancelledAt: "2026-11-23T09:00:00Z" };
  await extension.render();
  expect(button()).toBeNull();
});

test.each([
  ["another site", "https://pay.example.com.evil.example/pay/abc", "order" as const],
  ["another resource than the order", LINK, "shop" as const],
])("the order's page never links to %s", async (_target, value, type) => {
  setPayUrl(value, type);
  await extension.render();
  expect(button()).toBeNull();
});
