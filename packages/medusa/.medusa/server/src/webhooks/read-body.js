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

// src/webhooks/read-body.ts
var read_body_exports = {};
__export(read_body_exports, {
  readBody: () => readBody
});
module.exports = __toCommonJS(read_body_exports);
var import_core = require("@tillkit/core");
var import_limits = require("../limits.js");
function readBody(request, clock) {
  if (request.readableDidRead) return Promise.resolve({ say: "taken" });
  if (Number(request.headers["content-length"] ?? 0) > import_core.limits.deliveryBytes) {
    return Promise.resolve({ say: "too-large" });
  }
  return new Promise((resolve) => {
    const chunks = [];
    const finished = new AbortController();
    let size = 0;
    function finish(reading) {
      finished.abort("over");
      request.off("data", take);
      resolve(reading);
    }
    function take(chunk) {
      size += chunk.length;
      if (size > import_core.limits.deliveryBytes) finish({ say: "too-large" });
      else chunks.push(chunk);
    }
    request.on("data", take);
    request.once("end", () => finish({ say: "read", bytes: Buffer.concat(chunks, size) }));
    request.once("close", () => finish({ say: "left" }));
    clock.sleep(import_limits.pluginLimits.bodyMs, finished.signal).then(
      () => finish({ say: "too-slow" }),
      () => void 0
    );
  });
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  readBody
});
