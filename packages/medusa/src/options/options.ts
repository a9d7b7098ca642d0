import { type AddressUse, addressFault, addressRule } from "@tillkit/client";
import { CheckoutError } from "@tillkit/core";
import { z } from "zod";
import { describeIssue } from "./describe-issue.ts";

const RANDOM_CHARACTERS = "at least 32 random characters, for example from `openssl rand -hex 32`";

const address = (use: AddressUse) =>
  z.string().superRefine((text, context) => {
    const fault = addressFault(text, use);
    if (fault !== null) context.addIssue(addressRule(fault));
  });
const autoRefundReason = z.enum(["duplicate", "order_gone", "order_not_payable"], {
  error: 'must be "duplicate", "order_gone" or "order_not_payable"',
});
const identifier = z.string().regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" });

const schema = z
  .strictObject({
    apiKey: z.string().superRefine((key, context) => {
      if (key.startsWith("svc_pk_")) {
        context.addIssue("is a publishable key: set the secret key, svc_sk_test_… or svc_sk_live_…");
      } else if (!/^svc_sk_(test|live)_\w+$/.test(key)) {
        context.addIssue("must be a secret key of the service, svc_sk_test_… or svc_sk_live_…");
      }
    }),
    baseUrl: address("base"),
    endpointId: identifier.default("medusa"),
    webhookSecrets: z
      .array(z.string().regex(/^whsec_/, { error: "must be a whsec_… secret of the service" }))
      .default([]),
    registerWebhookAt: address("base").optional(),
    keys: z
      .array(z.string().min(32, { error: `must have ${RANDOM_CHARACTERS}` }))
      .min(1, { error: `must name at least one secret of ${RANDOM_CHARACTERS}` }),
    returnUrl: address("page"),
    cancelUrl: address("page").optional(),
    allowedReturnOrigins: z.array(address("base").transform((url) => new URL(url).origin)).default([]),
    autoRefund: z.array(autoRefundReason).default([]),
    onMismatch: z.enum(["notify", "list"], { error: 'must be "notify" or "list"' }).default("notify"),
    language: z.enum(["fr", "en"], { error: 'must be "fr" or "en"' }).default("fr"),
    amountUnit: z.enum(["minor", "major"], { error: 'must be "minor" or "major"' }).default("minor"),
    serviceAccount: z
      .string()
      .regex(/^acct_\w+$/, { error: "must be a Member Account, acct_…" })
      .optional(),
    debug: z.boolean({ error: "must be true or false" }).default(false),
    dashboardUrl: address("page")
      .refine((url) => url.includes("{transaction}"), { error: "must contain {transaction}, the place of its id" })
      .optional(),
    adminUrl: address("base").optional(),
    serviceVersion: z.string().min(1).optional(),
    storeId: identifier.default("medusa"),
    databaseUrl: z
      .string()
      .regex(/^(postgres(ql)?|sqlite):/, { error: "must begin with postgres:// or sqlite:" })
      .optional(),
    databaseListenUrl: z
      .string()
      .regex(/^postgres(ql)?:/, { error: "must begin with postgres://" })
      .optional(),
    databaseSchema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, {
        error: "must be a lower-case name of a PostgreSQL schema that needs no quotes",
      })
      .default("tillkit"),
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
  const parsed = schema.safeParse(written ?? {});
  if (parsed.success) return parsed.data;
  const mistakes = [...new Set(parsed.error.issues.map(describeIssue))];
  throw new CheckoutError("configuration_invalid", mistakes.map((mistake) => `Tillkit option ${mistake}`).join("\n"));
}
