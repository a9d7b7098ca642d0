import { afterEach, describe, expect, it } from "vitest";
import { readOptions, type TillkitOptions } from "../src/options/options.ts";
import { agreeOnOptions, closeSharedTill } from "../src/till/shared-till.ts";

const good: TillkitOptions = {
  apiKey: "svc_sk_test_of_the_tests",
  baseUrl: "https://service.example",
  webhookSecrets: ["whsec_of_the_tests"],
  keys: ["a key of the tests, long enough to sign with"],
  returnUrl: "https://shop.example/return",
};

describe("options", () => {
  it("need five things, and choose the careful way for the rest", () => {
    expect(readOptions(good)).toEqual({
      ...good,
      endpointId: "medusa",
      allowedReturnOrigins: [],
      onOrphan: "alert",
      onMismatch: "notify",
      language: "fr",
      amountUnit: "minor",
      storeId: "medusa",
      databaseSchema: "tillkit",
    });
  });

  it.each<[string, object, string]>([
    ["a publishable key", { apiKey: "svc_pk_live_abc" }, "Tillkit option apiKey is a publishable key"],
    ["no key", { apiKey: undefined }, "Tillkit option apiKey is missing."],
    ["a plain-text service", { baseUrl: "http://service.example" }, "Tillkit option baseUrl must be an address"],
    ["a short key", { keys: ["short"] }, "Tillkit option keys[0] must have at least 32 random characters"],
    ["no webhook secret", { webhookSecrets: [] }, "Tillkit option webhookSecrets must name at least one whsec_"],
    ["a secret of something else", { webhookSecrets: ["sk_1"] }, "Tillkit option webhookSecrets[0] must be a whsec_"],
    ["an unknown policy", { onOrphan: "delete" }, 'Tillkit option onOrphan must be "alert" or "refund".'],
    ["a slip of the pen", { apikey: "x" }, "Tillkit option apikey: no such option, check its spelling."],
    ["a schema that needs quotes", { databaseSchema: "Till Kit" }, "Tillkit option databaseSchema must be a plain"],
  ])("with %s are refused in one sentence", (_what, change, sentence) => {
    const read = () => readOptions({ ...good, ...change });
    expect(read).toThrow(expect.objectContaining({ code: "configuration_invalid" }));
    expect(read).toThrow(sentence);
    expect(read).toThrow(/^[^\n]+$/);
  });

  it("that are wrong in two ways say both, and repeat no secret", () => {
    const written = { ...good, apiKey: "svc_pk_test_secret", keys: ["hidden"] };
    expect(() => readOptions(written)).toThrow(/apiKey[\s\S]*keys/);
    expect(() => readOptions(written)).not.toThrow(/hidden|svc_pk_test_secret/);
  });

  it("may leave the webhook secret to the plugin", () => {
    const options = { ...good, webhookSecrets: [], registerWebhookAt: "https://medusa.example" };
    expect(readOptions(options).registerWebhookAt).toBe("https://medusa.example");
  });
});

describe("the two places that get options", () => {
  afterEach(closeSharedTill);

  it("agree when they are the same, whatever Medusa adds", () => {
    agreeOnOptions("plugin", good);
    expect(() => agreeOnOptions("provider", { ...good, database: { clientUrl: "postgres://" } })).not.toThrow();
  });

  it("are refused when they differ, for half a shop would use another key", () => {
    agreeOnOptions("plugin", good);
    expect(() => agreeOnOptions("provider", { ...good, apiKey: "svc_sk_live_other" })).toThrow(
      "give both the same object",
    );
  });
});
