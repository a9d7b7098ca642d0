import { GOOD, settingsFollowAddressRule } from "../../../test/addresses/address-rule.ts";
import { readOptions } from "../src/options/options.ts";

const store = {
  apiKey: "svc_sk_test_0123456789abcdef",
  endpointId: "shop",
  webhookSecrets: ["whsec_1"],
  returnUrl: `${GOOD}/{code}`,
};
const options = {
  publicUrl: GOOD,
  keys: ["a secret of the tests, long enough for all"],
  service: { baseUrl: GOOD },
  stores: [store],
};
const read = (change: object) => readOptions({ ...options, ...change });

settingsFollowAddressRule([
  ["publicUrl", "base", (publicUrl) => read({ publicUrl })],
  ["service.baseUrl", "base", (baseUrl) => read({ service: { baseUrl } })],
  ["adminUrl", "base", (adminUrl) => read({ adminUrl })],
  [
    "stores[0].returnUrl",
    "page",
    (returnUrl) => read({ stores: [{ ...store, returnUrl: returnUrl.replace("/x", "/{code}") }] }),
  ],
]);
