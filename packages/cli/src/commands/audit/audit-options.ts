import process from "node:process";
import type { CommandLine, Option } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { resolveService, serviceOptions } from "../../options/service-option.ts";

/** Where orders are. Keys are never arguments: each platform has its variables. */
export const shopOptions: Readonly<Record<string, Option>> = {
  woocommerce: {
    value: "address",
    description: "a WooCommerce shop; its read-only REST key in WOOCOMMERCE_KEY and WOOCOMMERCE_SECRET",
  },
  shopify: {
    value: "address",
    description: "a Shopify shop; its Admin token, which needs read_orders, in SHOPIFY_TOKEN",
  },
  medusa: { value: "address", description: "a Medusa server; a secret API key of its admin in MEDUSA_TOKEN" },
  vendure: { value: "address", description: "a Vendure server; an administrator in VENDURE_USER and VENDURE_PASSWORD" },
  orders: { value: "file", description: "a CSV or JSON export of the orders of any system" },
  map: {
    value: "field=column",
    description:
      "(with --orders) which column holds order, created, total, currency, state, refunded, method, transaction; repeatable",
  },
  state: {
    value: "word=state",
    description:
      "(with --orders) what a word for a state means: paid, unpaid, partial, cancelled, refunded; repeatable",
  },
  currency: { value: "code", description: "(with --orders) the currency of an export without such a column" },
  ledger: { value: "url", description: "a ledger of Tillkit: sqlite:/path/to/ledger.db or postgres://…" },
  schema: {
    value: "name",
    description: "(with --ledger) the PostgreSQL schema of the tables; the Medusa plugin uses tillkit",
  },
  method: {
    value: "name",
    description:
      "a payment method of the shop that means the service; learned from matched orders otherwise; repeatable",
  },
  config: { value: "file", description: "several shops, and everything else, from this JSON file" },
  ...serviceOptions("or SERVICE_BASE_URL, or the profile named default"),
};

/** The configuration that the options make, in the form of the file. @throws UsageError */
export async function configOf(args: CommandLine): Promise<Readonly<Record<string, unknown>>> {
  const shops = shopsOf(args);
  if (shops.length === 0)
    throw new UsageError(
      "Say where the orders are: --woocommerce, --shopify, --medusa, --vendure, --orders, --ledger or --config.",
    );
  const { service, secretKey } = await resolveService(args);
  const testKey = process.env.SERVICE_TEST_KEY;
  return { service: { url: service, key: secretKey, ...(testKey ? { testKey } : {}) }, shops };
}

function shopsOf({ values, lists }: CommandLine): readonly Readonly<Record<string, unknown>>[] {
  const methods = lists.get("method") ?? [];
  const url = (platform: string, keys: Readonly<Record<string, string>>) => {
    const given = values.get(platform);
    if (given === undefined) return [];
    return [
      { platform, methods, url: /^https?:/.test(given) ? given : `https://${given}`, ...keysFrom(platform, keys) },
    ];
  };
  const file = values.get("orders");
  const ledger = values.get("ledger");
  const currency = values.get("currency");
  const schema = values.get("schema");
  return [
    ...url("woocommerce", { key: "WOOCOMMERCE_KEY", secret: "WOOCOMMERCE_SECRET" }),
    ...url("shopify", { token: "SHOPIFY_TOKEN" }),
    ...url("medusa", { token: "MEDUSA_TOKEN" }),
    ...url("vendure", { user: "VENDURE_USER", password: "VENDURE_PASSWORD" }),
    ...(file === undefined
      ? []
      : [
          {
            platform: "export",
            methods,
            file,
            columns: pairs("map", lists),
            states: pairs("state", lists),
            ...(currency === undefined ? {} : { currency }),
          },
        ]),
    ...(ledger === undefined
      ? []
      : [{ platform: "ledger", database: ledger, ...(schema === undefined ? {} : { schema }) }]),
  ];
}

function keysFrom(platform: string, names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(names).map(([key, name]) => {
      const value = process.env[name];
      if (!value) throw new UsageError(`Set the environment variable ${name}: --${platform} needs it.`);
      return [key, value];
    }),
  );
}

function pairs(option: string, lists: CommandLine["lists"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (lists.get(option) ?? []).map((text) => {
      const index = text.indexOf("=");
      if (index < 1) throw new UsageError(`The option --${option} looks like "total=Grand total", not "${text}".`);
      return [text.slice(0, index), text.slice(index + 1)];
    }),
  );
}
