import { type AddressUse, createServiceClient } from "@tillkit/client";
import { createMemoryLedger, type StoreAdapter } from "@tillkit/core";
import type { CheckoutServerOptions } from "@tillkit/server";
import { readShopifyConfig } from "@tillkit/shopify";
import { readWooCommerceConfig } from "@tillkit/woocommerce";
import type { CommandLine } from "../../packages/cli/src/command-line/command.ts";
import { checkAddress } from "../../packages/cli/src/commands/doctor/check-server.ts";
import { parseServer } from "../../packages/cli/src/commands/doctor/server.ts";
import { resolveServiceUrl } from "../../packages/cli/src/options/service-option.ts";
import { readOptions as readMedusaOptions } from "../../packages/medusa/src/options/options.ts";
import { validateOptions } from "../../packages/server/src/options/validate-options.ts";
import { readOptions as readVendureOptions } from "../../packages/vendure/src/options/options.ts";

/** A setting that is an address. `read` throws for an address that the setting refuses. */
export type Place = {
  readonly name: string;
  /** The words with which the refusal names the setting. */
  readonly option: string;
  readonly use: Exclude<AddressUse, "link">;
  read(address: string): unknown;
};

const SECRET = "a secret of the tests, long enough for all";
const API_KEY = "svc_sk_test_0123456789abcdef";
const GOOD = "https://good.example/x";
const credential = { apiKey: API_KEY, endpointId: "shop", webhookSecrets: ["whsec_1"] };

const host = { publicUrl: GOOD, database: "sqlite::memory:", keys: [SECRET], service: { baseUrl: GOOD } };
const wooStore = { id: "shop", url: GOOD, linkSecret: SECRET, currencies: ["XOF"] };
const woo = (change: object, store: object = {}) =>
  readWooCommerceConfig(
    {
      ...host,
      stores: [{ ...wooStore, apiKey: API_KEY, webhookSecrets: ["whsec_1"], ...store }],
      ...change,
    },
    {},
  );

const app = { mode: "order", clientId: "0123456789abcdef", clientSecret: "shpss_0123456789abcdef" };
const shopify = (change: object) => readShopifyConfig({ ...host, secretKeys: [SECRET], app, ...change }, {});

const serverOptions: CheckoutServerOptions = {
  publicUrl: GOOD,
  keys: [SECRET],
  ledger: createMemoryLedger(),
  stores: { shop: {} as StoreAdapter },
  credentials: [{ ...credential, storeIds: ["shop"], baseUrl: GOOD }],
};
const server = (change: object) => validateOptions({ ...serverOptions, ...change });

const medusaOptions = { apiKey: API_KEY, webhookSecrets: ["whsec_1"], keys: [SECRET], returnUrl: GOOD };
const medusa = (change: object) => readMedusaOptions({ ...medusaOptions, baseUrl: GOOD, ...change });

const vendureShop = { ...credential, storefrontUrl: `${GOOD}/{code}` };
const vendure = (change: object, shop: object = {}) =>
  readVendureOptions({
    publicUrl: GOOD,
    keys: [SECRET],
    baseUrl: GOOD,
    shops: [{ ...vendureShop, ...shop }],
    ...change,
  });

const commandLine = (values: Readonly<Record<string, string>>): CommandLine => ({
  positionals: [],
  values: new Map(Object.entries(values)),
  flags: new Set(),
  lists: new Map(),
});

// The doctor examines a server over plain http too, and reports that it is not encrypted.
async function examineServer(server: string): Promise<void> {
  const { status, message } = await checkAddress(await parseServer(commandLine({ server })));
  if (status !== "ok") throw new Error(message);
}

const alerts = (url: string) => ({ alerts: { language: "en", webhook: { url, secret: SECRET } } });
const place = (name: string, option: string, use: Place["use"], read: Place["read"]): Place => ({
  name,
  option,
  use,
  read,
});

/** Every setting of every program that is an address. */
export const places: readonly Place[] = [
  place("client", "baseUrl", "base", (baseUrl) => createServiceClient({ apiKey: API_KEY, baseUrl })),
  place("server", "publicUrl", "base", (publicUrl) => server({ publicUrl })),
  place("server", "credentials[0].baseUrl", "base", (baseUrl) =>
    server({ credentials: [{ ...credential, storeIds: ["shop"], baseUrl }] }),
  ),
  place("server", "alerts.webhook.url", "page", (url) => server(alerts(url))),
  place("woocommerce", "publicUrl", "base", (publicUrl) => woo({ publicUrl })),
  place("woocommerce", "service.baseUrl", "base", (baseUrl) => woo({ service: { baseUrl } })),
  place("woocommerce", "alerts.webhook.url", "page", (url) => woo(alerts(url))),
  place("woocommerce", "stores[0].url", "base", (url) => woo({}, { url })),
  place("woocommerce", "stores[0].branding.logoUrl", "picture", (logoUrl) => woo({}, { branding: { logoUrl } })),
  place("shopify", "publicUrl", "base", (publicUrl) => shopify({ publicUrl })),
  place("shopify", "service.baseUrl", "base", (baseUrl) => shopify({ service: { baseUrl } })),
  place("medusa", "baseUrl", "base", (baseUrl) => medusa({ baseUrl })),
  place("medusa", "registerWebhookAt", "base", (registerWebhookAt) => medusa({ registerWebhookAt })),
  place("medusa", "returnUrl", "page", (returnUrl) => medusa({ returnUrl })),
  place("medusa", "cancelUrl", "page", (cancelUrl) => medusa({ cancelUrl })),
  place("medusa", "allowedReturnOrigins[0]", "base", (origin) => medusa({ allowedReturnOrigins: [origin] })),
  place("medusa", "dashboardUrl", "page", (url) =>
    medusa({ dashboardUrl: url === "" ? "" : url.replace(/\/x/, "/x/{transaction}") }),
  ),
  place("medusa", "adminUrl", "base", (adminUrl) => medusa({ adminUrl })),
  place("vendure", "publicUrl", "base", (publicUrl) => vendure({ publicUrl })),
  place("vendure", "baseUrl", "base", (baseUrl) => vendure({ baseUrl })),
  place("vendure", "shops[0].storefrontUrl", "page", (url) =>
    vendure({}, { storefrontUrl: url === "" ? "" : url.replace(/\/x/, "/x/{code}") }),
  ),
  place("vendure", "dashboardUrl", "base", (dashboardUrl) => vendure({ dashboardUrl })),
  place("cli", "--service", "base", (service) => resolveServiceUrl(commandLine({ service }))),
  place("cli", "--server", "base", examineServer),
];
