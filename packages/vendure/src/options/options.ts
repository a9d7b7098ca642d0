import { CheckoutError } from "@tillkit/core";
import { addressSchema, configParts } from "@tillkit/server/config";
import { z } from "zod";

/** The code of the channel that every Vendure has. */
export const DEFAULT_CHANNEL = "__default_channel__";

const autoRefundReason = z.enum(["duplicate", "order_gone", "order_not_payable"], {
  error: 'must be "duplicate", "order_gone" or "order_not_payable"',
});

const shop = z.strictObject({
  /** The code of the Vendure channel; the default channel if missing. */
  channel: z
    .string()
    .regex(/^[\w-]{1,64}$/, { error: "must be the code of a channel: letters, digits, - and _" })
    .default(DEFAULT_CHANNEL),
  apiKey: z.string().regex(/^svc_sk_(test|live)_\w+$/, {
    error: "must be a secret key of the service, svc_sk_test_… or svc_sk_live_…",
  }),
  endpointId: z.string().regex(/^[\w-]{1,64}$/, { error: "must be 1 to 64 letters, digits, - or _" }),
  webhookSecrets: z
    .array(z.string().regex(/^whsec_/, { error: "must be a whsec_… secret of the service" }))
    .min(1, { error: "must name at least one whsec_… secret; `tillkit webhooks create` makes one" }),
  /** The page to which shoppers return; `{code}` stands for the order's code. */
  storefrontUrl: addressSchema("page").refine((url) => url.includes("{code}"), {
    error: "must contain {code}, the place of the order's code",
  }),
  serviceAccount: z
    .string()
    .regex(/^acct_\w+$/, { error: "must be a Member Account, acct_…" })
    .optional(),
});

const schema = z.strictObject({
  publicUrl: configParts.address.refine((url) => new URL(url).pathname.length > 1, {
    error: "must have a path of its own, such as https://vendure.example.com/tillkit",
  }),
  baseUrl: configParts.address,
  keys: z
    .array(z.string().min(32, { error: "must have at least 32 random characters: `openssl rand -hex 32`" }))
    .min(1, { error: "must name at least one secret of 32 random characters: `openssl rand -hex 32`" }),
  shops: z.array(shop).min(1, { error: "must name at least one shop" }),
  operatorTokens: z.array(z.string()).default([]),
  /** The address of Vendure's dashboard, to which a refund that a person must decide links. */
  dashboardUrl: configParts.address.optional(),
  autoRefund: z.array(autoRefundReason).default([]),
  language: z.enum(["fr", "en"], { error: 'must be "fr" or "en"' }).default("fr"),
  amountUnit: z.enum(["minor", "major"], { error: 'must be "minor" or "major"' }).default("minor"),
  databaseUrl: z
    .string()
    .regex(/^postgres(ql)?:/, { error: "must begin with postgres://" })
    .optional(),
  databaseSchema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, { error: "must be a lower-case name that needs no quotes" })
    .default("tillkit"),
});

/** The options of `TillkitPlugin.init`. */
export type TillkitOptions = z.input<typeof schema>;

/** Validated options with their defaults. */
export type ResolvedOptions = z.output<typeof schema>;

/** One channel of Vendure with its key of the service. */
export type Shop = ResolvedOptions["shops"][number];

/**
 * Validates the options and fills in defaults.
 * @throws CheckoutError `configuration_invalid`: one line for each mistake, without any secret
 */
export function readOptions(written: unknown): ResolvedOptions {
  const parsed = schema.safeParse(written ?? {});
  const mistakes = parsed.success ? repeatedShops(parsed.data) : parsed.error.issues.map(describe);
  if (parsed.success && mistakes.length === 0) return parsed.data;
  throw new CheckoutError("configuration_invalid", [...new Set(mistakes)].join("\n"));
}

function repeatedShops({ shops }: ResolvedOptions): readonly string[] {
  return (["channel", "endpointId"] as const)
    .filter((field) => new Set(shops.map((candidate) => candidate[field])).size < shops.length)
    .map((field) => `Tillkit option shops: two shops have the same ${field}.`);
}

function describe({ path, code, message, ...issue }: z.core.$ZodIssue): string {
  const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  const option = `Tillkit option ${name.replace(/^\./, "")}`.trimEnd();
  if (code === "unrecognized_keys" && "keys" in issue) return `${option} has an unknown name: ${issue.keys}.`;
  if (code === "invalid_type") return `${option} is missing or has the wrong type.`;
  return `${option} ${message}.`;
}
