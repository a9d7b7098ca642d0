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

// src/till/return-links.ts
var return_links_exports = {};
__export(return_links_exports, {
  createReturnLinks: () => createReturnLinks,
  withToken: () => withToken
});
module.exports = __toCommonJS(return_links_exports);
var import_node_crypto = require("node:crypto");
var import_limits = require("../limits.js");
var import_purpose_key = require("./purpose-key.js");
var TOKEN = /^([A-Za-z0-9_-]{1,400})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/;
function createReturnLinks(keys, clock) {
  const all = keys.map((key) => (0, import_purpose_key.purposeKey)(key, "return"));
  const [newest = ""] = all;
  return {
    sign(paymentId) {
      const id = Buffer.from(paymentId).toString("base64url");
      const end = String(Math.floor((clock.now() + import_limits.pluginLimits.returnLinkMs) / 1e3));
      return `${id}.${end}.${signature(newest, id, end)}`;
    },
    read(token) {
      const [, id, end, found] = TOKEN.exec(token) ?? [];
      if (id === void 0 || end === void 0 || found === void 0) return null;
      const isOurs = all.some((key) => sameText(signature(key, id, end), found));
      return isOurs && Number(end) * 1e3 > clock.now() ? Buffer.from(id, "base64url").toString() : null;
    }
  };
}
function withToken(address, token) {
  if (address.includes("{token}")) return address.replaceAll("{token}", token);
  const url = new URL(address);
  url.searchParams.set("tillkit", token);
  return url.href;
}
function signature(key, id, end) {
  return (0, import_node_crypto.createHmac)("sha256", key).update(`return.${id}.${end}`).digest("base64url");
}
function sameText(left, right) {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && (0, import_node_crypto.timingSafeEqual)(one, other);
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  createReturnLinks,
  withToken
});
