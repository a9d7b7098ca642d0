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

// src/shop/collection.ts
var collection_exports = {};
__export(collection_exports, {
  collectionIdOf: () => collectionIdOf,
  readCollection: () => readCollection,
  rows: () => rows,
  totalOf: () => totalOf
});
module.exports = __toCommonJS(collection_exports);
var import_core = require("@tillkit/core");
var import_zod = require("zod");
var import_amounts = require("./amounts.js");
var import_medusa_container = require("./medusa-container.js");
var collectionSchema = import_zod.z.object({
  id: import_zod.z.string(),
  currency_code: import_zod.z.string(),
  amount: import_zod.z.unknown(),
  raw_amount: import_zod.z.unknown().optional(),
  status: import_zod.z.string(),
  payment_sessions: import_zod.z.array(
    import_zod.z.object({
      id: import_zod.z.string(),
      provider_id: import_zod.z.string(),
      amount: import_zod.z.unknown(),
      raw_amount: import_zod.z.unknown().optional()
    })
  ).nullish(),
  payments: import_zod.z.array(
    import_zod.z.object({
      id: import_zod.z.string(),
      provider_id: import_zod.z.string(),
      captured_at: import_zod.z.unknown().optional(),
      canceled_at: import_zod.z.unknown().optional(),
      data: import_zod.z.record(import_zod.z.string(), import_zod.z.unknown()).nullish()
    })
  ).nullish()
});
var FIELDS = [
  "id",
  "currency_code",
  "amount",
  "raw_amount",
  "status",
  "payment_sessions.id",
  "payment_sessions.provider_id",
  "payment_sessions.amount",
  "payment_sessions.raw_amount",
  "payments.id",
  "payments.provider_id",
  "payments.captured_at",
  "payments.canceled_at",
  "payments.data"
];
async function readCollection(container, id) {
  if (id === "") return null;
  const query = (0, import_medusa_container.queryOf)(container);
  const [collections, cartId, ownOrderId] = await Promise.all([
    rows(query, "payment_collection", FIELDS, { id }),
    field(query, "cart_payment_collection", "cart_id", { payment_collection_id: id }),
    field(query, "order_payment_collection", "order_id", { payment_collection_id: id })
  ]);
  const read = collectionSchema.safeParse(collections[0]);
  if (!read.success || read.data.id !== id) return null;
  const cartOrderId = cartId === null ? null : await field(query, "order_cart", "order_id", { cart_id: cartId });
  return collectionOf(read.data, cartId, cartOrderId ?? ownOrderId);
}
async function collectionIdOf(container, sessionId) {
  if (sessionId === "") return null;
  return await field((0, import_medusa_container.queryOf)(container), "payment_session", "payment_collection_id", { id: sessionId });
}
function totalOf({ amount, currencyCode }) {
  return (0, import_amounts.moneyOf)(amount, currencyCode);
}
async function rows(query, entity, fields, filters) {
  try {
    return (await query.graph({ entity, fields, filters })).data;
  } catch (cause) {
    throw new import_core.StoreError("unavailable", `Medusa could not read its table "${entity}".`, { cause });
  }
}
async function field(query, entity, name, filters) {
  const [row] = await rows(query, entity, [name], filters);
  const read = import_zod.z.record(import_zod.z.string(), import_zod.z.unknown()).safeParse(row);
  const value = read.success ? read.data[name] : null;
  return typeof value === "string" ? value : null;
}
function collectionOf(row, cartId, orderId) {
  return {
    id: row.id,
    currencyCode: row.currency_code,
    amount: row.raw_amount ?? row.amount,
    isCanceled: row.status === "canceled",
    sessions: (row.payment_sessions ?? []).map((session) => ({
      id: session.id,
      providerId: session.provider_id,
      amount: session.raw_amount ?? session.amount
    })),
    payments: (row.payments ?? []).map((payment) => ({
      id: payment.id,
      providerId: payment.provider_id,
      isCaptured: isSet(payment.captured_at),
      isCanceled: isSet(payment.canceled_at),
      data: payment.data ?? {}
    })),
    cartId,
    orderId
  };
}
function isSet(time) {
  return time !== null && time !== void 0;
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  collectionIdOf,
  readCollection,
  rows,
  totalOf
});
