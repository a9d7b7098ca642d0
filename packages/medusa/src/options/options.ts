import { type AddressUse, addressFault, addressRule } from "@tillkit/client";
import { invalidConfiguration, parseConfig, testKeyMistake } from "@tillkit/runtime";
import { z } from "zod";

const RANDOM_CHARACTERS = "at least 32 random characters, for example from `openssl rand -hex 32`";

const address = (use: AddressUse) =>
  z
    .string()
    .meta({ format: "uri" })
    .superRefine((text, context) => {
      const fault = addressFault(text, use);
      if (fault !== null) context.addIssue(addressRule(fault));
    });
const identifier = z.string().regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" });

export const schema = z
  .strictObject({
    apiKey: z
      .string()
      .superRefine((key, context) => {
        if (key.startsWith("svc_pk_")) {
          context.addIssue("is a publishable key: set the secret key, svc_sk_test_… or svc_sk_live_…");
        } else if (!/^svc_sk_(test|live)_\w+$/.test(key)) {
          context.addIssue("must be a secret key of the service, svc_sk_test_… or svc_sk_live_…");
        }
      })
      .describe("the service's secret key; its prefix decides between test and live"),
    service: z.strictObject({
      baseUrl: address("base").describe("the address of the service's API"),
      version: z.string().min(1).optional().describe("the version of the service's API"),
    }),
    requireLiveKeys: z
      .boolean()
      .default(false)
      .describe("refuses test keys, so that a server in production cannot start with one by mistake"),
    endpointId: identifier.default("medusa").describe("the last part of the webhook's address"),
    webhookSecrets: z
      .array(z.string().regex(/^whsec_/, { error: "must be a whsec_… secret of the service" }))
      .default([])
      .describe("the secrets of the webhook endpoint, several during a change"),
    registerWebhookAt: address("base")
      .optional()
      .describe("Medusa's public address: the first start registers the webhook there"),
    keys: z
      .array(z.string().min(32, { error: `must have ${RANDOM_CHARACTERS}` }))
      .min(1, { error: `must name at least one secret of ${RANDOM_CHARACTERS}` })
      .describe("sign links and references and encrypt the webhook's secret, newest first; 32 characters or more each"),
    returnUrl: address("page").describe(
      "the page to which shoppers return, with `{country}` and `{token}` in it or without",
    ),
    cancelUrl: address("page").optional().describe("where *cancel* on the hosted page leads; `returnUrl` unless set"),
    allowedReturnOrigins: z
      .array(address("base").transform((url) => new URL(url).origin))
      .default([])
      .describe("origins of pages that a storefront may choose"),
    autoRefund: z
      .array(z.enum(["duplicate", "order_gone", "order_not_payable"]))
      .default([])
      .describe("the cases in which money goes back without asking the owner"),
    onMismatch: z
      .enum(["notify", "note"], { error: 'must be "notify" or "note", which was "list"' })
      .default("notify")
      .describe("how the owner learns of a held payment: `notify` calls for attention, `note` only notes it"),
    language: z.enum(["fr", "en"]).default("fr").describe("the language of texts whose reader's language is unknown"),
    amountUnit: z
      .enum(["minor", "major"])
      .default("minor")
      .describe("the unit in which the service counts USD and EUR"),
    account: z
      .string()
      .regex(/^acct_\w+$/, { error: "must be a Member Account, acct_…" })
      .optional()
      .describe("the Member Account, for an Operator's key"),
    debug: z.boolean().default(false).describe("writes a log line for each step of a payment"),
    dashboardUrl: address("page")
      .refine((url) => url.includes("{transaction}"), { error: "must contain {transaction}, the place of its id" })
      .optional()
      .describe("the page of a transaction at the service, with `{transaction}` in it"),
    adminUrl: address("base")
      .optional()
      .describe("the address of the platform's admin, to which a refund that a person must decide links"),
    storeId: identifier.default("medusa").describe("the name of this store; do not change it"),
    databaseUrl: z
      .string()
      .regex(/^(postgres(ql)?|sqlite):/, { error: "must begin with postgres:// or sqlite:" })
      .optional()
      .describe("where the ledger is, Medusa's database unless set. Medusa takes the name `database` for itself"),
    databaseListenUrl: z
      .string()
      .regex(/^postgres(ql)?:/, { error: "must begin with postgres://" })
      .optional()
      .describe("behind a pooler such as PgBouncer: the address of PostgreSQL itself, where new jobs are announced"),
    databaseSchema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, {
        error: "must be a lower-case name of a PostgreSQL schema that needs no quotes",
      })
      .default("tillkit")
      .describe("the PostgreSQL schema of the ledger"),
  })
  .refine(({ webhookSecrets, registerWebhookAt }) => webhookSecrets.length > 0 || registerWebhookAt !== undefined, {
    path: ["webhookSecrets"],
    error: "must name at least one whsec_… secret; `tillkit webhooks create` makes one, or set registerWebhookAt",
  });

/** The options in medusa-config: the same object for the plugin and for the payment provider. */
export type TillkitOptions = z.input<typeof schema>;

/** Validated options with their defaults. */
export type ResolvedOptions = z.output<typeof schema>;

/**
 * Validates the options and fills in defaults.
 * @throws CheckoutError `configuration_invalid`: one line with one sentence for each mistake, without any secret
 */
export function readOptions(written: unknown): ResolvedOptions {
  const options = parseConfig(schema, written ?? {}, { subject: "Tillkit option ", newNames: NEW_NAMES });
  const testKey = options.requireLiveKeys ? testKeyMistake("apiKey", options.apiKey) : null;
  if (testKey !== null) throw invalidConfiguration([`Tillkit option ${testKey}`]);
  return options;
}

const NEW_NAMES = { baseUrl: "service.baseUrl", serviceVersion: "service.version", serviceAccount: "account" };
