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

// src/providers/tillkit/index.ts
var tillkit_exports = {};
__export(tillkit_exports, {
  TillkitPaymentProvider: () => TillkitPaymentProvider,
  default: () => tillkit_default
});
module.exports = __toCommonJS(tillkit_exports);
var import_utils = require("@medusajs/framework/utils");
var import_cancel = require("../../provider/cancel.js");
var import_initiate = require("../../provider/initiate.js");
var import_payment_data = require("../../provider/payment-data.js");
var import_refund = require("../../provider/refund.js");
var import_refusal = require("../../provider/refusal.js");
var import_standing = require("../../provider/standing.js");
var import_stock_webhook = require("../../provider/stock-webhook.js");
var import_proof = require("../../shop/proof.js");
var import_shared_till = require("../../till/shared-till.js");
var import_till_of_medusa = require("../../till/till-of-medusa.js");
var TillkitPaymentProvider = class extends import_utils.AbstractPaymentProvider {
  static identifier = import_proof.IDENTIFIER;
  static validateOptions(options) {
    (0, import_shared_till.agreeOnOptions)("provider", options);
  }
  constructor(cradle, options) {
    super(cradle, options);
  }
  initiatePayment(input) {
    return withTill((till) => (0, import_initiate.initiate)(till, input));
  }
  updatePayment(input) {
    return withTill(async (till) => {
      const { data = {}, status } = await (0, import_initiate.initiate)(till, input);
      return { data, ...status === void 0 ? {} : { status } };
    });
  }
  authorizePayment(input) {
    return withPayment(input, (till, payment) => {
      if (input.context?.idempotency_key === payment.attempt) return (0, import_standing.authorize)(till, payment);
      throw (0, import_refusal.notAllowed)("This session holds the data of another payment: begin the payment again.");
    });
  }
  getPaymentStatus(input) {
    return withPayment(input, (till, payment) => (0, import_standing.authorize)(till, payment));
  }
  retrievePayment(input) {
    return withPayment(input, async (till, payment) => ({ data: (await (0, import_standing.authorize)(till, payment)).data ?? {} }));
  }
  capturePayment(input) {
    return withPayment(input, async (till, payment) => {
      const { status, data = {} } = await (0, import_standing.authorize)(till, payment);
      if (status === "captured") return { data };
      throw (0, import_refusal.notAllowed)("The service does not show this payment as completed: nothing can be captured.");
    });
  }
  refundPayment(input) {
    return withPayment(input, (till, payment) => (0, import_refund.refund)(till, payment, input));
  }
  cancelPayment(input) {
    return withPayment(input, async (till, payment) => {
      await (0, import_cancel.cancel)(till, payment);
      return { data: (0, import_payment_data.dataOf)(payment) };
    });
  }
  /** The hosted page of a deleted session can still be paid, so its payment stays watched: nothing is done, nothing forgotten. */
  async deletePayment(input) {
    return { data: input.data ?? {} };
  }
  getWebhookActionAndData(payload) {
    return withTill((till) => (0, import_stock_webhook.stockWebhook)(till, payload));
  }
};
async function withTill(work) {
  try {
    return await work(await (0, import_till_of_medusa.tillOfMedusa)());
  } catch (error) {
    throw (0, import_refusal.asRefusal)(error);
  }
}
function withPayment(input, work) {
  return withTill(async (till) => {
    const payment = await (0, import_payment_data.paymentOf)(till, input.data);
    if (payment) return await work(till, payment);
    throw (0, import_refusal.notAllowed)("This session belongs to no payment of Tillkit: begin the payment again.");
  });
}
var provider = (0, import_utils.ModuleProvider)(import_utils.Modules.PAYMENT, {
  services: [TillkitPaymentProvider]
});
var tillkit_default = provider;
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  TillkitPaymentProvider
});
