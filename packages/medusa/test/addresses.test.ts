import { GOOD, settingsFollowAddressRule } from "../../../test/addresses/address-rule.ts";
import { readOptions } from "../src/options/options.ts";

const options = {
  apiKey: "svc_sk_test_0123456789abcdef",
  service: { baseUrl: GOOD },
  webhookSecrets: ["whsec_1"],
  keys: ["a secret of the tests, long enough for all"],
  returnUrl: GOOD,
};
const read = (change: object) => readOptions({ ...options, ...change });

settingsFollowAddressRule([
  ["service.baseUrl", "base", (baseUrl) => read({ service: { baseUrl } })],
  ["registerWebhookAt", "base", (registerWebhookAt) => read({ registerWebhookAt })],
  ["returnUrl", "page", (returnUrl) => read({ returnUrl: returnUrl.replace("/x", "/{country}") })],
  ["cancelUrl", "page", (cancelUrl) => read({ cancelUrl })],
  ["allowedReturnOrigins[0]", "base", (origin) => read({ allowedReturnOrigins: [origin] })],
  ["dashboardUrl", "page", (url) => read({ dashboardUrl: url.replace("/x", "/{transaction}") })],
  ["adminUrl", "base", (adminUrl) => read({ adminUrl })],
]);
