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

// src/adapter/medusa-adapter.ts
var medusa_adapter_exports = {};
__export(medusa_adapter_exports, {
  createMedusaAdapter: () => createMedusaAdapter
});
module.exports = __toCommonJS(medusa_adapter_exports);
var import_node_crypto = require("node:crypto");
var import_cart = require("../shop/cart.js");
var import_collection = require("../shop/collection.js");
var import_proof = require("../shop/proof.js");
var import_mark_paid = require("./mark-paid.js");
var import_notices = require("./notices.js");
var import_record_refund = require("./record-refund.js");
var import_words = require("./words.js");
function createMedusaAdapter(shop) {
  const { container, storeId, environment, language, shopUrl, log } = shop;
  async function findOrder(ref, attempt) {
    const collection = ref.storeId === storeId ? await (0, import_collection.readCollection)(container, ref.orderId) : null;
    if (!collection) return null;
    const paidBy = (0, import_proof.proofOf)(collection);
    if (paidBy === null && !(0, import_proof.sessionOf)(collection, attempt)) return null;
    const words = await (0, import_cart.readCartWords)(container, collection.cartId, language);
    const payable = paidBy === null && !collection.isCanceled;
    return { ref, attempt, total: (0, import_collection.totalOf)(collection), ...words, environment, payable, paidBy };
  }
  async function holdForReview(ref, attempt, finding) {
    if (shop.onMismatch === "list") return;
    const key = `hold:${ref.orderId}:${attempt}:${digest(JSON.stringify(finding))}`;
    await (0, import_notices.tellOwner)(container, log, {
      key,
      title: (0, import_words.wordsOf)(language).heldTitle,
      text: (0, import_words.sentenceOf)(finding, language)
    });
  }
  return {
    platform: "medusa",
    writes: { kind: "conditional" },
    findOrder,
    markPaid: (receipt) => (0, import_mark_paid.markPaid)(container, storeId, receipt),
    holdForReview,
    recordRefund: (refund) => (0, import_record_refund.recordRefund)(shop, refund),
    note: (ref, key, text) => (0, import_notices.tellOwner)(container, log, { key: `note:${ref.orderId}:${key}`, title: (0, import_words.wordsOf)(language).noteTitle, text }),
    buyerUrl: async () => shopUrl
  };
}
function digest(text) {
  return (0, import_node_crypto.createHash)("sha256").update(text).digest("hex").slice(0, 12);
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  createMedusaAdapter
});
