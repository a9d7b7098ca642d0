import type { ShopifyConfig } from "../config/config-schema.ts";
import { PATHS } from "../config/paths.ts";
import { scopesOf } from "../config/scopes.ts";
import { COMPLIANCE_TOPICS, subscribedTopics } from "../config/webhook-topics.ts";

/** The content of `shopify.app.toml`. */
export function appToml({ app, publicUrl }: ShopifyConfig, scopes = scopesOf(app.mode)): string {
  return `client_id = ${text(app.clientId)}
name = ${text(app.name)}
application_url = ${text(`${publicUrl}${PATHS.app}`)}
embedded = ${app.embedded}

[access_scopes]
scopes = ${text(scopes.join(","))}

[auth]
redirect_urls = [${text(`${publicUrl}${PATHS.callback}`)}]

[webhooks]
api_version = ${text(app.apiVersion)}

  [[webhooks.subscriptions]]
  topics = ${list(subscribedTopics(app.mode))}
  uri = ${text(`${publicUrl}${PATHS.webhooks}`)}

  [[webhooks.subscriptions]]
  compliance_topics = ${list(COMPLIANCE_TOPICS)}
  uri = ${text(`${publicUrl}${PATHS.webhooks}`)}
${app.mode === "order" ? PAY_URL_DEFINITION : ""}`;
}

// Shopify creates this definition when the file is deployed. Without `customer_account` the order's page cannot read the pay link.
const PAY_URL_DEFINITION = `
[order.metafields.app.pay_url]
type = "url"
name = "Pay link"
access.admin = "merchant_read"
access.customer_account = "read"
`;

/** The content of `shopify.extension.toml`. Its API version decides what Shopify posts and must be the server's version. */
export function extensionToml({ app, publicUrl }: ShopifyConfig): string {
  return `api_version = ${text(app.apiVersion)}

[[extensions]]
name = ${text(app.name)}
type = "payments_extension"
handle = "tillkit-payments"
payment_session_url = ${text(`${publicUrl}${PATHS.payment}`)}
refund_session_url = ${text(`${publicUrl}${PATHS.refund}`)}
capture_session_url = ${text(`${publicUrl}${PATHS.capture}`)}
void_session_url = ${text(`${publicUrl}${PATHS.void}`)}
merchant_label = ${text(app.name)}
buyer_label = ${text(app.name)}
supported_countries = ${list(app.countries)}
supported_payment_methods = ${list(app.paymentMethods)}
test_mode_available = true
supports_3ds = false
supports_deferred_payments = false
supports_installments = false
multiple_capture = false

  [[extensions.targeting]]
  target = "payments.offsite.render"
`;
}

function list(texts: readonly string[]): string {
  return `[${texts.map(text).join(", ")}]`;
}

/** A basic string of TOML, which has the same escapes as JSON. */
function text(value: string): string {
  return JSON.stringify(value);
}
