import { addressSchema, configParts, hostShape } from "@tillkit/server/config";
import { z } from "zod";

const { text, longSecret, language, address, currency } = configParts;

// The plugin trims what the owner types. A secret with blanks around it would never match.
const linkSecret = longSecret.refine((secret) => secret.trim() === secret, {
  error: "must not begin or end with a blank or a new line",
});

/** The look of our pages for shoppers. */
const brandingSchema = z.strictObject({
  logoUrl: addressSchema("picture").optional().describe("the logo on the pages for shoppers"),
  color: z
    .string()
    .regex(/^#[\da-f]{6}$/i, { error: "must be a colour such as #0a7d4b" })
    .optional()
    .describe("the colour of buttons on the pages for shoppers"),
});

/** The settings of a shop that every platform has. A platform names its own beside them. */
export const storeShape = {
  id: z
    .string()
    .regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" })
    .describe("the name of the store; do not change it"),
  url: address.describe("the address of the shop, exactly as it shows it"),
  name: text.optional().describe("the name of the shop for shoppers; its host unless set"),
  branding: brandingSchema.optional(),
  linkSecret: linkSecret
    .optional()
    .describe("shared with the plugin; without it and the webhook secrets, the owner pairs the shop"),
  previousLinkSecret: linkSecret.optional().describe("still accepted while the link secret changes"),
  apiKey: z
    .string()
    .regex(/^svc_sk_(test|live)_\w+$/, { error: "must be a secret key, svc_sk_test_… or svc_sk_live_…" })
    .describe("the service's secret key; its prefix decides between test and live"),
  webhookSecrets: z
    .array(z.string().regex(/^whsec_/, { error: "must be a whsec_… secret that the service showed" }))
    .min(1, { error: "must name at least one whsec_… secret" })
    .optional()
    .describe("the secrets of the webhook endpoint, several during a change"),
  endpointId: z
    .string()
    .regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" })
    .optional()
    .describe("the last part of the webhook's address; the store's id unless set"),
  account: z
    .string()
    .regex(/^acct_\w+$/, { error: "must be a Member Account, acct_…" })
    .optional()
    .describe("the Member Account, for an Operator's key"),
  currencies: z
    .array(currency)
    .min(1, { error: "must name at least one currency that this shop may be paid in" })
    .describe("the currencies that are accepted"),
  language: language.default("fr").describe("the language of texts whose reader's language is unknown"),
  onMismatch: z
    .enum(["notify", "note"])
    .default("notify")
    .describe("how the owner learns of a held payment: `notify` calls for attention, `note` only notes it"),
};

/** The settings of the program. */
export const programShape = {
  ...hostShape,
  requireLiveKeys: configParts.requireLiveKeys,
  listen: configParts.listen.prefault({}),
};

/** The configuration of a server whose shops connect themselves. */
export const selfServiceSchema = z.strictObject({
  ...programShape,
  stores: z.literal("self-service").describe("owners connect their shops while the program runs"),
  admission: z
    .enum(["invitation", "approval", "open"])
    .default("invitation")
    .describe("which shops self-service accepts: with an invitation code, after an operator’s approval, or all"),
});

type Program = z.output<z.ZodObject<typeof programShape>>;

/** The configuration of a checkout server, whatever the platform of its shops. */
export type BridgedConfig =
  | (Program & { readonly stores: readonly ConfiguredStore[] })
  | z.output<typeof selfServiceSchema>;

/** Which shops self-service accepts. */
export type Admission = z.output<typeof selfServiceSchema>["admission"];

/** A shop as the configuration names it. A link secret or webhook secrets that are missing come from a pairing. */
export type ConfiguredStore = z.output<z.ZodObject<typeof storeShape>>;

/** The shops that the configuration lists; none where owners connect them. */
export function listedStores<Store>({
  stores,
}: {
  readonly stores: readonly Store[] | "self-service";
}): readonly Store[] {
  return stores === "self-service" ? [] : stores;
}

/** Null where the configuration lists the shops. */
export function admissionOf(config: BridgedConfig): Admission | null {
  return config.stores === "self-service" ? config.admission : null;
}

/** A shop with its link secrets. */
export type StoreConfig = ConfiguredStore & { readonly linkSecret: string };
