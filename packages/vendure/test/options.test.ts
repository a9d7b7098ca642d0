import { describe, expect, it } from "vitest";
import { databaseUrlOf } from "../src/options/database-url.ts";
import { homeUrlOf, readOptions, type TillkitOptions } from "../src/options/options.ts";

const shop: TillkitOptions["stores"][number] = {
  apiKey: "svc_sk_test_abc",
  endpointId: "boutique",
  webhookSecrets: ["whsec_abc"],
  returnUrl: "https://shop.example/orders/{code}",
};
const valid: TillkitOptions = {
  publicUrl: "https://vendure.example/tillkit",
  service: { baseUrl: "https://api.service.example" },
  keys: ["a key of these tests and never of a real shop"],
  stores: [shop],
};

describe("the options of the plugin", () => {
  it("by default, a shop sells in the default channel in French, and the ledger has the schema tillkit", () => {
    const { stores, databaseSchema, language } = readOptions(valid);
    expect(stores[0]?.channel).toBe("__default_channel__");
    expect([databaseSchema, language]).toEqual(["tillkit", "fr"]);
  });

  it.each<[string, Partial<TillkitOptions>, RegExp]>([
    ["an address without a path", { publicUrl: "https://vendure.example" }, /publicUrl must have a path/],
    ["an address without https", { publicUrl: "http://vendure.example/tillkit" }, /publicUrl must begin with https/],
    [
      "a publishable key",
      { stores: [{ ...shop, apiKey: "svc_pk_test_abc" }] },
      /stores\[0\]\.apiKey must be a secret key/,
    ],
    [
      "a return address without the order's code",
      { stores: [{ ...shop, returnUrl: "https://a.example/" }] },
      /\{code\}/,
    ],
    ["two shops of one channel", { stores: [shop, { ...shop, endpointId: "other" }] }, /the same channel/],
    ["two shops with one endpoint", { stores: [shop, { ...shop, channel: "us" }] }, /the same endpointId/],
    ["a short key", { keys: ["short"] }, /keys\[0\].*32 random characters/],
    [
      "a test key where live keys are required",
      { requireLiveKeys: true, stores: [{ ...shop, apiKey: "svc_sk_test_0123456789" }] },
      /option stores\[0\]\.apiKey is a test key, and requireLiveKeys is set/,
    ],
    ["no shop", { stores: [] }, /stores must name at least one store/],
    [
      "an old name",
      { operatorTokens: [] } as object,
      /option operatorTokens is now called operators\.tokens: rename it/,
    ],
    [
      "an old name of a store",
      { stores: [{ ...shop, serviceAccount: "acct_1" }] } as object,
      /stores\[0\]\.serviceAccount is now called account/,
    ],
    ["a misspelt option", { languages: "fr" } as object, /option languages is unknown/],
  ])("the options with %s are refused with a message that names the mistake", (_what, change, message) => {
    expect(() => readOptions({ ...valid, ...change })).toThrow(message);
  });

  it("the message about wrong options repeats no key and no secret", () => {
    const wrong = { ...valid, keys: ["secret-short"], stores: [{ ...shop, apiKey: "secret-key" }] };
    expect(() => readOptions(wrong)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining("secret-") }),
    );
  });
});

describe("the database of the ledger", () => {
  it("the ledger's database URL has Vendure's connection options, with an encoded password", () => {
    const options = {
      type: "postgres",
      host: "db.example",
      port: 5433,
      username: "shop",
      password: "p@ss/word",
      database: "vendure",
    };
    expect(databaseUrlOf(options)).toBe("postgres://shop:p%40ss%2Fword@db.example:5433/vendure");
    expect(databaseUrlOf({ type: "postgres", url: "postgres://db.example/vendure" })).toBe(
      "postgres://db.example/vendure",
    );
    expect(databaseUrlOf({ ...options, ssl: true })).toContain("?sslmode=require");
  });

  it.each(["mysql", "better-sqlite3", "sqljs"])("a Vendure on %s is refused", (type) => {
    expect(() => databaseUrlOf({ type })).toThrow("Tillkit needs PostgreSQL");
  });
});

it("pages for a broken link lead to the front page of the storefront", () => {
  expect(homeUrlOf({ returnUrl: "https://shop.example/orders/{code}?from=pay" })).toBe("https://shop.example/");
});
