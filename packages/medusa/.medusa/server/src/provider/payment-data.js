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

// src/provider/payment-data.ts
var payment_data_exports = {};
__export(payment_data_exports, {
  dataOf: () => dataOf,
  paymentOf: () => paymentOf
});
module.exports = __toCommonJS(payment_data_exports);
var import_core = require("@tillkit/core");
function dataOf({ id, attempt, session, owed, environment }) {
  return {
    v: 1,
    session_id: attempt,
    payment_id: id,
    checkout_session_id: session?.id ?? "",
    checkout_url: session?.url ?? "",
    amount: (0, import_core.decimalText)(owed),
    currency_code: owed.currency.toLowerCase(),
    environment,
    expires_at: new Date(session?.expiresAt ?? 0).toISOString()
  };
}
async function paymentOf(till, data) {
  const { payment_id: id, session_id: attempt } = data ?? {};
  const payment = typeof id === "string" ? await till.ledger.find({ id }) : null;
  const isIts = payment?.ref.storeId === till.options.storeId && payment.attempt === attempt;
  return isIts ? payment : null;
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  dataOf,
  paymentOf
});
