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

// src/shop/proof.ts
var proof_exports = {};
__export(proof_exports, {
  IDENTIFIER: () => IDENTIFIER,
  medusaPaymentOf: () => medusaPaymentOf,
  proofOf: () => proofOf,
  sessionOf: () => sessionOf
});
module.exports = __toCommonJS(proof_exports);
var IDENTIFIER = "tillkit";
function proofOf({ payments, cartId, orderId }) {
  if (cartId !== null && orderId === null) return null;
  const standing = payments.filter(({ isCanceled }) => !isCanceled);
  for (const { providerId, isCaptured, data } of standing) {
    if (isCaptured && isOurs(providerId) && typeof data.payment_id === "string") return data.payment_id;
  }
  return standing.some(({ providerId }) => !isOurs(providerId)) ? "outside" : null;
}
function sessionOf({ sessions }, attempt) {
  return sessions.find(({ id, providerId }) => id === attempt && isOurs(providerId)) ?? null;
}
function medusaPaymentOf({ payments }, paymentId) {
  return payments.find(({ providerId, data }) => isOurs(providerId) && data.payment_id === paymentId) ?? null;
}
function isOurs(providerId) {
  return providerId === `pp_${IDENTIFIER}` || providerId.startsWith(`pp_${IDENTIFIER}_`);
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  IDENTIFIER,
  medusaPaymentOf,
  proofOf,
  sessionOf
});
