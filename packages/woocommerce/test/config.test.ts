import { readFileSync } from "node:fs";
import { codeOf } from "@tillkit/core";
import { credentialsOf } from "@tillkit/php-bridge";
import { describe, expect, it } from "vitest";
import { readWooCommerceConfig } from "../src/config/read-config.ts";

const STORE = {
  id: "boutique",
  url: "https://shop.example",
  consumerKey: "ck_0123",
  consumerSecret: "cs_a_secret_that_stays_one",
  linkSecret: "a link secret of the tests, long enough",
  apiKey: "svc_sk_test_0123",
  webhookSecrets: ["whsec_0123"],
  currencies: ["XOF"],
};

const CONFIG = {
  publicUrl: "https://pay.example",
  database: "sqlite:/var/lib/tillkit/ledger.db",
  keys: ["a key of the tests that signs links, 32+"],
  service: { baseUrl: "https://api.example" },
  stores: [STORE],
};

describe("checkout server configuration", () => {
  it("a valid configuration is completed with all defaults", () => {
    expect(readWooCommerceConfig(CONFIG, {})).toMatchObject({
      listen: { host: "127.0.0.1", port: 8_080 },
      amountUnit: "minor",
      autoRefund: [],
      stores: [{ language: "fr", writeOrdersBy: "auto", onMismatch: "notify" }],
    });
  });

  it("a configuration reads texts from the environment and drops trailing slashes of addresses", () => {
    const stores = [{ ...STORE, url: "https://shop.example/fr/", consumerSecret: { env: "WOO_SECRET" } }];
    const config = readWooCommerceConfig({ ...CONFIG, stores }, { WOO_SECRET: "cs_from_the_environment" });
    expect(config.stores[0]).toMatchObject({
      url: "https://shop.example/fr",
      consumerSecret: "cs_from_the_environment",
    });
  });

  it.each<[string, object, string]>([
    [
      "an environment variable that is not set",
      { keys: [{ env: "NOT_SET" }] },
      "keys[0]: the environment variable NOT_SET is not set.",
    ],
    ["a missing address", { publicUrl: undefined }, "publicUrl is missing: it must be a text."],
    ["a misspelt key", { databse: "x" }, "databse is unknown: check its spelling."],
    [
      "a test key where live keys are required",
      { requireLiveKeys: true, stores: [{ ...CONFIG.stores[0], apiKey: "svc_sk_test_0123456789" }] },
      "stores[0].apiKey is a test key, and requireLiveKeys is set: set a live key (svc_sk_live_…).",
    ],
    ["no shop at all", { stores: [] }, "stores must name at least one shop."],
    [
      "a short key",
      { keys: ["short"] },
      "keys[0] must have at least 32 random characters, for example from `openssl rand -hex 32`.",
    ],
    ["an invalid port", { listen: { port: 70_000 } }, "listen.port must be 65535 or less."],
    ["a port that is a text", { listen: { port: "8080" } }, "listen.port must be a whole number."],
    ["a retention that is too short", { retention: { days: 3 } }, "retention.days must be 7 or more."],
    ["a database without a name", { database: "" }, "database must not be empty."],
    [
      "an unknown rule",
      { autoRefund: ["everything"] },
      'autoRefund[0] must be "duplicate" or "order_gone" or "order_not_payable".',
    ],
    ["a public address without https", { publicUrl: "http://pay.example" }, "publicUrl must begin with https://"],
  ])("a configuration with %s is refused in one sentence", (_, change, sentence) => {
    expect(errorsOf({ ...CONFIG, ...change })).toEqual([expect.stringContaining(sentence)]);
  });

  it.each<[string, object, string]>([
    ["plain http to a remote shop", { url: "http://shop.example" }, "stores[0].url must begin with https://"],
    [
      "real money over plain http",
      { url: "http://localhost:8000", apiKey: "svc_sk_live_1" },
      "stores[0] takes real money over plain http",
    ],
    ["a publishable key", { apiKey: "svc_pk_test_1" }, "stores[0].apiKey must be a secret key"],
    [
      "a currency that the service does not take",
      { currencies: ["GBP"] },
      'stores[0].currencies[0] must be "XOF" or "USD" or "EUR".',
    ],
    ["a consumer secret as its consumer key", { consumerKey: "cs_0123" }, "stores[0].consumerKey must be the ck_… key"],
    [
      "an unknown writeOrdersBy",
      { writeOrdersBy: "magic" },
      'stores[0].writeOrdersBy must be "auto" or "plugin" or "rest".',
    ],
    [
      "a link secret with a line break",
      { linkSecret: `${STORE.linkSecret}\n` },
      "stores[0].linkSecret must not begin or end with a blank or a new line.",
    ],
    [
      "a logo over plain http",
      { branding: { logoUrl: "http://shop.example/logo.png" } },
      "stores[0].branding.logoUrl must begin with https://.",
    ],
    [
      "a colour by its name",
      { branding: { color: "red" } },
      "stores[0].branding.color must be a colour such as #0a7d4b.",
    ],
    ["an address with a user name", { url: "https://a:b@shop.example" }, "stores[0].url must have no user name"],
  ])("a shop with %s is refused in one sentence", (_, change, sentence) => {
    expect(errorsOf({ ...CONFIG, stores: [{ ...STORE, ...change }] })).toEqual([expect.stringContaining(sentence)]);
  });

  it.each<[string, object, string]>([
    ["the same id", { url: "https://b.example", apiKey: "svc_sk_test_b" }, "stores[1].id is the id of stores[0] too"],
    ["the same address", { id: "b", apiKey: "svc_sk_test_b" }, "stores[1].url is the url of stores[0] too"],
    [
      "the same address in upper and lower case",
      { id: "b", url: "https://SHOP.example/", apiKey: "svc_sk_test_b" },
      "stores[1].url is the url of stores[0] too",
    ],
    ["a shared key and two endpoints", { id: "b", url: "https://b.example" }, "give both the same endpointId"],
    [
      "two keys and one endpoint",
      { id: "b", url: "https://b.example", apiKey: "svc_sk_test_b", endpointId: "boutique" },
      "give each its own endpointId",
    ],
  ])("two shops with %s are refused", (_, change, sentence) => {
    expect(errorsOf({ ...CONFIG, stores: [STORE, { ...STORE, ...change }] }).join()).toContain(sentence);
  });

  it.each([
    ["a list", []],
    ["a text", "text"],
    ["null", null],
  ])("a configuration that is %s is refused in one sentence", (_, input) => {
    expect(errorsOf(input)).toEqual(["The configuration must be an object in { }."]);
  });

  it("all mistakes of a configuration are reported together and without secrets", () => {
    const stores = [
      { ...STORE, consumerSecret: "wrong_but_secret", apiKey: "also_secret", linkSecret: "short_secret" },
    ];
    const errors = errorsOf({ ...CONFIG, keys: ["a_short_key"], stores });
    expect(errors).toHaveLength(4);
    expect(errors.join()).not.toMatch(/wrong_but_secret|also_secret|short_secret|a_short_key/);
  });
});

