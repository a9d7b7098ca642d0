import type { StoreAdapter } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { GOOD, settingsFollowAddressRule } from "../../../test/addresses/address-rule.ts";
import { validateOptions } from "../src/options/validate-options.ts";

const SECRET = "a secret of the tests, long enough for all";
const credential = {
  apiKey: "svc_sk_test_0123456789abcdef",
  endpointId: "shop",
  webhookSecrets: ["whsec_1"],
  storeIds: ["shop"],
  baseUrl: GOOD,
};
const options = {
  publicUrl: GOOD,
  keys: [SECRET],
  ledger: createMemoryLedger(),
  stores: { shop: {} as StoreAdapter },
  credentials: [credential],
};

settingsFollowAddressRule([
  ["publicUrl", "base", (publicUrl) => validateOptions({ ...options, publicUrl })],
  [
    "credentials[0].baseUrl",
    "base",
    (baseUrl) => validateOptions({ ...options, credentials: [{ ...credential, baseUrl }] }),
  ],
  [
    "alerts.webhook.url",
    "page",
    (url) => validateOptions({ ...options, alerts: { language: "en", webhook: { url, secret: SECRET } } }),
  ],
]);
