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

// src/provider/refusal.ts
var refusal_exports = {};
__export(refusal_exports, {
  asRefusal: () => asRefusal,
  notAllowed: () => notAllowed
});
module.exports = __toCommonJS(refusal_exports);
var import_utils = require("@medusajs/framework/utils");
var import_core = require("@tillkit/core");
function notAllowed(message) {
  return new import_utils.MedusaError(import_utils.MedusaError.Types.NOT_ALLOWED, message);
}
function asRefusal(error) {
  if (error instanceof import_utils.MedusaError) return error;
  const isSentence = error instanceof Error && error.name === "CheckoutError";
  const type = RETRY.has((0, import_core.codeOf)(error)) ? import_utils.MedusaError.Types.UNEXPECTED_STATE : import_utils.MedusaError.Types.NOT_ALLOWED;
  if (isSentence) return new import_utils.MedusaError(type, error.message);
  return new import_utils.MedusaError(
    import_utils.MedusaError.Types.UNEXPECTED_STATE,
    "The payment could not be looked up: try again in a moment."
  );
}
var RETRY = /* @__PURE__ */ new Set(["service_unavailable", "ledger_busy", "refund_in_doubt"]);
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  asRefusal,
  notAllowed
});
