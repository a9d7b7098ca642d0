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

// src/till/wishes.ts
var wishes_exports = {};
__export(wishes_exports, {
  createWishes: () => createWishes
});
module.exports = __toCommonJS(wishes_exports);
function createWishes() {
  const wishes = /* @__PURE__ */ new Map();
  return {
    of: (attempt) => wishes.get(attempt),
    async during(attempt, wish, work) {
      wishes.set(attempt, wish);
      try {
        return await work();
      } finally {
        wishes.delete(attempt);
      }
    }
  };
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  createWishes
});
