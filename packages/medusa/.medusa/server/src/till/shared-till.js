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

// src/till/shared-till.ts
var shared_till_exports = {};
__export(shared_till_exports, {
  agreeOnOptions: () => agreeOnOptions,
  closeSharedTill: () => closeSharedTill,
  sharedTill: () => sharedTill
});
module.exports = __toCommonJS(shared_till_exports);
var import_node_crypto = require("node:crypto");
var import_core = require("@tillkit/core");
var import_options = require("../options/options.js");
var PLACE = /* @__PURE__ */ Symbol.for("@tillkit/medusa/till");
function agreeOnOptions(entry, given) {
  const { database: _medusas, ...written } = given;
  const options = (0, import_options.readOptions)(written);
  const print = (0, import_node_crypto.createHash)("sha256").update(JSON.stringify(options)).digest("hex");
  const shared = placeOf();
  if (shared.value && shared.value.print !== print) {
    const message = "The plugin @tillkit/medusa and its payment provider have different options: give both the same object in medusa-config.";
    throw new import_core.CheckoutError("configuration_invalid", message);
  }
  shared.value ??= { options, print, entries: /* @__PURE__ */ new Set(), till: null };
  shared.value.entries.add(entry);
}
async function sharedTill(open) {
  const { value: shared } = placeOf();
  if (!shared?.entries.has("plugin")) {
    const message = 'Add { resolve: "@tillkit/medusa", options } to plugins in medusa-config, beside the provider.';
    throw new import_core.CheckoutError("configuration_invalid", message);
  }
  shared.till ??= open(shared.options).catch((error) => {
    shared.till = null;
    throw error;
  });
  return await shared.till;
}
async function closeSharedTill() {
  const shared = placeOf();
  const till = shared.value?.till;
  shared.value = void 0;
  await (await till?.catch(() => null))?.close();
}
function placeOf() {
  const places = globalThis;
  places[PLACE] ??= {};
  return places[PLACE];
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  agreeOnOptions,
  closeSharedTill,
  sharedTill
});
