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

// src/shop/cart.ts
var cart_exports = {};
__export(cart_exports, {
  readCartWords: () => readCartWords
});
module.exports = __toCommonJS(cart_exports);
var import_zod = require("zod");
var import_limits = require("../limits.js");
var import_collection = require("./collection.js");
var import_medusa_container = require("./medusa-container.js");
var schema = import_zod.z.object({
  locale: import_zod.z.string().nullish(),
  items: import_zod.z.array(import_zod.z.object({ title: import_zod.z.string().nullish(), quantity: import_zod.z.unknown() }).nullish()).nullish()
});
async function readCartWords(container, cartId, language) {
  if (cartId === null) return { title: UNTITLED[language], language };
  const fields = ["id", "locale", "items.title", "items.quantity"];
  const [row] = await (0, import_collection.rows)((0, import_medusa_container.queryOf)(container), "cart", fields, { id: cartId });
  const read = schema.safeParse(row);
  if (!read.success) return { title: UNTITLED[language], language };
  const spoken = languageOf(read.data.locale) ?? language;
  return { title: titleOf(read.data.items ?? []) || UNTITLED[spoken], language: spoken };
}
var UNTITLED = { fr: "Votre commande", en: "Your order" };
function languageOf(locale) {
  const spoken = locale?.slice(0, 2).toLowerCase();
  return spoken === "fr" || spoken === "en" ? spoken : null;
}
function titleOf(items) {
  const named = items.flatMap((item) => item?.title ? [{ title: item.title, quantity: Number(item.quantity) }] : []);
  const told = named.slice(0, import_limits.pluginLimits.titleItems).map(({ title, quantity }) => quantity > 1 ? `${quantity} \xD7 ${title}` : title);
  return [...told, ...named.length > told.length ? ["\u2026"] : []].join(", ");
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  readCartWords
});
