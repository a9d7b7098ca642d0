import { CURRENCY_DECIMALS } from "@tillkit/core";
import { isConfigAddress, readConfig } from "@tillkit/server";
import { z } from "zod";
import { shopMistakes } from "./shop-mistakes.ts";

const RANDOM = "at least 32 random characters, for example from `openssl rand -hex 32`";

const text = z.string().min(1, { error: "must not be empty" });
const longSecret = z.string().min(32, { error: `must have ${RANDOM}` });
const currency = z.enum(Object.keys(CURRENCY_DECIMALS) as [string, ...string[]]);
const language = z.enum(["fr", "en"]);

/** `https://`, or `http://` of this machine; given without a slash at the end. */
const address = z
  .string()
  .refine(isConfigAddress, {
    error: "must be an address that begins with https:// (plain http is for this machine only), without ? and #",
  })
  .transform((url) => url.replace(/\/+$/, ""));

const storeSchema = z.strictObject({
  id: z.string().regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" }),
  url: address,
  name: text.optional(),
  consumerKey: z.string().regex(/^ck_\w+$/, { error: "must be the ck_… key that WooCommerce showed" }),
  consumerSecret: z.string().regex(/^cs_\w+$/, { error: "must be the cs_… secret that WooCommerce showed" }),
  linkSecret: longSecret,
  previousLinkSecret: longSecret.optional(),
  apiKey: z
    .string()
    .regex(/^svc_sk_(test|live)_\w+$/, { error: "must be a secret key, svc_sk_test_… or svc_sk_live_…" }),
  webhookSecrets: z
    .array(z.string().regex(/^whsec_/, { error: "must be a whsec_… secret that the service showed" }))
    .min(1, { error: "must name at least one whsec_… secret" }),
  endpointId: z
    .string()
    .regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" })
    .optional(),
  account: z
    .string()
    .regex(/^acct_\w+$/, { error: "must be a Member Account, acct_…" })
    .optional(),
  currencies: z.array(currency).min(1, { error: "must name at least one currency that this shop may be paid in" }),
  language: language.default("fr"),
  settleBy: z.enum(["auto", "plugin", "rest"]).default("auto"),
  onMismatch: z.enum(["hold", "note"]).default("hold"),
  hintSecret: text.optional(),
});

const schema = z.strictObject({
  publicUrl: address,
  listen: z
    .strictObject({
      host: text.default("127.0.0.1"),
      port: z.int().min(0).max(65_535).default(8_080),
    })
    .prefault({}),
  database: text,
  keys: z.array(longSecret).min(1, { error: `must name at least one secret of ${RANDOM}` }),
  service: z.strictObject({ baseUrl: address }),
  amountUnit: z.enum(["minor", "major"]).default("minor"),
  giveBack: z.array(z.enum(["duplicate", "order_gone", "order_not_payable"])).default([]),
  logLevel: z.enum(["info", "warn", "error"]).default("warn"),
  operators: z.strictObject({ tokens: z.array(longSecret).min(1) }).optional(),
  metrics: z.strictObject({ token: longSecret }).optional(),
  alerts: z
    .strictObject({
      language: language.default("fr"),
      email: z.strictObject({ smtpUrl: text, from: text, to: text }).optional(),
      webhook: z.strictObject({ url: address, secret: text }).optional(),
      everyMs: z.int().positive().optional(),
    })
    .optional(),
  retention: z.union([z.literal("off"), z.strictObject({ days: z.int().min(7) })]).optional(),
  stores: z.array(storeSchema).min(1, { error: "must name at least one shop" }),
});

/** What a person writes; wherever a text stands, `{ "env": "NAME" }` takes it from the environment. */
export type CompanionConfigInput = z.input<typeof schema>;

export type CompanionConfig = z.output<typeof schema>;

export type StoreConfig = CompanionConfig["stores"][number];

/**
 * Checks a configuration and takes secrets from the environment.
 * @throws CheckoutError `configuration_invalid`: every mistake, one sentence each, a line each. No secret is repeated in it
 */
export function readCompanionConfig(
  written: unknown,
  environment?: Readonly<Record<string, string | undefined>>,
): CompanionConfig {
  return readConfig(written, { schema, environment, mistakesOf: shopMistakes });
}
