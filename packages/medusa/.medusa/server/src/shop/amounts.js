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

// src/shop/amounts.ts
var amounts_exports = {};
__export(amounts_exports, {
  moneyOf: () => moneyOf
});
module.exports = __toCommonJS(amounts_exports);
var import_core = require("@tillkit/core");
function moneyOf(amount, currencyCode) {
  const currency = currencyCode.toUpperCase();
  const decimals = (0, import_core.decimalsOf)(currency);
  const match = /^(\d{1,15})(?:\.(\d{1,40}))?$/.exec(decimalOf(amount));
  if (!match) throw new import_core.CheckoutError("amount_invalid", `Medusa's amount is no exact amount of ${currency}.`);
  const [, whole = "", fraction = ""] = match;
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  const isUp = (fraction[decimals] ?? "0") >= "5";
  return (0, import_core.money)(Number(isUp ? kept + 1n : kept), currency);
}
function decimalOf(amount) {
  if (typeof amount === "number" || typeof amount === "string") return String(amount);
  if (typeof amount !== "object" || amount === null) return "";
  if ("raw" in amount && amount.raw !== void 0) return decimalOf(amount.raw);
  if ("value" in amount) return decimalOf(amount.value);
  return "numeric" in amount ? decimalOf(amount.numeric) : "";
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  moneyOf
});
