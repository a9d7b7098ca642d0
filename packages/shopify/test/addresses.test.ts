import { GOOD, settingsFollowAddressRule } from "../../../test/addresses/address-rule.ts";
import { readShopifyConfig } from "../src/config/config.ts";

const SECRET = "a secret of the tests, long enough for all";
const config = {
  publicUrl: GOOD,
  database: "sqlite::memory:",
  keys: [SECRET],
  secretKeys: [SECRET],
  service: { baseUrl: GOOD },
  app: { mode: "order", clientId: "0123456789abcdef", clientSecret: "shpss_0123456789abcdef" },
};

settingsFollowAddressRule([
  ["publicUrl", "base", (publicUrl) => readShopifyConfig({ ...config, publicUrl }, {})],
  ["service.baseUrl", "base", (baseUrl) => readShopifyConfig({ ...config, service: { baseUrl } }, {})],
]);
