import type { ShopifyConfig } from "../config/config-schema.ts";
import { PATHS } from "../config/paths.ts";
import { EXTENSION_FILES } from "./extension-files.ts";
import { appToml, extensionToml } from "./toml-files.ts";

/** Files by their path in the folder from which Shopify CLI deploys. */
type AppFiles = Readonly<Record<string, string>>;

/**
 * The files of a payments app. Shopify refuses a first deployment with the two restricted scopes: it grants them with its approval,
 * so `first-deploy/shopify.app.toml` has none.
 */
export function offsiteFiles(config: ShopifyConfig): AppFiles {
  return {
    "shopify.app.toml": appToml(config),
    "first-deploy/shopify.app.toml": appToml(config, []),
    "extensions/tillkit-payments/shopify.extension.toml": extensionToml(config),
  };
}

/** The files of an app in order mode: the extension that shows the pay link, and the lines for the order confirmation e-mail. */
export function orderFiles(config: ShopifyConfig): AppFiles {
  const extension = Object.entries(EXTENSION_FILES).map(([name, text]) => [
    `extensions/tillkit-pay-link/${name}`,
    fillIn(name, text, config),
  ]);
  return {
    "shopify.app.toml": appToml(config),
    "package.json": ROOT_MANIFEST,
    ...Object.fromEntries(extension),
    "order-confirmation-email.liquid": emailSnippet(config),
  };
}

/** `npm install` in the folder then installs what the extension needs to be built. */
const ROOT_MANIFEST = `${JSON.stringify({ name: "tillkit-shopify-app", private: true, workspaces: ["extensions/*"] }, null, 2)}\n`;

function fillIn(name: string, text: string, { publicUrl, app }: ShopifyConfig): string {
  if (name === "src/app-url.ts") return text.replace(/"https:[^"]+"/, JSON.stringify(publicUrl));
  return name === "shopify.extension.toml"
    ? text.replace(/^api_version = .+$/m, `api_version = "${app.apiVersion}"`)
    : text;
}

/**
 * Liquid for the owner of the shop. The e-mail may leave before the app has written the order's pay link, so the link is built
 * from what the e-mail knows.
 */
function emailSnippet({ publicUrl, app }: ShopifyConfig): string {
  const link = `${publicUrl}${PATHS.orderPay}?shop={{ shop.permanent_domain }}&order={{ id }}&confirmation={{ confirmation_number }}`;
  return `{% comment %}
Paste these lines into the template of the order confirmation: Settings, Notifications, Customer notifications, Order confirmation.
"${app.name}" must be the name of the manual payment method in your shop.
{% endcomment %}
{% for transaction in transactions %}
  {% if transaction.status == "pending" and transaction.gateway_display_name == ${JSON.stringify(app.name)} %}
    <p><a href="${link}">{% if customer.locale contains "en" %}Pay now{% else %}Payer maintenant{% endif %}</a></p>
    {% break %}
  {% endif %}
{% endfor %}
`;
}
