import type { ServiceClient } from "@tillkit/client";
import { createManualClock, type ManualClock } from "@tillkit/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { type CredentialConfig, createStoredTenants, type Records, type StoredTenants } from "../../src/index.ts";
import { createMemoryLedger } from "../../src/memory.ts";

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

let clock: ManualClock;
let secrets: Records;
let tenants: StoredTenants;
beforeEach(() => {
  clock = createManualClock();
  secrets = createMemoryLedger().secrets;
  tenants = createStoredTenants({ secrets, clock });
});

describe("createStoredTenants", () => {
  it("a new key serves its store at once, in its environment", async () => {
    await expect(tenants.credentialFor("shop", "test")).rejects.toMatchObject({ code: "store_not_known" });
    const id = await tenants.put({ ...testKey, account: "acct_1" });
    expect(await tenants.credentialFor("shop", "test")).toEqual({ id, account: "acct_1" });
    expect(await tenants.endpoint("test")).toEqual({ secrets: ["whsec_1"], credentialIds: [id], environment: "test" });
    await tenants.service(id);
    await expect(tenants.credentialFor("shop", "live")).rejects.toMatchObject({ code: "environment_differs" });
    expect(await tenants.endpoint("nowhere")).toBeNull();
  });

  it("other processes see added and removed keys within five seconds", async () => {
    const other = createStoredTenants({ secrets, clock });
    await expect(other.credentialFor("shop", "test")).rejects.toMatchObject({ code: "store_not_known" });
    const id = await tenants.put(testKey);
    await clock.advance(5_000);
    expect((await other.credentialFor("shop", "test")).id).toBe(id);
    await tenants.remove(id);
    await expect(tenants.service(id)).rejects.toMatchObject({ code: "credential_not_known" });
    await clock.advance(5_000);
    await expect(other.service(id)).rejects.toMatchObject({ code: "credential_not_known" });
  });

  it("a key costs three small reads and then one read every five seconds, however many other keys there are", async () => {
    for (let index = 0; index < 450; index += 1) {
      const apiKey = `svc_sk_test_${String(index).padStart(32, "0")}`;
      await tenants.put({ ...testKey, apiKey, storeIds: [`shop ${index}`], endpointId: `endpoint-${index}` });
    }
    const reads: string[] = [];
    const countingRecords: Records = {
      ...secrets,
      get: (...row) => {
        reads.push(row[1]);
        return secrets.get(...row);
      },
      list: () => Promise.reject(new Error("All keys were read.")),
    };
    const other = createStoredTenants({ secrets: countingRecords, clock });
    await other.credentialFor("shop 7", "test");
    expect(reads.splice(0)).toEqual(["credential-changes", "credentials-of-store", "credential"]);
    await other.credentialFor("shop 7", "test");
    expect(reads).toEqual([]);
    await clock.advance(5_000);
    await other.credentialFor("shop 7", "test");
    expect(reads).toEqual(["credential-changes"]);
  });

  it("keys that were stored without an index are indexed when they are first read", async () => {
    const { id, ...entry } = { ...testKey, id: "main", environment: "test" };
    await secrets.put("", "credential", "older", { ...entry, id: "older", storeIds: ["other shop"], putAt: 1 }, "new");
    await secrets.put("", "credential", id, { ...entry, id, putAt: 2 }, "new");
    await secrets.put("", "credential-changes", "all", null, "new");
    expect(await tenants.credentialFor("shop", "test")).toEqual({ id, account: null });
    expect(await tenants.credentialFor("other shop", "test")).toEqual({ id: "older", account: null });
    expect((await tenants.endpoint("test"))?.credentialIds).toEqual([id, "older"]);
  });

  it("a removed key belongs to no store and no endpoint", async () => {
    const id = await tenants.put(testKey);
    await tenants.remove(id);
    await expect(tenants.credentialFor("shop", "test")).rejects.toMatchObject({ code: "store_not_known" });
    expect([await tenants.endpoint("test"), await tenants.list()]).toEqual([null, []]);
  });

  it("a key that moves to another store and another endpoint leaves its old store and endpoint", async () => {
    await tenants.put({ ...testKey, id: "main" });
    await tenants.put({ ...testKey, id: "main", storeIds: ["second shop"], endpointId: "second" });
    await expect(tenants.credentialFor("shop", "test")).rejects.toMatchObject({ code: "store_not_known" });
    expect((await tenants.credentialFor("second shop", "test")).id).toBe("main");
    expect(await tenants.endpoint("test")).toBeNull();
    expect((await tenants.list({ storeId: "second shop" })).map(({ endpointId }) => endpointId)).toEqual(["second"]);
  });

  it("keys are served from the cache while the ledger does not respond", async () => {
    let isDown = false;
    const failing: Records = {
      ...secrets,
      get: (...row) => (isDown ? Promise.reject(new Error("down")) : secrets.get(...row)),
    };
    const id = await tenants.put(testKey);
    const other = createStoredTenants({ secrets: failing, clock });
    await other.credentialFor("shop", "test");
    isDown = true;
    await clock.advance(60_000);
    expect((await other.credentialFor("shop", "test")).id).toBe(id);
    await expect(createStoredTenants({ secrets: failing, clock }).endpoint("test")).rejects.toThrow("down");
  });
});

