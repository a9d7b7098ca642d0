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

// src/modules/tillkit/index.ts
var tillkit_exports = {};
__export(tillkit_exports, {
  TillkitModule: () => TillkitModule,
  default: () => tillkit_default
});
module.exports = __toCommonJS(tillkit_exports);
var import_utils = require("@medusajs/framework/utils");
var import_shared_till = require("../../till/shared-till.js");
var import_till_of_medusa = require("../../till/till-of-medusa.js");
var TillkitModule = class {
  __hooks = {
    onApplicationStart: async () => (await (0, import_till_of_medusa.tillOfMedusa)()).timer.start(),
    onApplicationPrepareShutdown: import_shared_till.closeSharedTill
  };
  till() {
    return (0, import_till_of_medusa.tillOfMedusa)();
  }
};
async function openAtBoot({ options = {} }) {
  (0, import_shared_till.agreeOnOptions)("plugin", options);
  await (0, import_till_of_medusa.tillOfMedusa)();
}
var tillkit_default = (0, import_utils.Module)("tillkit", { service: TillkitModule, loaders: [openAtBoot] });
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  TillkitModule
});
