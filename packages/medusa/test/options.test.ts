import { afterEach, describe, expect, it } from "vitest";
import { readOptions, type TillkitOptions } from "../src/options/options.ts";
import { closeSharedRuntime, registerOptions } from "../src/runtime/shared-runtime.ts";

const valid: TillkitOptions = {
  apiKey: "svc_sk_test_of_the_tests",
  service: { baseUrl: "https://service.example" },
  webhookSecrets: ["whsec_of_the_tests"],
  keys: ["a key of the tests, long enough to sign with"],
  returnUrl: "https://shop.example/return",
};

describe("options", () => {
  it("five options are required, and the others have defaults", () => {
    expect(readOptions(valid)).toEqual({
      ...valid,
      requireLiveKeys: false,
      endpointId: "medusa",
      allowedReturnOrigins: [],
      autoRefund: [],
      debug: false,
      onMismatch: "notify",
      language: "fr",
      amountUnit: "minor",
      storeId: "medusa",
      databaseSchema: "tillkit",
    });
  });

  it.each<[string, object, string]>([
    ["a publishable key", { apiKey: "svc_pk_live_abc" }, "Tillkit option apiKey is a publishable key"],
    ["no key", { apiKey: undefined }, "Tillkit option apiKey is missing: it must be a text."],
    [
      "a service address without https",
      { service: { baseUrl: "http://service.example" } },
      "Tillkit option service.baseUrl must begin with https://",
    ],
    ["a short key", { keys: ["short"] }, "Tillkit option keys[0] must have at least 32 random characters"],
    [
      "a test key where live keys are required",
      { apiKey: "svc_sk_test_0123456789", requireLiveKeys: true },
      "Tillkit option apiKey is a test key, and requireLiveKeys is set: set a live key (svc_sk_live_…).",
    ],
    ["no webhook secret", { webhookSecrets: [] }, "Tillkit option webhookSecrets must name at least one whsec_"],
    [
      "a webhook secret of another form",
      { webhookSecrets: ["sk_1"] },
      "Tillkit option webhookSecrets[0] must be a whsec_",
    ],
    [
      "an unknown refund reason",
      { autoRefund: ["always"] },
      'Tillkit option autoRefund[0] must be "duplicate" or "order_gone" or',
    ],
    ["a misspelled name", { apikey: "x" }, "Tillkit option apikey is unknown: check its spelling."],
    ["an old name", { serviceAccount: "acct_1" }, "Tillkit option serviceAccount is now called account: rename it."],
    ["an old word", { onMismatch: "list" }, 'Tillkit option onMismatch must be "notify" or "note", which was "list".'],
    [
      "a schema that needs quotes",
      { databaseSchema: "Till Kit" },
      "Tillkit option databaseSchema must be a lower-case",
    ],
  ])("options with %s are rejected in one sentence", (_mistake, change, sentence) => {
    const read = () => readOptions({ ...valid, ...change });
    expect(read).toThrow(expect.objectContaining({ code: "configuration_invalid" }));
    expect(read).toThrow(sentence);
    expect(read).toThrow(/^[^\n]+$/);
  });

  it("options with two mistakes report both and repeat no secret", () => {
    const written = { ...valid, apiKey: "svc_pk_test_secret", keys: ["hidden"] };
    expect(() => readOptions(written)).toThrow(/apiKey[\s\S]*keys/);
    expect(() => readOptions(written)).not.toThrow(/hidden|svc_pk_test_secret/);
  });

  it("no webhook secret is required when the plugin registers the webhook (registerWebhookAt)", () => {
    const options = { ...valid, webhookSecrets: [], registerWebhookAt: "https://medusa.example" };
    expect(readOptions(options).registerWebhookAt).toBe("https://medusa.example");
  });
});

describe("the options of plugin and provider", () => {
  afterEach(closeSharedRuntime);

  it("the same options are accepted in both entries, whatever Medusa adds", () => {
    registerOptions("plugin", valid);
    expect(() => registerOptions("provider", { ...valid, database: { clientUrl: "postgres://" } })).not.toThrow();
  });

  it("different options in the two entries are rejected", () => {
    registerOptions("plugin", valid);
    expect(() => registerOptions("provider", { ...valid, apiKey: "svc_sk_live_other" })).toThrow(
      "give both the same object",
    );
  });
});
