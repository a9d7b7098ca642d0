import { createMemoryLedger } from "@tillkit/core/memory";
import { describe, expect, test } from "vitest";
import { type CheckoutServerOptions, createCheckoutServer } from "../src/index.ts";
import { openSmallShop } from "./fixtures/small-shop.ts";

const credential = {
  storeIds: ["boutique"],
  apiKey: "svc_sk_test_0123456789abcdefghijklmnopqrstuv",
  baseUrl: "https://api.service.example",
  endpointId: "boutique-test",
  webhookSecrets: ["whsec_1"],
};

const valid: CheckoutServerOptions = {
  publicUrl: "https://pay.boutique.example",
  keys: ["x".repeat(32)],
  ledger: createMemoryLedger(),
  stores: { boutique: openSmallShop().adapter },
  credentials: [credential],
};

const { commit, claim } = createMemoryLedger();
/** A ledger that cannot list its rows. */
const paymentsOnly = { commit, claim };

function mistakeOf(invalid: Record<string, unknown>): string {
  try {
    createCheckoutServer({ ...valid, ...invalid });
  } catch (error) {
    expect(error).toMatchObject({ name: "CheckoutError", code: "configuration_invalid", retryable: false });
    return (error as Error).message;
  }
  throw new Error("The options were accepted.");
}

describe("the merchant's configuration", () => {
  test.each([
    "https://pay.boutique.example/",
    "https://boutique.example/pay-desk",
    "http://localhost:3000",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
  ])("the public URL may be %s", (publicUrl) => {
    expect(() => createCheckoutServer({ ...valid, publicUrl })).not.toThrow();
  });

  test.each([
    ["a public URL without https", { publicUrl: "http://pay.boutique.example" }, /publicUrl must begin with https/],
    ["a public URL that only looks local", { publicUrl: "http://localhost.evil.example" }, /publicUrl must begin/],
    ["no public URL", { publicUrl: undefined }, /publicUrl must be a whole address/],
    ["a public URL with a query", { publicUrl: "https://boutique.example/?a=1" }, /publicUrl must have no query/],
    ["no keys", { keys: [] }, /keys is empty/],
    ["keys that are missing", { keys: undefined }, /keys is empty/],
    ["a short key", { keys: ["x".repeat(32), "short"] }, /keys\[1\] is too short/],
    ["a key whose environment variable is not set", { keys: [undefined] }, /keys\[0\] is too short/],
    ["no ledger", { ledger: undefined }, /ledger is missing/],
    ["no stores", { stores: {} }, /stores is empty/],
    ["no credentials", { credentials: [] }, /credentials is empty/],
    ["operators without a token", { operators: { tokens: [] } }, /operators\.tokens is empty/],
    [
      "an operator token that is too short",
      { operators: { tokens: ["secret"] } },
      /operators\.tokens\[0\] is too short/,
    ],
    ["a scraper's token that can be guessed", { metrics: { token: "secret" } }, /metrics\.token is too short/],
    ["alerts without a channel", { alerts: { language: "fr" } }, /neither email nor webhook/],
    [
      "alerts by an address that is not a mail server's",
      { alerts: { language: "fr", email: { smtpUrl: "https://mail.example", from: "a@b.c", to: "a@b.c" } } },
      /smtpUrl must begin with smtp/,
    ],
    [
      "alerts over a plain connection",
      { alerts: { language: "en", webhook: { url: "http://chat.example", secret: "x".repeat(16) } } },
      /alerts\.webhook\.url must begin with https/,
    ],
    ["alerts in a third language", { alerts: { language: "de" } }, /"fr" or "en"/],
    [
      "a retention that would prune payments which may still be paid",
      { retention: { days: 3 } },
      /retention\.days must be/,
    ],
    [
      "operators' pages on a ledger that cannot list its rows",
      { operators: { tokens: ["x".repeat(32)] }, ledger: paymentsOnly },
      /operators: this ledger cannot list its payments/,
    ],
    [
      "a missing API key",
      { credentials: [{ ...credential, apiKey: undefined }] },
      /credentials\[0\]\.apiKey is missing/,
    ],
    ["a publishable key", { credentials: [{ ...credential, apiKey: "svc_pk_test_1" }] }, /publishable key/],
    ["a webhook secret in place of an API key", { credentials: [{ ...credential, apiKey: "whsec_1" }] }, /secret key/],
    ["no base URL", { credentials: [{ ...credential, baseUrl: "" }] }, /credentials\[0\]\.baseUrl must be/],
    [
      "a base URL without https",
      { credentials: [{ ...credential, baseUrl: "http://api.service.example" }] },
      /credentials\[0\]\.baseUrl must begin with https/,
    ],
    [
      "a credential for a store that is not configured",
      { credentials: [{ ...credential, storeIds: ["boutique", "b"] }] },
      /storeIds contains "b", but the option stores has no such store/,
    ],
    [
      "a store without a key",
      { stores: { ...valid.stores, second: openSmallShop().adapter } },
      /Store "second" has no/,
    ],
    ["no endpoint", { credentials: [{ ...credential, endpointId: undefined }] }, /endpointId is missing/],
    ["an endpoint that is no part of a URL", { credentials: [{ ...credential, endpointId: "a/b" }] }, /endpointId/],
    ["no webhook secret", { credentials: [{ ...credential, webhookSecrets: [] }] }, /webhookSecrets/],
    ["an empty webhook secret", { credentials: [{ ...credential, webhookSecrets: [undefined] }] }, /webhookSecrets/],
    ["the same key twice", { credentials: [credential, { ...credential, endpointId: "other" }] }, /two|Two/],
  ])("a configuration with %s is rejected with a sentence that says what to do", (_what, invalid, sentence) => {
    expect(mistakeOf(invalid)).toMatch(sentence);
  });

  test("a configuration with several mistakes is rejected with all of them", () => {
    const message = mistakeOf({ publicUrl: "nowhere", keys: ["short"], ledger: undefined });
    expect(message.split("\n")).toHaveLength(3);
  });

  test("the sentences about a configuration never repeat its secrets", () => {
    const secrets = {
      keys: ["hunter2"],
      credentials: [{ ...credential, apiKey: "svc_pk_live_hunter2", baseUrl: "x" }],
    };
    expect(mistakeOf(secrets)).not.toContain("hunter2");
    expect(mistakeOf({ credentials: [{ ...credential, apiKey: "svc_pk_live_hunter2" }] })).not.toContain("hunter2");
  });
});
