// Written by extensions/embed.ts from the files in extensions/tillkit-pay-link: change those, and run it again.

/** The extension for the thank-you page and the order's page, file by file. */
export const EXTENSION_FILES = {
  "locales/en.default.json": `{
  "name": "Pay link",
  "heading": "Your order is waiting for your payment",
  "text": "Pay on our secure page, with mobile money or by card.",
  "pay": "Pay now"
}
`,
  "locales/fr.json": `{
  "name": "Lien de paiement",
  "heading": "Votre commande attend votre paiement",
  "text": "Payez sur notre page sécurisée, par mobile money ou par carte.",
  "pay": "Payer maintenant"
}
`,
  "package.json": `{
  "name": "tillkit-pay-link",
  "version": "0.0.0",
  "private": true,
  "license": "MIT",
  "dependencies": {
    "@preact/signals": "2.11.4",
    "@shopify/ui-extensions": "2026.7.0",
    "preact": "10.29.8"
  }
}
`,
  "shopify.extension.toml": `api_version = "2026-07"

[[extensions]]
type = "ui_extension"
name = "t:name"
handle = "tillkit-pay-link"

  [[extensions.targeting]]
  target = "purchase.thank-you.block.render"
  module = "./src/thank-you.tsx"

  [[extensions.targeting]]
  target = "customer-account.order-status.block.render"
  module = "./src/order-status.tsx"

  # The app writes the pay link of an order that waits for its payment here, and removes it when the order is paid.
  [[extensions.metafields]]
  namespace = "$app"
  key = "pay_url"
`,
  "src/app-url.ts": `/** The public address of the app server. \`tillkit shopify init\` writes it. */
export const APP_URL = "https://pay.example.com";
`,
  "src/order-status.tsx": `import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";
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
  if (isCancelled || !url.startsWith(\`\${APP_URL}/\`)) return null;
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
`,
  "src/pay-url.ts": `/** What the thank-you page knows about the order, which may not exist in the shop yet. */
export type PlacedOrder = {
  /** \`acme.myshopify.com\` */
  readonly shop: string;
  readonly orderId: string;
  /** The random number that the shopper sees. It proves to the app server that the link belongs to the order. */
  readonly confirmationNumber: string | undefined;
};

/** The page of the app server on which the shopper pays the order. Null where the page does not know enough. */
export function payUrl(appUrl: string, { shop, orderId, confirmationNumber }: PlacedOrder): string | null {
  const order = orderNumber(orderId);
  if (order === null || !confirmationNumber) return null;
  return \`\${appUrl}/shopify/order-pay?\${new URLSearchParams({ shop, order, confirmation: confirmationNumber })}\`;
}

/**
 * The number at the end of an order's id. The types promise \`gid://shopify/Order/1\`; shops also answer
 * \`gid://shopify/OrderIdentity/1\`, the bare number, or one of them in base64. The number is the same in all of them.
 */
function orderNumber(id: string): string | null {
  const pattern = /^(?:gid:\\/\\/shopify\\/\\w+\\/)?(\\d{1,20})$/;
  const plain = pattern.exec(id)?.[1];
  if (plain !== undefined) return plain;
  try {
    return pattern.exec(atob(id))?.[1] ?? null;
  } catch {
    return null;
  }
}
`,
  "src/thank-you.tsx": `import "@shopify/ui-extensions/preact";
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
`,
  "tsconfig.json": `{
  "compilerOptions": {
    "target": "ES2022",
    "lib": ["ES2022", "DOM"],
    "module": "ESNext",
    "moduleResolution": "Bundler",
    "jsx": "react-jsx",
    "jsxImportSource": "preact",
    "allowImportingTsExtensions": true,
    "resolveJsonModule": true,
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "skipLibCheck": true,
    "types": [],
    "noEmit": true
  },
  "include": ["src"]
}
`,
} as const;
