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

// src/options/sentence.ts
var sentence_exports = {};
__export(sentence_exports, {
  sentenceOf: () => sentenceOf
});
module.exports = __toCommonJS(sentence_exports);
function sentenceOf(issue) {
  const where = issue.path.map((part) => typeof part === "number" ? `[${part}]` : `.${String(part)}`).join("");
  const name = where.replace(/^\./, "");
  if (issue.code === "unrecognized_keys") {
    return `${issue.keys.join(", ")}: no such option, check its spelling.`;
  }
  if (issue.code === "invalid_type" && issue.message.includes("undefined")) return `${name} is missing.`;
  return `${name} ${issue.message}.`;
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  sentenceOf
});
