import { CURRENCY_DECIMALS } from "@tillkit/core";
import { z } from "zod";
import { hostLimits } from "../limits.ts";
import { isConfigAddress } from "./read-config.ts";

const RANDOM = "at least 32 random characters, for example from `openssl rand -hex 32`";

const text = z.string().min(1, { error: "must not be empty" });
const longSecret = z.string().min(32, { error: `must have ${RANDOM}` });
const longSecrets = z.array(longSecret).min(1, { error: `must name at least one secret of ${RANDOM}` });
const language = z.enum(["fr", "en"]);

/** `https://`, or `http://` of this machine; given without a slash at the end. */
const address = z
  .string()
  .refine(isConfigAddress, {
    error: "must be an address that begins with https:// (plain http is for this machine only), without ? and #",
  })
  .transform((url) => url.replace(/\/+$/, ""));

/** Kinds of values that configurations are made of. */
export const configParts = {
  text,
  language,
  address,
  /** @example "XOF" */
  currency: z.enum(Object.keys(CURRENCY_DECIMALS) as [string, ...string[]]),
  /** Of 32 characters or more. */
  longSecret,
  /** The newest first: the others are those before it, still understood. */
  longSecrets,
  /** Where a program listens. 127.0.0.1 and 8080 if nothing is said. */
  listen: z.strictObject({
    host: text.default("127.0.0.1"),
    port: z.int().min(0).max(65_535).default(8_080),
  }),
};

/** The keys that every program around a checkout server has in its configuration, for `z.strictObject({ ...hostShape })`. */
export const hostShape = {
  publicUrl: address,
  database: text,
  keys: configParts.longSecrets,
  service: z.strictObject({ baseUrl: address }),
  amountUnit: z.enum(["minor", "major"]).default("minor"),
  giveBack: z.array(z.enum(["duplicate", "order_gone", "order_not_payable"])).default([]),
  logLevel: z.enum(["info", "warn", "error"]).default("warn"),
  operators: z.strictObject({ tokens: longSecrets }).optional(),
  metrics: z.strictObject({ token: longSecret }).optional(),
  alerts: z
    .strictObject({
      language: language.default("fr"),
      email: z.strictObject({ smtpUrl: text, from: text, to: text }).optional(),
      webhook: z.strictObject({ url: address, secret: text }).optional(),
      everyMs: z.int().min(1).optional(),
    })
    .optional(),
  retention: z
    .union([z.literal("off"), z.strictObject({ days: z.int().min(hostLimits.leastRetentionDays) })], {
      error: `must be "off", or { "days": 90 } with a whole number of ${hostLimits.leastRetentionDays} or more`,
    })
    .optional(),
};

const hostConfig = z.strictObject(hostShape);

/** What a checked configuration says about the host of a checkout. */
export type HostConfig = z.output<typeof hostConfig>;
