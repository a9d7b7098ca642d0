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

// src/provider/initiate.ts
var initiate_exports = {};
__export(initiate_exports, {
  initiate: () => initiate
});
module.exports = __toCommonJS(initiate_exports);
var import_core = require("@tillkit/core");
var import_address = require("../options/address.js");
var import_amounts = require("../shop/amounts.js");
var import_collection = require("../shop/collection.js");
var import_payment_data = require("./payment-data.js");
var import_refusal = require("./refusal.js");
async function initiate(till, input) {
  const attempt = textOf(input.data?.session_id);
  const wanted = (0, import_amounts.moneyOf)(input.amount, input.currency_code);
  const order = await orderOf(till, attempt);
  if (!(0, import_core.sameMoney)(order.total, wanted)) {
    throw (0, import_refusal.notAllowed)("This cart's total has just changed: load the checkout again.");
  }
  const wish = wishOf(till, input.data ?? {});
  const start = await till.wishes.during(attempt, wish, () => (0, import_core.startCheckout)(till.engine, order));
  if (start.say === "paid") throw (0, import_refusal.notAllowed)("This cart is paid already: its order is being placed.");
  if (start.say === "held") {
    throw (0, import_refusal.notAllowed)("A payment for this cart has arrived and the shop is looking at it: please do not pay again.");
  }
  const payment = await till.ledger.find({ id: start.paymentId });
  if (!payment) throw (0, import_refusal.notAllowed)("The payment could not be begun: load the checkout again.");
  return { id: payment.id, status: "requires_more", data: (0, import_payment_data.dataOf)(payment) };
}
async function orderOf({ container, store, options }, attempt) {
  const orderId = await (0, import_collection.collectionIdOf)(container, attempt);
  const order = orderId === null ? null : await store.findOrder({ storeId: options.storeId, orderId }, attempt);
  if (order) return order;
  throw (0, import_refusal.notAllowed)("This payment session is not known: load the checkout again.");
}
function wishOf({ options }, data) {
  const { allowedReturnOrigins: allowed } = options;
  const page = (name) => {
    const address = textOf(data[name]);
    if (address === "") return void 0;
    if (URL.canParse(address) && allowed.includes((0, import_address.originOf)(address))) return address;
    throw (0, import_refusal.notAllowed)(`"${name}" is not on one of the allowedReturnOrigins of this shop.`);
  };
  return { returnUrl: page("return_url"), cancelUrl: page("cancel_url") };
}
function textOf(value) {
  return typeof value === "string" ? value : "";
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  initiate
});
