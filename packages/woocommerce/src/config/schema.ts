import { addressSchema, configParts, hostShape } from "@tillkit/server/config";
import { z } from "zod";

const { text, longSecret, language, address, currency } = configParts;

// The plugin trims what the owner types. A secret with blanks around it would never match.
const linkSecret = longSecret.refine((secret) => secret.trim() === secret, {
  error: "must not begin or end with a blank or a new line",
});

/** The look of our pages for shoppers. */
const brandingSchema = z.strictObject({
  logoUrl: addressSchema("picture").optional(),
  color: z
    .string()
    .regex(/^#[\da-f]{6}$/i, { error: "must be a colour such as #0a7d4b" })
    .optional(),
});

const storeSchema = z.strictObject({
  id: z.string().regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" }),
  url: address,
  name: text.optional(),
  branding: brandingSchema.optional(),
  // Without a REST key the calls go through the plugin, signed with the link secret.
  consumerKey: z
    .string()
    .regex(/^ck_\w+$/, { error: "must be the ck_… key that WooCommerce showed" })
    .optional(),
  consumerSecret: z
    .string()
    .regex(/^cs_\w+$/, { error: "must be the cs_… secret that WooCommerce showed" })
    .optional(),
  // Without these two the shop's owner sets them up by a pairing.
  linkSecret: linkSecret.optional(),
  previousLinkSecret: linkSecret.optional(),
  apiKey: z
    .string()
    .regex(/^svc_sk_(test|live)_\w+$/, { error: "must be a secret key, svc_sk_test_… or svc_sk_live_…" }),
  webhookSecrets: z
    .array(z.string().regex(/^whsec_/, { error: "must be a whsec_… secret that the service showed" }))
    .min(1, { error: "must name at least one whsec_… secret" })
    .optional(),
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

/** A shop as the configuration names it. A link secret or webhook secrets that are missing come from a pairing. */
export type ConfiguredStore = WooCommerceConfig["stores"][number];

/** A shop with all its secrets. */
export type StoreConfig = ConfiguredStore & {
  readonly linkSecret: string;
  readonly webhookSecrets: readonly string[];
};
