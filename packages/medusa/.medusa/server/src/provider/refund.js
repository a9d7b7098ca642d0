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

// src/provider/refund.ts
var refund_exports = {};
__export(refund_exports, {
  refund: () => refund
});
module.exports = __toCommonJS(refund_exports);
var import_core = require("@tillkit/core");
var import_amounts = require("../shop/amounts.js");
var import_payment_data = require("./payment-data.js");
var import_refusal = require("./refusal.js");
async function refund(till, payment, input) {
  const amount = (0, import_amounts.moneyOf)(input.amount, payment.owed.currency);
  const key = `medusa:${input.context?.idempotency_key ?? ""}`;
  const { state } = await (0, import_core.refundPayment)(till.engine, { paymentId: payment.id, key, amount, origin: "store" });
  if (state === "failed") throw (0, import_refusal.notAllowed)("The service refused this refund: the money is still here.");
  if (state === "unknown" || state === "asked") throw (0, import_refusal.notAllowed)("The service did not answer.");
  return { data: (0, import_payment_data.dataOf)(payment) };
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  refund
});
