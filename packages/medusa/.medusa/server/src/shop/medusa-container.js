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

// src/shop/medusa-container.ts
var medusa_container_exports = {};
__export(medusa_container_exports, {
  notificationsOf: () => notificationsOf,
  queryOf: () => queryOf,
  workflowsOf: () => workflowsOf
});
module.exports = __toCommonJS(medusa_container_exports);
var NAMES = {
  query: "query",
  workflows: "workflows",
  payment: "payment",
  notification: "notification"
};
function queryOf(container) {
  return container.resolve(NAMES.query);
}
function workflowsOf(container) {
  return container.resolve(NAMES.workflows);
}
function notificationsOf(container) {
  return container.resolve(NAMES.notification);
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  notificationsOf,
  queryOf,
  workflowsOf
});
