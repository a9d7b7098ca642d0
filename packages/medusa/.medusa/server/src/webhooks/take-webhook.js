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

// src/webhooks/take-webhook.ts
var take_webhook_exports = {};
__export(take_webhook_exports, {
  takeWebhook: () => takeWebhook
});
module.exports = __toCommonJS(take_webhook_exports);
var import_core = require("@tillkit/core");
var import_read_body = require("./read-body.js");
async function takeWebhook(till, request, endpointId) {
  const signatures = request.headersDistinct["x-service-signature"] ?? [];
  if (signatures.length !== 1) return NOT_SIGNED_ONCE;
  const body = await (0, import_read_body.readBody)(request, till.engine.clock);
  if (body.say === "left") return null;
  if (body.say !== "read") return REFUSED[body.say];
  const [event] = request.headersDistinct["x-service-event"] ?? [];
  const answer = await (0, import_core.receiveWebhook)(till.engine, { endpointId, bytes: body.bytes, signature: signatures, event });
  if (answer.status < 300) setImmediate(till.timer.kick);
  return answer;
}
var NOT_SIGNED_ONCE = {
  status: 401,
  code: "signature_missing",
  message: "A webhook carries exactly one X-Service-Signature header."
};
var REFUSED = {
  "too-large": {
    status: 413,
    code: "body_too_large",
    message: `The body is larger than ${import_core.limits.deliveryBytes / 1024} KB: no event of the service is.`
  },
  "too-slow": { status: 503, code: "body_too_slow", message: "The body did not arrive in time: deliver it again." },
  taken: {
    status: 503,
    code: "body_already_read",
    message: "A body parser read this webhook before its signature could be checked: leave /tillkit/webhooks/ alone."
  }
};
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  takeWebhook
});
