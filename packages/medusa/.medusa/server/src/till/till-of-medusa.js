"use strict";
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
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
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// src/till/till-of-medusa.ts
var till_of_medusa_exports = {};
__export(till_of_medusa_exports, {
  tillOfMedusa: () => tillOfMedusa
});
module.exports = __toCommonJS(till_of_medusa_exports);
var import_core = require("@tillkit/core");
var import_medusa_log = require("./medusa-log.js");
var import_open_till = require("./open-till.js");
var import_shared_till = require("./shared-till.js");
function tillOfMedusa() {
  return (0, import_shared_till.sharedTill)(openInMedusa);
}
async function openInMedusa(options) {
  const { container } = await import("@medusajs/framework");
  const log = (0, import_medusa_log.createMedusaLog)(() => container.resolve("logger"));
  const databaseUrl = options.databaseUrl ?? medusasDatabase(container);
  return await (0, import_open_till.openTill)({ options, container, databaseUrl, log });
}
function medusasDatabase(container) {
  const { projectConfig } = container.resolve("configModule");
  if (projectConfig.databaseUrl) return projectConfig.databaseUrl;
  const message = "Medusa's config names no databaseUrl: set projectConfig.databaseUrl, or Tillkit's databaseUrl.";
  throw new import_core.CheckoutError("configuration_invalid", message);
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  tillOfMedusa
});
