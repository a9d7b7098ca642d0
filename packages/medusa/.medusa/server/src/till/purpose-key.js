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

// src/till/purpose-key.ts
var purpose_key_exports = {};
__export(purpose_key_exports, {
  purposeKey: () => purposeKey
});
module.exports = __toCommonJS(purpose_key_exports);
var import_node_crypto = require("node:crypto");
function purposeKey(key, purpose) {
  return (0, import_node_crypto.createHmac)("sha256", key).update(`tillkit key for ${purpose}`).digest("base64url");
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  purposeKey
});
