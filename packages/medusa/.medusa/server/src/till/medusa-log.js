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

// src/till/medusa-log.ts
var medusa_log_exports = {};
__export(medusa_log_exports, {
  createMedusaLog: () => createMedusaLog
});
module.exports = __toCommonJS(medusa_log_exports);
function createMedusaLog(logger) {
  const line = (message, fields = {}) => `tillkit ${message} ${JSON.stringify(fields)}`;
  return {
    info: (message, fields) => logger().info(line(message, fields)),
    warn: (message, fields) => logger().warn(line(message, fields)),
    error: (message, fields) => logger().error(line(message, fields))
  };
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  createMedusaLog
});
