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

// src/limits.ts
var limits_exports = {};
__export(limits_exports, {
  pluginLimits: () => pluginLimits
});
module.exports = __toCommonJS(limits_exports);
var SECOND = 1e3;
var DAY = 24 * 3600 * SECOND;
var pluginLimits = {
  /** How long a link back to the shop works: well beyond a session's life and the time of grace. */
  returnLinkMs: 30 * DAY,
  /** The same refund asked for again this soon is a second click, not a second wish. */
  secondClickMs: 5 * SECOND,
  /** A round of work begins this often … */
  roundMs: SECOND,
  /** … and another beside it when one takes longer than this: a slow service must not hold up everything. */
  overtakeMs: 2 * SECOND,
  roundsAtOnce: 4,
  /** How long a shutdown waits for work under way. */
  closeMs: 10 * SECOND,
  /** How long one process waits for another that is registering the webhook, and how often it looks. */
  registerWaitMs: 30 * SECOND,
  registerLookMs: 500,
  /** The body of a webhook has to arrive in this time. */
  bodyMs: 10 * SECOND,
  /** How long a refund that the service is working on is watched before Medusa is answered. */
  refundWatchMs: 4 * SECOND,
  refundWatchEveryMs: 500,
  titleItems: 3,
  /** Rows on one page of the admin. */
  pageRows: 20
};
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  pluginLimits
});
