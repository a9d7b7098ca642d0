import { configParts, hostShape } from "@tillkit/server/config";
import { z } from "zod";

const { text, longSecret, language, address, currency } = configParts;

// The plugin trims what the owner types. A secret with blanks around it would never match.
const linkSecret = longSecret.refine((secret) => secret.trim() === secret, {
  error: "must not begin or end with a blank or a new line",
});

const storeSchema = z.strictObject({
  id: z.string().regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" }),
  url: address,
  name: text.optional(),
  consumerKey: z.string().regex(/^ck_\w+$/, { error: "must be the ck_… key that WooCommerce showed" }),
  consumerSecret: z.string().regex(/^cs_\w+$/, { error: "must be the cs_… secret that WooCommerce showed" }),
  linkSecret,
  previousLinkSecret: linkSecret.optional(),
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
  writeOrdersBy: z.enum(["auto", "plugin", "rest"]).default("auto"),
  onMismatch: z.enum(["hold", "note"]).default("hold"),
  shopWebhookSecret: text.optional(),
});

export const configSchema = z.strictObject({
  ...hostShape,
  listen: configParts.listen.prefault({}),
  stores: z.array(storeSchema).min(1, { error: "must name at least one shop" }),
});

/** The configuration as a person writes it. Any text can be `{ "env": "NAME" }`: it is then read from the environment. */
export type WooCommerceConfigInput = z.input<typeof configSchema>;

export type WooCommerceConfig = z.output<typeof configSchema>;

export type StoreConfig = WooCommerceConfig["stores"][number];
