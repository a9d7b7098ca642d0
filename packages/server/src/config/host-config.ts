import { normalBase } from "@tillkit/client";
import { CURRENCY_DECIMALS } from "@tillkit/core";
import { PROCESS_ROLES } from "@tillkit/runtime";
import { z } from "zod";
import { serverLimits } from "../limits.ts";
import { addressSchema } from "./address-schema.ts";

const RANDOM_CHARACTERS = "at least 32 random characters, for example from `openssl rand -hex 32`";

const text = z.string().min(1, { error: "must not be empty" });
const longSecret = z.string().min(32, { error: `must have ${RANDOM_CHARACTERS}` });
const longSecrets = z.array(longSecret).min(1, { error: `must name at least one secret of ${RANDOM_CHARACTERS}` });
const language = z.enum(["fr", "en"]);
const operatorToken = z.strictObject({
  token: longSecret,
  name: z.string().min(1).max(serverLimits.maxOperatorNameLength).optional(),
  role: z.enum(["operator", "viewer"]).optional(),
});

const address = addressSchema("base").transform(normalBase);

/** Schemas of the values that configurations contain. */
export const configParts = {
  text,
  language,
  /** Other addresses begin with it; the parsed value has no slash at the end. */
  address,
  requireLiveKeys: z
    .boolean()
    .default(false)
    .describe("refuses test keys, so that a server in production cannot start with one by mistake"),
  /** @example "XOF" */
  currency: z.enum(Object.keys(CURRENCY_DECIMALS) as [string, ...string[]]),
  /** 32 characters or more. */
  longSecret,
  /** Newest first; older secrets stay valid for reading. */
  longSecrets,
  /** Where a program listens; 127.0.0.1 and 8080 unless set. */
  listen: z.strictObject({
    host: text.default("127.0.0.1").describe("the address on which the program listens"),
    port: z.int().min(0).max(65_535).default(8_080).describe("the port on which the program listens"),
  }),
};

/** The configuration keys of every program that runs a checkout server, for `z.strictObject({ ...hostShape })`. */
export const hostShape = {
  publicUrl: address.describe("the public address of this server, with its path"),
  database: text.describe("where the ledger is: `sqlite:/path/to/ledger.db` or `postgres://…`"),
  databaseListenUrl: text
    .optional()
    .describe("behind a pooler such as PgBouncer: the address of PostgreSQL itself, where new jobs are announced"),
  role: z
    .enum(PROCESS_ROLES)
    .default("both")
    .describe("what this process does beside others on the same database; `--role` and `TILLKIT_ROLE` come first"),
  keys: configParts.longSecrets.describe("sign links and references, newest first; 32 characters or more each"),
  service: z.strictObject({ baseUrl: address.describe("the address of the service's API") }),
  amountUnit: z.enum(["minor", "major"]).default("minor").describe("the unit in which the service counts USD and EUR"),
  autoRefund: z
    .array(z.enum(["duplicate", "order_gone", "order_not_payable"]))
    .describe("the cases in which money goes back without asking the owner")
    .default([]),
  logLevel: z.enum(["info", "warn", "error"]).default("warn").describe("the least important lines of the log"),
  operators: z
    .strictObject({
      tokens: z
        .array(
          z.union([longSecret, operatorToken], {
            error: `must be ${RANDOM_CHARACTERS}, or { "token", "name", "role" }`,
          }),
        )
        .min(1, { error: `must name at least one secret of ${RANDOM_CHARACTERS}` })
        .describe("open the operators' pages; a viewer's token decides nothing"),
    })
    .optional(),
  metrics: z.strictObject({ token: longSecret.describe("opens `/metrics`") }).optional(),
  tracing: z
    .boolean()
    .default(false)
    .describe("payments are traced by the SDK of OpenTelemetry that the program was started with"),
  alerts: z
    .strictObject({
      language: language.default("fr").describe("the language of alerts"),
      email: z
        .strictObject({ smtpUrl: text, from: text, to: text })
        .optional()
        .describe("alerts by e-mail: `smtps://user:password@mail.example`, the sender and the receiver"),
      webhook: z
        .strictObject({ url: addressSchema("page"), secret: text })
        .optional()
        .describe("alerts by a signed request to an address"),
      everyMs: z.int().min(1).optional().describe("the shortest time between two alerts; 15 minutes unless set"),
    })
    .optional(),
  retention: z
    .union([z.literal("off"), z.strictObject({ days: z.int().min(serverLimits.minRetentionDays) })], {
      error: `must be "off", or { "days": 90 } with a whole number of ${serverLimits.minRetentionDays} or more`,
    })
    .describe("personal data of final payments is removed after this many days, 90 without a default; `off` keeps it")
    .optional(),
};

const hostConfig = z.strictObject(hostShape);

/** The validated values of `hostShape`. */
export type HostConfig = z.output<typeof hostConfig>;
