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

// src/adapter/mark-paid.ts
var mark_paid_exports = {};
__export(mark_paid_exports, {
  markPaid: () => markPaid
});
module.exports = __toCommonJS(mark_paid_exports);
var import_core = require("@tillkit/core");
var import_collection = require("../shop/collection.js");
var import_medusa_container = require("../shop/medusa-container.js");
var import_proof = require("../shop/proof.js");
var PROCESS_PAYMENT = "process-payment-workflow";
async function markPaid(container, storeId, receipt) {
  const { ref, attempt, paymentId } = receipt;
  const before = ref.storeId === storeId ? await (0, import_collection.readCollection)(container, ref.orderId) : null;
  if (!before) return gone(ref.orderId);
  const refusal = shown(before, paymentId, "already") ?? refusalOf(before, receipt);
  if (refusal) return refusal;
  const trouble = await processPayment(container, attempt, (0, import_proof.sessionOf)(before, attempt)?.amount);
  const after = await (0, import_collection.readCollection)(container, ref.orderId);
  if (!after) return gone(ref.orderId);
  const answer = shown(after, paymentId, "recorded") ?? refusalOf(after, receipt);
  if (answer) return answer;
  throw new import_core.StoreError("unavailable", `Medusa did not complete the cart (${trouble ?? "no order was made"}).`);
}
function refusalOf(collection, { attempt, total }) {
  if (collection.isCanceled) return notPayable("was canceled");
  if (!(0, import_proof.sessionOf)(collection, attempt)) return notPayable("was changed after this payment was begun");
  if (!(0, import_core.sameMoney)((0, import_collection.totalOf)(collection), total)) return notPayable("has another total now");
  return null;
}
function shown(collection, paymentId, own) {
  const proof = (0, import_proof.proofOf)(collection);
  if (proof === null) return null;
  if (proof === paymentId) return { outcome: own, evidence: "read-back" };
  return { outcome: "other-payment", detail: `${collection.orderId ?? collection.id} shows the payment ${proof}.` };
}
async function processPayment(container, sessionId, amount) {
  try {
    const input = { action: "captured", data: { session_id: sessionId, amount } };
    await (0, import_medusa_container.workflowsOf)(container).run(PROCESS_PAYMENT, { input });
    return null;
  } catch (error) {
    return error instanceof Error && "type" in error ? String(error.type) : (0, import_core.codeOf)(error);
  }
}
function gone(id) {
  return { outcome: "gone", detail: `Medusa has no payment collection ${id}.` };
}
function notPayable(what) {
  return { outcome: "not-payable", detail: `The cart ${what}.` };
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  markPaid
});
