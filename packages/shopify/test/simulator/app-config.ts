import type { Sandbox } from "@tillkit/sandbox";
import type { ShopifyConfigInput } from "@tillkit/shopify";
import type { ShopifySimulator, SimulatedShop } from "@tillkit/shopify-simulator";

const KEY = "a key of the tests, long enough to sign links with";

export function configOf(input: {
  readonly url: string;
  readonly mode: "offsite" | "order";
  readonly simulator: ShopifySimulator;
  readonly sandbox: Sandbox;
  readonly more: Partial<ShopifyConfigInput>;
}): ShopifyConfigInput {
  return {
    publicUrl: input.url,
    database: "sqlite::memory:",
    keys: [KEY],
    secretKeys: ["a secret of the tests that seals what the ledger keeps"],
    service: { baseUrl: input.sandbox.baseUrl },
    clientCertificates: { verifiedBy: "none" },
    currencies: ["XOF", "EUR"],
    app: {
      mode: input.mode,
      registerWebhooks: input.mode === "order",
      ...input.simulator.app,
      shopEndpoint: input.simulator.shopEndpoint,
    },
    ...input.more,
  };
}

export function connectionOf(url: string, mode: "offsite" | "order") {
  const topics = ["app/uninstalled", "customers/data_request", "customers/redact", "shop/redact"];
  return {
    url,
    entry: "/shopify",
    paymentUrl: "/shopify/payment",
    refundUrl: "/shopify/refund",
    captureUrl: "/shopify/capture",
    voidUrl: "/shopify/void",
    webhooks: { url: "/shopify/webhooks", topics },
    ...(mode === "order" ? { orderPayUrl: "/shopify/order-pay?shop={shop}&checkout_token={token}" } : {}),
  };
}

/** The owner opens the app in the shop's admin and submits the settings form. */
export async function saveSettings(shop: SimulatedShop, url: string, form: Readonly<Record<string, string>>) {
  const { cookies, text } = await shop.install();
  const [, token = ""] = /name="form" value="([^"]+)"/.exec(text) ?? [];
  return await fetch(`${url}/shopify/settings`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookies },
    body: new URLSearchParams({ form: token, ...form }),
  });
}
