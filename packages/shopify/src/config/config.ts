import { CURRENCY_DECIMALS } from "@tillkit/core";
import { isConfigAddress, readConfig } from "@tillkit/server";
import { z } from "zod";
import { isProxyAddress } from "../offsite/client-certificate.ts";
import { betweenKeys, isShopTemplate } from "./config-mistakes.ts";

const RANDOM = "at least 32 random characters, for example from `openssl rand -hex 32`";

const text = z.string().min(1);
const longSecret = z.string().min(32, { error: `must have ${RANDOM}` });
const language = z.enum(["fr", "en"]);

/** `https://`, or `http://` of this machine; given without a slash at the end. */
const address = z
  .string()
  .refine(isConfigAddress, {
    error: "must be an address that begins with https:// (plain http is for this machine only), without ? and #",
  })
  .transform((url) => url.replace(/\/+$/, ""));

const app = z.strictObject({
  mode: z.enum(["offsite", "order"]),
  /** As owners and buyers see it. */
  name: z.string().min(1).max(50).default("Mobile money"),
  clientId: z.string().regex(/^[\w-]{8,100}$/, { error: "must be the client ID of the app in Shopify's dashboard" }),
  clientSecret: z.string().min(16, { error: "must be the client secret of the app in Shopify's dashboard" }),
  apiVersion: z
    .string()
    .regex(/^20(?:2[6-9]|[3-9]\d)-(?:01|04|07|10)$/, {
      error: "must be a version of Shopify's API since 2026-01, such as 2026-07",
    })
    .default("2026-07"),
  expiringTokens: z.boolean().default(true),
  embedded: z.boolean().default(false),
  registerWebhooks: z.boolean().default(false),
  shopEndpoint: z
    .string()
    .refine(isShopTemplate, {
      error: "must be https://{shop}, or, for a simulator on this machine, such as http://127.0.0.1:9000/{shop}",
    })
    .default("https://{shop}"),
  /** ISO 3166 codes, and Shopify's own names of payment methods; for `tillkit shopify init`. */
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, { error: "must be a country code, such as SN" }))
    .default(["CI", "SN"]),
  paymentMethods: z.array(text).default(["visa", "master"]),
});

const clientCertificates = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("server") }),
  z.strictObject({
    by: z.literal("proxy"),
    header: z
      .string()
      .regex(/^[A-Za-z][\w-]{1,63}$/, { error: "must be the name of a header, such as X-SSL-Client-Verify" }),
    value: text.default("SUCCESS"),
    trustedProxies: z
      .array(z.string().refine(isProxyAddress, { error: "must be an address, such as 10.0.0.2 or 10.0.0.0/24" }))
      .min(1, { error: "must name at least one proxy" }),
  }),
  z.strictObject({ by: z.literal("nobody") }),
]);

const schema = z.strictObject({
  publicUrl: address,
  listen: z
    .strictObject({
      host: text.default("127.0.0.1"),
      port: z.int().min(0).max(65_535).default(8_080),
      /** PEM files. `clientCa`: the roots and intermediates of Shopify's client certificates, any number of files. */
      tls: z.strictObject({ cert: text, key: text, clientCa: z.array(text).min(1) }).optional(),
    })
    .prefault({}),
  clientCertificates: clientCertificates.default({ by: "server" }),
  database: text,
  secretKeys: z.array(longSecret).min(1, { error: `must name at least one secret of ${RANDOM}` }),
  keys: z.array(longSecret).min(1, { error: `must name at least one secret of ${RANDOM}` }),
  service: z.strictObject({ baseUrl: address }),
  app,
  amountUnit: z.enum(["minor", "major"]).default("minor"),
  giveBack: z
    .array(z.enum(["duplicate", "order_gone", "order_not_payable"]))
    .default(["duplicate", "order_gone", "order_not_payable"]),
  currencies: z
    .array(z.enum(Object.keys(CURRENCY_DECIMALS) as [string, ...string[]]))
    .min(1, { error: "must name at least one currency that shops may be paid in" })
    .default(["XOF"]),
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
});

/** What a person writes; wherever a text stands, `{ "env": "NAME" }` takes it from the environment. */
export type ShopifyConfigInput = z.input<typeof schema>;

export type ShopifyConfig = z.output<typeof schema>;

/**
 * Checks a configuration and takes secrets from the environment.
 * @throws CheckoutError `configuration_invalid`: every mistake, one sentence each, a line each. No secret is repeated in it
 */
export function readShopifyConfig(
  written: unknown,
  environment?: Readonly<Record<string, string | undefined>>,
): ShopifyConfig {
  return readConfig(written, { schema, environment, mistakesOf: betweenKeys });
}
