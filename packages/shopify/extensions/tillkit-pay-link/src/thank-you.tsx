import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/purchase.thank-you.block.render";
import { render } from "preact";
import { APP_URL } from "./app-url.ts";
import { payUrl } from "./pay-url.ts";

declare const shopify: Api;

export default function extension(): void {
  render(<PayLink />, document.body);
}

/**
 * The button that leads from the thank-you page to the payment. The page knows that a manual method was chosen and not which one, so
 * the app server checks the method when the shopper follows the link. The app server also waits for an order that is being created.
 */
function PayLink() {
  const { order, number } = shopify.orderConfirmation.value;
  const isManual = shopify.selectedPaymentOptions.value.some(({ type }) => type === "manualPayment");
  const shop = shopify.shop.myshopifyDomain;
  const url = payUrl(APP_URL, { shop, orderId: order.id, confirmationNumber: number });
  if (!isManual || url === null) return null;
  return (
    <s-banner heading={shopify.i18n.translate("heading")} tone="warning">
      <s-stack gap="base">
        <s-text>{shopify.i18n.translate("text")}</s-text>
        <s-button href={url} variant="primary">
          {shopify.i18n.translate("pay")}
        </s-button>
      </s-stack>
    </s-banner>
  );
}
