import { configParts, hostShape, readConfig } from "@tillkit/server/config";
import { z } from "zod";
import { isProxyAddress } from "../app/trusted-proxies.ts";
import { betweenKeys, isShopTemplate } from "./config-mistakes.ts";

const { text, longSecrets, currency } = configParts;

const app = z.strictObject({
  mode: z.enum(["offsite", "order"]),
  /** As owners and buyers see it. */
  name: z
    .string()
    .min(1, { error: "must not be empty" })
    .max(50, { error: "must have 50 characters at most: Shopify shows no more" })
    .default("Mobile money"),
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
    .min(1, { error: "must name at least one country" })
    .default(["CI", "SN"]),
  paymentMethods: z.array(text).min(1, { error: "must name at least one payment method" }).default(["visa", "master"]),
});

const clientCertificates = z.discriminatedUnion(
  "by",
  [
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
  ],
  { error: 'must be "server", "proxy" or "nobody"' },
);

const schema = z.strictObject({
  ...hostShape,
  listen: configParts.listen
    .extend({
      /** PEM files. `clientCa`: the roots and intermediates of Shopify's client certificates, any number of files. */
      tls: z
        .strictObject({
          cert: text,
          key: text,
          clientCa: z.array(text).min(1, { error: "must name at least one file" }),
        })
        .optional(),
    })
    .prefault({}),
  clientCertificates: clientCertificates.default({ by: "server" }),
  secretKeys: longSecrets,
  app,
  /** Shopify gives 30 days to erase a customer's data, and in offsite mode names orders that it never posted. */
  retention: hostShape.retention.unwrap().default({ days: 30 }),
  giveBack: hostShape.giveBack.removeDefault().default(["duplicate", "order_gone", "order_not_payable"]),
  currencies: z
    .array(currency)
    .min(1, { error: "must name at least one currency that shops may be paid in" })
    .default(["XOF"]),
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
