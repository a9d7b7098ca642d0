// @vitest-environment jsdom
import { getExtension } from "@shopify/ui-extensions-tester";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { bundleExtension, emptyPage, pageBody, textsOf } from "./bundle-extension.ts";

const bundle = bundleExtension();
afterAll(() => bundle.remove());
const extension = getExtension("purchase.thank-you.block.render", { configSearchDir: bundle.folder });

type PaymentType = (typeof extension.shopify.selectedPaymentOptions.value)[number]["type"];

beforeEach(() => {
  emptyPage();
  extension.setUp();
  placeOrder("gid://shopify/Order/5000001001", "manualPayment");
});
afterEach(() => extension.tearDown());

/** What Shopify tells the thank-you page after an order with this id and this kind of payment. */
function placeOrder(id: string, type: PaymentType): void {
  const { shopify } = extension;
  shopify.orderConfirmation.value = { order: { id }, isFirstOrder: false, number: "R6HQQJ6MM" };
  shopify.selectedPaymentOptions.value = [{ type, handle: "1" }];
  shopify.shop.myshopifyDomain = "acme.myshopify.com";
  shopify.i18n.translate = textsOf("fr") as typeof shopify.i18n.translate;
}

const PAY_PAGE =
  "https://pay.example.com/shopify/order-pay?shop=acme.myshopify.com&order=5000001001&confirmation=R6HQQJ6MM";
const button = () => pageBody().querySelector("s-button");

test("the thank-you page leads a shopper who chose a manual method to the payment of the order, in their language", async () => {
  await extension.render();
  expect(button()?.getAttribute("href")).toBe(PAY_PAGE);
  expect(button()?.textContent).toBe("Payer maintenant");
  expect(pageBody().textContent).toContain("par mobile money ou par carte");
});

test.each([
  ["the id of an order identity", "gid://shopify/OrderIdentity/5000001001"],
  ["a bare number", "5000001001"],
  ["an id in base64", btoa("gid://shopify/OrderIdentity/5000001001")],
])("the thank-you page understands %s", async (_idDescription, id) => {
  placeOrder(id, "manualPayment");
  await extension.render();
  expect(button()?.getAttribute("href")).toBe(PAY_PAGE);
});

test.each(["creditCard", "paymentOnDelivery", "offsite"] as const)(
  "the thank-you page shows nothing after a payment by %s",
  async (type) => {
    placeOrder("gid://shopify/Order/5000001001", type);
    await extension.render();
    expect(pageBody().textContent).toBe("");
  },
);

test("the thank-you page shows nothing where Shopify names the order in a way that we do not know", async () => {
  placeOrder("https://example.com/5000001001", "manualPayment");
  await extension.render();
  expect(button()).toBeNull();
});
