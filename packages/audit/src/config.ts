import { configParts, readConfig } from "@tillkit/server/config";
import { z } from "zod";
import { EXPORT_FIELDS } from "./readers/export/mapping.ts";

const { address, language, listen, longSecret, text } = configParts;

const common = {
  name: text.optional().describe("what the report calls the shop; its host or file unless set"),
  methods: z
    .array(text)
    .default([])
    .describe("payment methods of this shop that mean the service; learned from matched orders unless set"),
};

const shop = z.discriminatedUnion("platform", [
  z.strictObject({ platform: z.literal("woocommerce"), ...common, url: address, key: text, secret: text }),
  z.strictObject({ platform: z.literal("shopify"), ...common, url: address, token: text }),
  z.strictObject({ platform: z.literal("medusa"), ...common, url: address, token: text }),
  z.strictObject({ platform: z.literal("vendure"), ...common, url: address, user: text, password: text }),
  z.strictObject({
    platform: z.literal("ledger"),
    ...common,
    database: text,
    schema: text.optional(),
    store: text.optional(),
  }),
  z.strictObject({
    platform: z.literal("export"),
    ...common,
    file: text,
    columns: z.partialRecord(z.enum(EXPORT_FIELDS), text).default({}).describe("which column holds which field"),
    states: z
      .record(text, z.enum(["unpaid", "partial", "paid", "cancelled", "refunded"]))
      .default({})
      .describe("what the export's own words for a state mean"),
    currency: z.string().length(3).optional(),
    zoneMinutes: z
      .int()
      .min(-840)
      .max(840)
      .default(0)
      .describe("minutes by which times without a zone are ahead of UTC"),
  }),
]);

const schema = z.strictObject({
  service: z.strictObject({
    url: address,
    key: text.describe("a secret key; only GET is sent with it"),
    testKey: text.optional().describe("the test key of the same account, which shows test money on live orders"),
    account: text.optional(),
    amountUnit: z.enum(["minor", "major"]).default("minor"),
    orderFields: z.array(text).default([]).describe("further metadata fields that hold an order's id or number"),
  }),
  shops: z.array(shop).min(1),
  language: language.default("en"),
  store: text.optional().describe("where facts are kept: `sqlite:/path/to/file.db` or `postgres://…`"),
  everyMinutes: z.number().min(1).max(1_440).default(5).describe("(guard) how often both sides are compared"),
  days: z.int().min(1).max(365).default(30).describe("(guard) how far it looks back"),
  listen: listen.optional().describe("(guard) where it serves its page, health and metrics"),
  token: longSecret
    .optional()
    .describe("(guard) opens its page and metrics; without it they are served on 127.0.0.1 only"),
  publicUrl: address.optional().describe("(guard) the address of its page, for the links in alerts"),
  alerts: z
    .strictObject({
      email: z.strictObject({ smtpUrl: text, from: text, to: text }).optional(),
      webhook: z.strictObject({ url: text, secret: z.string().min(16) }).optional(),
      everyMinutes: z.number().min(1).max(1_440).default(15).describe("at most one message in this time"),
    })
    .optional(),
});

export type AuditConfig = z.infer<typeof schema>;
export type ShopConfig = AuditConfig["shops"][number];

/** `{ "env": "NAME" }` stands for the value of a variable. @throws CheckoutError `configuration_invalid` */
export function readAuditConfig(
  rawConfig: unknown,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): AuditConfig {
  return readConfig(rawConfig, { schema, environment, mistakesOf });
}

function mistakesOf({ shops, service, listen: address, token }: AuditConfig): readonly string[] {
  const names = shops.map(shopName);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const isOpen = address !== undefined && !["127.0.0.1", "localhost", "::1"].includes(address.host);
  return [
    ...twice.map((name) => `Two shops have the name ${name}: give each a name of its own.`),
    ...(service.testKey === undefined || service.testKey.startsWith("svc_sk_test_")
      ? []
      : ["service.testKey must be a secret test key."]),
    ...(isOpen && token === undefined ? ["token is needed where listen.host is not this machine alone."] : []),
  ];
}

export function shopName(config: ShopConfig): string {
  if (config.name !== undefined) return config.name;
  if (config.platform === "ledger") return config.store ?? "ledger";
  return config.platform === "export" ? (config.file.split(/[/\\]/).at(-1) ?? config.file) : new URL(config.url).host;
}
