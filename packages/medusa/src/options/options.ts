import { CheckoutError } from "@tillkit/core";
import { z } from "zod";
import { isAddress, originOf } from "./address.ts";
import { sentenceOf } from "./sentence.ts";

const RANDOM = "at least 32 random characters, for example from `openssl rand -hex 32`";
const ADDRESS = "must be an address that begins with https:// (plain http:// is for this machine only)";

const address = z.string().refine(isAddress, { error: ADDRESS });
const name = z.string().regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" });

const schema = z
  .strictObject({
    apiKey: z.string().superRefine((key, context) => {
      if (key.startsWith("svc_pk_")) {
        context.addIssue("is a publishable key: set the secret key, svc_sk_test_… or svc_sk_live_…");
      } else if (!/^svc_sk_(test|live)_\w+$/.test(key)) {
        context.addIssue("must be a secret key of the service, svc_sk_test_… or svc_sk_live_…");
      }
    }),
    baseUrl: address,
    endpointId: name.default("medusa"),
    webhookSecrets: z
      .array(z.string().regex(/^whsec_/, { error: "must be a whsec_… secret that the service showed" }))
      .default([]),
    registerWebhookAt: address.optional(),
    keys: z
      .array(z.string().min(32, { error: `must have ${RANDOM}` }))
      .min(1, { error: `must name at least one secret of ${RANDOM}` }),
    returnUrl: address,
    cancelUrl: address.optional(),
    allowedReturnOrigins: z.array(address.transform(originOf)).default([]),
    onOrphan: z.enum(["alert", "refund"], { error: 'must be "alert" or "refund"' }).default("alert"),
    onMismatch: z.enum(["notify", "list"], { error: 'must be "notify" or "list"' }).default("notify"),
    language: z.enum(["fr", "en"], { error: 'must be "fr" or "en"' }).default("fr"),
    amountUnit: z.enum(["minor", "major"], { error: 'must be "minor" or "major"' }).default("minor"),
    serviceAccount: z
      .string()
      .regex(/^acct_\w+$/, { error: "must be a Member Account, acct_…" })
      .optional(),
    serviceVersion: z.string().min(1).optional(),
    storeId: name.default("medusa"),
    databaseUrl: z
      .string()
      .regex(/^(postgres(ql)?|sqlite):/, { error: "must begin with postgres:// or sqlite:" })
      .optional(),
    databaseSchema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, { error: "must be a plain lower-case name of a PostgreSQL schema" })
      .default("tillkit"),
  })
  .refine(({ webhookSecrets, registerWebhookAt }) => webhookSecrets.length > 0 || registerWebhookAt !== undefined, {
    path: ["webhookSecrets"],
    error: "must name at least one whsec_… secret; `tillkit webhooks create` makes one, or set registerWebhookAt",
  });

/** What a shop writes in medusa-config, the same for the plugin and for the payment provider. */
export type TillkitOptions = z.input<typeof schema>;

/** Options that were looked through. */
export type ReadOptions = z.output<typeof schema>;

/**
 * Checks what a shop wrote.
 * @throws CheckoutError `configuration_invalid`: one sentence for each mistake, a line each. No secret is repeated in it
 */
export function readOptions(written: unknown): ReadOptions {
  const read = schema.safeParse(written ?? {});
  if (read.success) return read.data;
  const mistakes = [...new Set(read.error.issues.map(sentenceOf))];
  throw new CheckoutError("configuration_invalid", mistakes.map((mistake) => `Tillkit option ${mistake}`).join("\n"));
}
