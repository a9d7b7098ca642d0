"use strict";
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name2 in all)
    __defProp(target, name2, { get: all[name2], enumerable: true });
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

// src/options/options.ts
var options_exports = {};
__export(options_exports, {
  readOptions: () => readOptions
});
module.exports = __toCommonJS(options_exports);
var import_core = require("@tillkit/core");
var import_zod = require("zod");
var import_address = require("./address.js");
var import_sentence = require("./sentence.js");
var RANDOM = "at least 32 random characters, for example from `openssl rand -hex 32`";
var ADDRESS = "must be an address that begins with https:// (plain http:// is for this machine only)";
var address = import_zod.z.string().refine(import_address.isAddress, { error: ADDRESS });
var name = import_zod.z.string().regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" });
var schema = import_zod.z.strictObject({
  apiKey: import_zod.z.string().superRefine((key, context) => {
    if (key.startsWith("svc_pk_")) {
      context.addIssue("is a publishable key: set the secret key, svc_sk_test_\u2026 or svc_sk_live_\u2026");
    } else if (!/^svc_sk_(test|live)_\w+$/.test(key)) {
      context.addIssue("must be a secret key of the service, svc_sk_test_\u2026 or svc_sk_live_\u2026");
    }
  }),
  baseUrl: address,
  endpointId: name.default("medusa"),
  webhookSecrets: import_zod.z.array(import_zod.z.string().regex(/^whsec_/, { error: "must be a whsec_\u2026 secret that the service showed" })).default([]),
  registerWebhookAt: address.optional(),
  keys: import_zod.z.array(import_zod.z.string().min(32, { error: `must have ${RANDOM}` })).min(1, { error: `must name at least one secret of ${RANDOM}` }),
  returnUrl: address,
  cancelUrl: address.optional(),
  allowedReturnOrigins: import_zod.z.array(address.transform(import_address.originOf)).default([]),
  onOrphan: import_zod.z.enum(["alert", "refund"], { error: 'must be "alert" or "refund"' }).default("alert"),
  onMismatch: import_zod.z.enum(["notify", "list"], { error: 'must be "notify" or "list"' }).default("notify"),
  language: import_zod.z.enum(["fr", "en"], { error: 'must be "fr" or "en"' }).default("fr"),
  amountUnit: import_zod.z.enum(["minor", "major"], { error: 'must be "minor" or "major"' }).default("minor"),
  serviceAccount: import_zod.z.string().regex(/^acct_\w+$/, { error: "must be a Member Account, acct_\u2026" }).optional(),
  serviceVersion: import_zod.z.string().min(1).optional(),
  storeId: name.default("medusa"),
  databaseUrl: import_zod.z.string().regex(/^(postgres(ql)?|sqlite):/, { error: "must begin with postgres:// or sqlite:" }).optional(),
  databaseSchema: import_zod.z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/, { error: "must be a plain lower-case name of a PostgreSQL schema" }).default("tillkit")
}).refine(({ webhookSecrets, registerWebhookAt }) => webhookSecrets.length > 0 || registerWebhookAt !== void 0, {
  path: ["webhookSecrets"],
  error: "must name at least one whsec_\u2026 secret; `tillkit webhooks create` makes one, or set registerWebhookAt"
});
function readOptions(written) {
  const read = schema.safeParse(written ?? {});
  if (read.success) return read.data;
  const mistakes = [...new Set(read.error.issues.map(import_sentence.sentenceOf))];
  throw new import_core.CheckoutError("configuration_invalid", mistakes.map((mistake) => `Tillkit option ${mistake}`).join("\n"));
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  readOptions
});
