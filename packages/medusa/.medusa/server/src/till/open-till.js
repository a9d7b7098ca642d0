"use strict";
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// src/till/open-till.ts
var open_till_exports = {};
__export(open_till_exports, {
  openTill: () => openTill
});
module.exports = __toCommonJS(open_till_exports);
var import_client = require("@tillkit/client");
var import_core = require("@tillkit/core");
var import_ledger = require("@tillkit/ledger");
var import_medusa_adapter = require("../adapter/medusa-adapter.js");
var import_create_client = require("./create-client.js");
var import_in_turn = require("./in-turn.js");
var import_purpose_key = require("./purpose-key.js");
var import_return_links = require("./return-links.js");
var import_webhook_secrets = require("./webhook-secrets.js");
var import_wishes = require("./wishes.js");
var import_work_timer = require("./work-timer.js");
var ORPHANS = ["duplicate", "order_gone", "order_not_payable"];
async function openTill(wanted) {
  const { keys, databaseSchema } = wanted.options;
  const schema = databaseSchema === "public" ? void 0 : databaseSchema;
  const ledger = await (0, import_ledger.openLedger)(wanted.databaseUrl, { secretKeys: keys, schema });
  try {
    if (keys.length > 1) await ledger.resealSecrets();
    return await tillOn(ledger, wanted);
  } catch (error) {
    await ledger.close();
    throw error;
  }
}
async function tillOn(ledger, { options, container, log }) {
  const { storeId, keys, apiKey, language, onMismatch, returnUrl, cancelUrl } = options;
  const environment = apiKey.startsWith("svc_sk_live_") ? "live" : "test";
  const { origin: shopUrl } = new URL(returnUrl);
  const store = (0, import_medusa_adapter.createMedusaAdapter)({ container, storeId, environment, language, shopUrl, onMismatch, log });
  const links = (0, import_return_links.createReturnLinks)(keys, import_core.systemClock);
  const wishes = (0, import_wishes.createWishes)();
  const [newest = "", ...older] = keys.map((key) => (0, import_purpose_key.purposeKey)(key, "reference"));
  const engine = (0, import_core.createEngine)({
    ledger,
    tenants: await tenantsOf(options, environment, ledger, log),
    store: async () => store,
    clock: import_core.systemClock,
    random: import_core.systemRandom,
    log,
    referenceKeys: [newest, ...older],
    returnUrls: ({ id, attempt }) => {
      const wish = wishes.of(attempt);
      const token = links.sign(id);
      const success = wish?.returnUrl ?? returnUrl;
      return {
        success: (0, import_return_links.withToken)(success, token),
        cancel: (0, import_return_links.withToken)(wish?.cancelUrl ?? cancelUrl ?? success, token)
      };
    },
    amountUnit: options.amountUnit,
    giveBack: options.onOrphan === "refund" ? ORPHANS : []
  });
  const timer = (0, import_work_timer.createWorkTimer)(async () => touched(await (0, import_core.runDue)(engine)), import_core.systemClock, log);
  const stopHearing = ledger.onWork?.(timer.kick);
  return {
    ...{ options, container, engine, ledger, store, links, wishes, timer, log },
    inTurn: (0, import_in_turn.createInTurn)(),
    async close() {
      stopHearing?.();
      await timer.close();
      await ledger.close();
    }
  };
}
async function tenantsOf(options, environment, ledger, log) {
  const { storeId, apiKey, baseUrl, endpointId, serviceAccount: account } = options;
  const client = (0, import_client.createServiceClient)({ apiKey, baseUrl, account });
  const clocks = { clock: import_core.systemClock, random: import_core.systemRandom };
  const webhookSecrets = await (0, import_webhook_secrets.webhookSecretsOf)({ options, environment, ledger, client, log, ...clocks });
  const id = `${endpointId}-${environment}`;
  const credential = { id, storeIds: [storeId], apiKey, baseUrl, account, endpointId, webhookSecrets };
  return (0, import_core.createTenants)({ credentials: [credential], createClient: (0, import_create_client.createCreateClient)(options, ledger, log) });
}
function touched({ done, retried, dead }) {
  return done + retried + dead;
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  openTill
});
