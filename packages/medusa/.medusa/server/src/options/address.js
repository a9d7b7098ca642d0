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

// src/options/address.ts
var address_exports = {};
__export(address_exports, {
  isAddress: () => isAddress,
  originOf: () => originOf
});
module.exports = __toCommonJS(address_exports);
var import_client = require("@tillkit/client");
function isAddress(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || protocol === "http:" && (0, import_client.isLoopbackUrl)(text);
}
function originOf(address) {
  return new URL(address).origin;
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  isAddress,
  originOf
});