describe("a replaced key", () => {
  it("a replaced key reads the payments that it opened and opens no new payments", async () => {
    const old = await tenants.put(testKey);
    const next = await tenants.put({ ...testKey, apiKey: `svc_sk_test_${"c".repeat(32)}`, endpointId: "test-2" });
    expect((await tenants.credentialFor("shop", "test")).id).toBe(next);
    await tenants.service(old);
    expect(await tenants.endpoint("test")).not.toBeNull();
    expect((await tenants.list()).map(({ id, storeIds }) => [id, storeIds])).toEqual(
      expect.arrayContaining([
        [old, []],
        [next, ["shop"]],
      ]),
    );
  });

  it("a live key leaves the test payments to the test key", async () => {
    const test = await tenants.put(testKey);
    const live = await tenants.put(liveKey);
    expect((await tenants.credentialFor("shop", "live")).id).toBe(live);
    expect((await tenants.credentialFor("shop", "test")).id).toBe(test);
    await expect(tenants.put({ ...liveKey, id: test })).rejects.toMatchObject({ code: "configuration_invalid" });
  });

  it("a new key under the same id gets a new client, which reads the old sessions", async () => {
    const keys: string[] = [];
    const createClient = ({ apiKey }: CredentialConfig) => {
      keys.push(apiKey);
      return {} as ServiceClient;
    };
    tenants = createStoredTenants({ secrets, clock, createClient });
    await tenants.put({ ...testKey, id: "main" });
    const before = await tenants.service("main");
    expect(await tenants.service("main")).toBe(before);
    const rotated = `svc_sk_test_${"d".repeat(32)}`;
    await tenants.put({ ...testKey, id: "main", apiKey: rotated });
    expect(await tenants.service("main")).not.toBe(before);
    expect(keys.at(-1)).toBe(rotated);
  });

  it("an endpoint has its old and its new webhook secret while the secret is rotated", async () => {
    const id = await tenants.put(testKey);
    await tenants.put({ ...testKey, webhookSecrets: ["whsec_2", "whsec_1"] });
    expect(await tenants.endpoint("test")).toMatchObject({ secrets: ["whsec_2", "whsec_1"], credentialIds: [id] });
  });
});

describe("stored keys", () => {
  it.each([
    [{ apiKey: "svc_pk_test_x" }, "publishable"],
    [{ storeIds: [] }, "at least one store"],
    [{ webhookSecrets: ["secret"] }, "whsec_"],
    [{ baseUrl: "http://service.example" }, "https://"],
  ])("a stored key with a mistake is rejected with one sentence: %j", async (change, sentence) => {
    await expect(tenants.put({ ...testKey, ...change })).rejects.toThrow(sentence);
    expect(await tenants.list()).toEqual([]);
  });

  it("an endpoint cannot mix test and live keys", async () => {
    await tenants.put(testKey);
    await expect(tenants.put({ ...liveKey, endpointId: "test" })).rejects.toThrow("own endpointId");
  });

  it("a listed credential shows no keys and no secrets", async () => {
    const id = await tenants.put(testKey);
    const shown = { id, environment: "test", storeIds: ["shop"], baseUrl: testKey.baseUrl, account: null };
    expect(await tenants.list()).toEqual([{ ...shown, endpointId: "test", webhookSecrets: 1 }]);
  });

  it("the later of two simultaneous keys for one store counts for both processes", async () => {
    const other = createStoredTenants({ secrets, clock });
    const keys = ["e", "f"].map((letter) => ({ ...testKey, apiKey: `svc_sk_test_${letter.repeat(32)}` }));
    await Promise.all([tenants.put(keys[0] ?? testKey), other.put(keys[1] ?? testKey)]);
    await clock.advance(5_000);
    expect(await tenants.credentialFor("shop", "test")).toEqual(await other.credentialFor("shop", "test"));
  });
});
