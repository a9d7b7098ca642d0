import { configParts, hostShape, readConfig } from "@tillkit/server/config";
import { z } from "zod";
import { shopMistakes } from "./shop-mistakes.ts";

const { text, longSecret, language, address, currency } = configParts;

// The plugin takes blanks off what is typed into it: the two would never agree.
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
  settleBy: z.enum(["auto", "plugin", "rest"]).default("auto"),
  onMismatch: z.enum(["hold", "note"]).default("hold"),
  hintSecret: text.optional(),
});

const schema = z.strictObject({
  ...hostShape,
  listen: configParts.listen.prefault({}),
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
