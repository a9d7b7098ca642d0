import { configParts, hostShape } from "@tillkit/server/config";
import { z } from "zod";
import { isShopEndpoint } from "./shop-endpoint.ts";
import { isProxyAddress } from "./trusted-proxies.ts";

const { text, longSecrets, currency } = configParts;

const app = z.strictObject({
  mode: z
    .enum(["offsite", "order"])
    .describe("`offsite`: a payments app; `order`: pay links for orders with a manual payment method"),
  name: z
    .string()
    .min(1, { error: "must not be empty" })
    .max(50, { error: "must have 50 characters at most: Shopify shows no more" })
    .default("Mobile money")
    .describe("the name of the payment method that owners and shoppers see"),
  clientId: z
    .string()
    .regex(/^[\w-]{8,100}$/, { error: "must be the client ID of the app in Shopify's dashboard" })
    .describe("of the app in Shopify's dashboard"),
  clientSecret: z
    .string()
    .min(16, { error: "must be the client secret of the app in Shopify's dashboard" })
    .describe("of the app in Shopify's dashboard"),
  apiVersion: z
    .string()
    .regex(/^20(?:2[6-9]|[3-9]\d)-(?:01|04|07|10)$/, {
      error: "must be a version of Shopify's API since 2026-01, such as 2026-07",
    })
    .default("2026-07")
    .describe("the version of Shopify's API"),
  expiringTokens: z
    .boolean()
    .default(true)
    .describe("access tokens expire after an hour and are renewed; required for public apps"),
  embedded: z.boolean().default(false).describe("order mode only: a page in the admin's frame links to the settings"),
  registerWebhooks: z
    .boolean()
    .default(false)
    .describe("order mode only: subscribe by API, for an app whose toml file is not deployed"),
  shopEndpoint: z
    .string()
    .refine(isShopEndpoint, {
      error: "must be https://{shop}, or, for a simulator on this machine, such as http://127.0.0.1:9000/{shop}",
    })
    .default("https://{shop}")
    .describe("for a simulator on this machine: `http://127.0.0.1:9000/{shop}`"),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, { error: "must be a country code, such as SN" }))
    .min(1, { error: "must name at least one country" })
    .default(["CI", "SN"])
    .describe("ISO 3166 codes, which `tillkit shopify init` writes into the toml files"),
  paymentMethods: z
    .array(text)
    .min(1, { error: "must name at least one payment method" })
    .default(["visa", "master"])
    .describe("Shopify's names of methods, which `tillkit shopify init` writes into the toml files"),
});

const clientCertificates = z.discriminatedUnion(
  "verifiedBy",
  [
    z.strictObject({ verifiedBy: z.literal("server") }),
    z.strictObject({
      verifiedBy: z.literal("proxy"),
      header: z
        .string()
        .regex(/^[A-Za-z][\w-]{1,63}$/, { error: "must be the name of a header, such as X-SSL-Client-Verify" }),
      value: text.default("SUCCESS"),
      trustedProxies: z
        .array(z.string().refine(isProxyAddress, { error: "must be an address, such as 10.0.0.2 or 10.0.0.0/24" }))
        .min(1, { error: "must name at least one proxy" }),
    }),
    z.strictObject({ verifiedBy: z.literal("none") }),
  ],
  { error: 'must be "server", "proxy" or "none"' },
);

export const shopifyConfigSchema = z.strictObject({
  ...hostShape,
  listen: configParts.listen
    .extend({
      tls: z
        .strictObject({
          cert: text,
          key: text,
          clientCa: z.array(text).min(1, { error: "must name at least one file" }),
        })
        .optional()
        .describe("PEM files; `clientCa`: the roots and intermediates of Shopify's client certificates"),
    })
    .prefault({}),
  clientCertificates: clientCertificates
    .default({ verifiedBy: "server" })
    .describe(
      "who verifies the certificate of a session request: this server, a proxy in front, or nobody on this machine",
    ),
  secretKeys: longSecrets.describe("encrypt the tokens and keys of shops, newest first; 32 characters or more each"),
  app,
  /**
   * Shopify allows 30 days for an erasure. In offsite mode its request names orders that the ledger does not know, so only this
   * setting erases the data.
   */
  retention: hostShape.retention.unwrap().default({ days: 30 }),
  autoRefund: hostShape.autoRefund.removeDefault().default(["duplicate", "order_gone", "order_not_payable"]),
  currencies: z
    .array(currency)
    .min(1, { error: "must name at least one currency that shops may be paid in" })
    .default(["XOF"])
    .describe("the currencies that are accepted"),
});

/** The content of a configuration file. `{ "env": "NAME" }` in place of a text reads it from the environment. */
export type ShopifyConfigInput = z.input<typeof shopifyConfigSchema>;

export type ShopifyConfig = z.output<typeof shopifyConfigSchema>;

/** `offsite`: a payments app in the checkout. `order`: pay links for orders with a manual payment method. */
export type AppMode = ShopifyConfig["app"]["mode"];
