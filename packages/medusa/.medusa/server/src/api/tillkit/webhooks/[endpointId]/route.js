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

// src/api/tillkit/webhooks/[endpointId]/route.ts
var route_exports = {};
__export(route_exports, {
  POST: () => POST
});
module.exports = __toCommonJS(route_exports);
var import_take_webhook = require("../../../../webhooks/take-webhook.js");
async function POST(request, response) {
  const till = await request.scope.resolve("tillkit").till().catch(() => null);
  if (!till) {
    response.status(503).json({ code: "storage_unavailable", message: "Tillkit's tables cannot be reached." });
    return;
  }
  const answer = await (0, import_take_webhook.takeWebhook)(till, request, request.params.endpointId ?? "");
  if (!answer) return;
  const { status, code, message } = answer;
  response.status(status).set("Cache-Control", "no-store").json({ code, message });
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  POST
});
