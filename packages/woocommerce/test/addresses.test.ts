import { GOOD, settingsFollowAddressRule } from "../../../test/addresses/address-rule.ts";
import { readWooCommerceConfig } from "../src/config/read-config.ts";

const SECRET = "a secret of the tests, long enough for all";
const store = {
  id: "shop",
  url: GOOD,
  linkSecret: SECRET,
  currencies: ["XOF"],
  apiKey: "svc_sk_test_0123456789abcdef",
  webhookSecrets: ["whsec_1"],
};
const config = {
  publicUrl: GOOD,
  database: "sqlite::memory:",
  keys: [SECRET],
  service: { baseUrl: GOOD },
  stores: [store],
};
const read = (change: object) => readWooCommerceConfig({ ...config, ...change }, {});

settingsFollowAddressRule([
  ["publicUrl", "base", (publicUrl) => read({ publicUrl })],
  ["service.baseUrl", "base", (baseUrl) => read({ service: { baseUrl } })],
  ["alerts.webhook.url", "page", (url) => read({ alerts: { webhook: { url, secret: SECRET } } })],
  ["stores[0].url", "base", (url) => read({ stores: [{ ...store, url }] })],
  ["stores[0].branding.logoUrl", "picture", (logoUrl) => read({ stores: [{ ...store, branding: { logoUrl } }] })],
]);
