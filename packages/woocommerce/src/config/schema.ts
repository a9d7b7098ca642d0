import { programShape, type selfServiceSchema, storeShape } from "@tillkit/php-bridge";
import { configParts } from "@tillkit/server/config";
import { z } from "zod";

const { text, address } = configParts;

const storeSchema = z.strictObject({
  ...storeShape,
  url: address.describe("the address of WordPress, exactly as it shows it"),
  consumerKey: z
    .string()
    .regex(/^ck_\w+$/, { error: "must be the ck_… key that WooCommerce showed" })
    .optional()
    .describe("a REST key; without one, calls go through the plugin, signed with the link secret"),
  consumerSecret: z
    .string()
    .regex(/^cs_\w+$/, { error: "must be the cs_… secret that WooCommerce showed" })
    .optional()
    .describe("the secret of the REST key"),
  writeOrdersBy: z
    .enum(["auto", "plugin", "rest"])
    .default("auto")
    .describe("how orders are marked paid and put on hold"),
  shopWebhookSecret: text
    .optional()
    .describe("accepts WooCommerce's own webhooks, which only trigger an earlier check"),
});

export const configSchema = z.strictObject({
  ...programShape,
  stores: z.array(storeSchema).min(1, { error: "must name at least one shop" }),
});

/** The configuration as a person writes it. Any text can be `{ "env": "NAME" }`: it is then read from the environment. */
export type WooCommerceConfigInput = z.input<typeof configSchema> | z.input<typeof selfServiceSchema>;

export type WooCommerceConfig = z.output<typeof configSchema> | z.output<typeof selfServiceSchema>;

/** A shop as the configuration names it. A link secret or webhook secrets that are missing come from a pairing. */
export type ConfiguredStore = z.output<typeof storeSchema>;

/** A shop with its link secrets. */
export type StoreConfig = ConfiguredStore & { readonly linkSecret: string };
