import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";
import "@shopify/ui-extensions/preact";
import { render } from "preact";
import { APP_URL } from "./app-url.ts";

declare const shopify: Api;

export default function extension(): void {
  render(<PayLink />, document.body);
}

/** The button on the order's page. It is shown while the order has a pay link, which the app removes when the order is paid. */
function PayLink() {
  const entry = shopify.appMetafields.value.find(
    ({ target, metafield }) => target.type === "order" && metafield.key === "pay_url",
  );
  const url = String(entry?.metafield.value ?? "");
  const isCancelled = shopify.order.value?.cancelledAt !== undefined;
  if (isCancelled || !url.startsWith(`${APP_URL}/`)) return null;
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
