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

// src/provider/standing.ts
var standing_exports = {};
__export(standing_exports, {
  authorize: () => authorize
});
module.exports = __toCommonJS(standing_exports);
var import_core = require("@tillkit/core");
var import_payment_data = require("./payment-data.js");
var import_refusal = require("./refusal.js");
async function authorize(till, payment) {
  const verdict = await look(till, payment);
  const now = await till.ledger.find({ id: payment.id }) ?? payment;
  return { status: statusOf(verdict), data: (0, import_payment_data.dataOf)(now) };
}
function statusOf(verdict) {
  switch (verdict?.say) {
    case "paid":
    case "settled":
      return "captured";
    case "refunded":
      return "canceled";
    case "duplicate":
      throw (0, import_refusal.notAllowed)("This cart was paid by another payment already.");
    case "mismatch":
      throw (0, import_refusal.notAllowed)("This payment does not fit the cart, and the shop is looking at it: please do not pay again.");
    default:
      return "requires_more";
  }
}
async function look(till, payment) {
  try {
    return await (0, import_core.verifyPayment)(till.engine, payment.id);
  } catch (error) {
    till.log.warn("authorize.not_read", { paymentId: payment.id, code: (0, import_core.codeOf)(error) });
    return null;
  }
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  authorize
});
