import { invalidConfiguration, parseConfig, testKeyMistake } from "@tillkit/runtime";
import { addressSchema, configParts, hostShape } from "@tillkit/server/config";
import { z } from "zod";

/** The code of the channel that every Vendure has. */
export const DEFAULT_CHANNEL = "__default_channel__";

const store = z.strictObject({
  channel: z
    .string()
    .regex(/^[\w-]{1,64}$/, { error: "must be the code of a channel: letters, digits, - and _" })
    .default(DEFAULT_CHANNEL)
    .describe("the code of the Vendure channel"),
  apiKey: z
    .string()
    .regex(/^svc_sk_(test|live)_\w+$/, {
      error: "must be a secret key of the service, svc_sk_test_… or svc_sk_live_…",
    })
    .describe("the service's secret key; its prefix decides between test and live"),
  endpointId: z
    .string()
    .regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" })
    .describe("the last part of the webhook's address"),
  webhookSecrets: z
    .array(z.string().regex(/^whsec_/, { error: "must be a whsec_… secret of the service" }))
    .min(1, { error: "must name at least one whsec_… secret; `tillkit webhooks create` makes one" })
    .describe("the secrets of the webhook endpoint, several during a change"),
  returnUrl: addressSchema("page")
    .refine((url) => url.includes("{code}"), {
      error: "must contain {code}, the place of the order's code",
    })
    .describe("the page to which shoppers return, with `{code}` in it for the order's code"),
  account: z
    .string()
    .regex(/^acct_\w+$/, { error: "must be a Member Account, acct_…" })
    .optional()
    .describe("the Member Account, for an Operator's key"),
});

export const schema = z.strictObject({
  publicUrl: configParts.address
    .refine((url) => new URL(url).pathname.length > 1, {
      error: "must have a path of its own, such as https://vendure.example.com/tillkit",
    })
    .describe("the public address of this server, with its path"),
  service: hostShape.service,
  keys: hostShape.keys,
  stores: z.array(store).min(1, { error: "must name at least one store" }),
  requireLiveKeys: configParts.requireLiveKeys,
  operators: hostShape.operators,
  adminUrl: configParts.address
    .optional()
    .describe("the address of the platform's admin, to which a refund that a person must decide links"),
  autoRefund: hostShape.autoRefund,
  language: configParts.language.default("fr").describe("the language of texts whose reader's language is unknown"),
  amountUnit: hostShape.amountUnit,
  database: z
    .string()
    .regex(/^postgres(ql)?:/, { error: "must begin with postgres://" })
    .optional()
    .describe("where the ledger is, Vendure's database unless set"),
  databaseSchema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, { error: "must be a lower-case name that needs no quotes" })
    .default("tillkit")
    .describe("the PostgreSQL schema of the ledger"),
});

/** The options of `TillkitPlugin.init`. */
export type TillkitOptions = z.input<typeof schema>;

/** Validated options with their defaults. */
export type ResolvedOptions = z.output<typeof schema>;

/** One channel of Vendure with its key of the service. */
export type Shop = ResolvedOptions["stores"][number];

/** The storefront's front page, to which pages that are not the storefront's lead. */
export function homeUrlOf({ returnUrl }: Pick<Shop, "returnUrl">): string {
  return `${new URL(returnUrl).origin}/`;
}

/**
 * Validates the options and fills in defaults.
 * @throws CheckoutError `configuration_invalid`: one line for each mistake, without any secret
 */
export function readOptions(written: unknown): ResolvedOptions {
  const options = parseConfig(schema, written ?? {}, { subject: "Tillkit option ", newNames: NEW_NAMES });
  const mistakes = [...repeatedStores(options), ...testKeys(options)];
  if (mistakes.length > 0) throw invalidConfiguration(mistakes);
  return options;
}

function repeatedStores({ stores }: ResolvedOptions): readonly string[] {
  return (["channel", "endpointId"] as const)
    .filter((field) => new Set(stores.map((candidate) => candidate[field])).size < stores.length)
    .map((field) => `Tillkit option stores: two stores have the same ${field}.`);
}

function testKeys({ stores, requireLiveKeys }: ResolvedOptions): readonly string[] {
  const mistakes = stores.map(({ apiKey }, index) => testKeyMistake(`stores[${index}].apiKey`, apiKey));
  return requireLiveKeys ? mistakes.flatMap((mistake) => (mistake === null ? [] : [`Tillkit option ${mistake}`])) : [];
}

const NEW_NAMES = {
  baseUrl: "service.baseUrl",
  shops: "stores",
  operatorTokens: "operators.tokens",
  dashboardUrl: "adminUrl",
  databaseUrl: "database",
  storefrontUrl: "returnUrl",
  serviceAccount: "account",
};
