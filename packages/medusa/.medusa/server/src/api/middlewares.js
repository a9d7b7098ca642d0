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

// src/api/middlewares.ts
var middlewares_exports = {};
__export(middlewares_exports, {
  default: () => middlewares_default
});
module.exports = __toCommonJS(middlewares_exports);
var import_http = require("@medusajs/framework/http");
var middlewares_default = (0, import_http.defineMiddlewares)({
  routes: [{ matcher: "/tillkit/webhooks/:endpointId", methods: ["POST"], bodyParser: false }]
});
