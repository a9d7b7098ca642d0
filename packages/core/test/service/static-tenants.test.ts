import { describe, expect, it } from "vitest";
import { createTenants } from "../../src/hosts.ts";
import type { CredentialConfig } from "../../src/index.ts";

const testKey: CredentialConfig = {
  storeIds: ["shop"],
  apiKey: `svc_sk_test_${"a".repeat(32)}`,
  baseUrl: "https://sandbox.service.example",
  endpointId: "test",
  webhookSecrets: ["whsec_1"],
};
const liveKey: CredentialConfig = {
  ...testKey,
  apiKey: `svc_sk_live_${"b".repeat(32)}`,
  baseUrl: "https://service.example",
  endpointId: "live",
};

describe("createTenants", () => {
  it("each store gets the key of the environment that it asks for", async () => {
    const tenants = createTenants({ credentials: [testKey, { ...liveKey, id: "our live key", account: "acct_1" }] });
    expect(await tenants.credentialFor("shop", "live")).toEqual({ id: "our live key", account: "acct_1" });
    const { id } = await tenants.credentialFor("shop", "test");
    expect(id).toMatch(/^key_[0-9a-f]{12}$/);
    expect((await tenants.endpoint("test"))?.credentialIds).toEqual([id]);
    expect(await tenants.endpoint("nowhere")).toBeNull();
  });

  it("a live payment is never opened with a test key", async () => {
    const tenants = createTenants({ credentials: [testKey] });
    await expect(tenants.credentialFor("shop", "live")).rejects.toMatchObject({ code: "environment_differs" });
    await expect(tenants.credentialFor("other", "test")).rejects.toMatchObject({ code: "store_not_known" });
  });

  it("a removed key of an open payment throws an error that says what to do", async () => {
    const tenants = createTenants({ credentials: [testKey] });
    await expect(tenants.service("old key")).rejects.toThrow("add it again");
  });

  it.each([
    [{ apiKey: "" }, "Set apiKey to a secret key"],
    [{ apiKey: `svc_pk_test_${"a".repeat(32)}` }, "This is a publishable key"],
    [{ storeIds: [] }, "at least one store"],
    [{ webhookSecrets: [] }, "whsec_"],
    [{ webhookSecrets: ["secret"] }, "whsec_"],
    [{ endpointId: "a/b" }, "part of a URL"],
    [{ baseUrl: "http://service.example" }, "https://"],
  ])("a mistake in the configuration is rejected with one sentence: %j", (change, sentence) => {
    expect(() => createTenants({ credentials: [{ ...testKey, ...change }] })).toThrow(sentence);
  });

  it("an ambiguous configuration is rejected", () => {
    expect(() => createTenants({ credentials: [testKey, testKey] })).toThrow("Two credentials");
    const another = { ...testKey, id: "another" };
    expect(() => createTenants({ credentials: [testKey, another] })).toThrow("two test keys");
    expect(() => createTenants({ credentials: [testKey, { ...liveKey, endpointId: "test" }] })).toThrow(
      "own endpointId",
    );
  });

  it("an error never contains a key", () => {
    const apiKey = `svc_sk_test_${"secret".repeat(6)}`;
    for (const change of [{ storeIds: [] }, { webhookSecrets: [] }, { baseUrl: "http://service.example" }]) {
      try {
        createTenants({ credentials: [{ ...testKey, apiKey, ...change }] });
      } catch (error) {
        expect(String((error as Error).stack)).not.toContain("secretsecret");
      }
    }
  });
});
