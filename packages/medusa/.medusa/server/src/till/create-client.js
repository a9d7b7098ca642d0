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

// src/till/create-client.ts
var create_client_exports = {};
__export(create_client_exports, {
  createCreateClient: () => createCreateClient
});
module.exports = __toCommonJS(create_client_exports);
var import_client = require("@tillkit/client");
var import_core = require("@tillkit/core");
function createCreateClient({ serviceVersion }, ledger, log) {
  const hooks = {
    response({ operation, status, requestId, tries, code }) {
      if (code !== void 0)
        log.warn("service.call_failed", { operation, code, status: status ?? null, requestId, tries });
    }
  };
  return function createClient({ apiKey, baseUrl, account, id: credentialId, environment }) {
    const budget = (0, import_client.isLoopbackUrl)(baseUrl) ? void 0 : (0, import_core.createSharedBudget)({ ledger, credentialId, environment, clock: import_core.systemClock });
    return (0, import_client.createServiceClient)({ apiKey, baseUrl, account, hooks, budget, version: serviceVersion });
  };
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  createCreateClient
});