describe("a server whose shops connect themselves", () => {
  it("a misspelt self-service is named as the mistake, and no list is asked for", () => {
    const operators = { tokens: ["the token of an operator, long enough for it"] };
    const errors = errorsOf({ ...CONFIG, operators, stores: "selfservice", admission: "invitation" });
    expect(errors).toEqual(['stores must be "self-service".']);
  });

  it.each(["", "fr/"])(
    "the configuration of the page %sguides/for-customers needs only what its files set",
    (language) => {
      const page = read(`../../docs/site/${language}guides/for-customers.md`);
      const unit = read("../deploy/tillkit-woocommerce.service");
      const secret = "0123456789abcdef".repeat(4);
      const set = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
      const written = [...page.matchAll(/echo "(\w+)=/g)].map(([, name]) => [name, secret]);
      const [, json = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
      const config = readWooCommerceConfig(JSON.parse(json), Object.fromEntries([...set, ...written]));
      expect(config).toMatchObject({ stores: "self-service", database: "sqlite:/var/lib/tillkit/ledger.db" });
    },
  );
});

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

describe("credentials", () => {
  it("shops with the same API key share one credential", () => {
    const second = {
      ...STORE,
      id: "second",
      url: "https://b.example",
      endpointId: "both",
      webhookSecrets: ["whsec_b"],
    };
    const config = readWooCommerceConfig({ ...CONFIG, stores: [{ ...STORE, endpointId: "both" }, second] }, {});
    expect(credentialsOf(config)).toEqual([
      {
        id: "both-test",
        storeIds: ["boutique", "second"],
        apiKey: STORE.apiKey,
        account: undefined,
        baseUrl: "https://api.example",
        endpointId: "both",
        webhookSecrets: ["whsec_0123", "whsec_b"],
      },
    ]);
  });

  it("a credential keeps its id after a change of the API key", () => {
    const [before] = credentialsOf(readWooCommerceConfig(CONFIG, {}));
    const changed = { ...CONFIG, stores: [{ ...STORE, apiKey: "svc_sk_test_new" }] };
    const [after] = credentialsOf(readWooCommerceConfig(changed, {}));
    expect(after?.id).toBe(before?.id);
  });
});

function errorsOf(input: unknown): readonly string[] {
  try {
    readWooCommerceConfig(input, {});
  } catch (error) {
    expect(codeOf(error)).toBe("configuration_invalid");
    return (error as Error).message.split("\n");
  }
  return [];
}

it("the README lists every key of the configuration", () => {
  const readme = read("../README.md");
  const config = readWooCommerceConfig(CONFIG, {});
  const [store] = config.stores;
  const optional = [
    "operators",
    "metrics",
    "alerts",
    "retention",
    "previousLinkSecret",
    "endpointId",
    "account",
    "shopWebhookSecret",
  ];
  const keys = [...Object.keys(config), ...Object.keys(store ?? {}), ...optional, "name"];
  expect(keys.filter((key) => !readme.includes(`\`${key}\``))).toEqual([]);
});
