import type { ServiceClient } from "@tillkit/client";
import { createManualClock, type ManualClock } from "@tillkit/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createStoredTenants, type StoredTenants } from "../../src/hosts.ts";
import type { CredentialConfig } from "../../src/index.ts";
import type { CredentialKey, Credentials } from "../../src/ledger.ts";
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
let credentials: Credentials;
let tenants: StoredTenants;
beforeEach(() => {
  clock = createManualClock();
  credentials = createMemoryLedger().credentials;
  tenants = createStoredTenants({ credentials, clock });
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
    const other = createStoredTenants({ credentials, clock });
    await expect(other.credentialFor("shop", "test")).rejects.toMatchObject({ code: "store_not_known" });
    const id = await tenants.put(testKey);
    await clock.advance(5_000);
    expect((await other.credentialFor("shop", "test")).id).toBe(id);
    await tenants.remove(id);
    await expect(tenants.service(id)).rejects.toMatchObject({ code: "credential_not_known" });
    await clock.advance(5_000);
    await expect(other.service(id)).rejects.toMatchObject({ code: "credential_not_known" });
  });

  it("a key costs two small reads and then one read every five seconds", async () => {
    await tenants.put(testKey);
    const reads: string[] = [];
    const countingReads: Credentials = {
      ...credentials,
      version: () => {
        reads.push("version");
        return credentials.version();
      },
      find: (by) => {
        reads.push("find");
        return credentials.find(by);
      },
    };
    const other = createStoredTenants({ credentials: countingReads, clock });
    await other.credentialFor("shop", "test");
    expect(reads.splice(0)).toEqual(["version", "find"]);
    await other.credentialFor("shop", "test");
    expect(reads).toEqual([]);
    await clock.advance(5_000);
    await other.credentialFor("shop", "test");
    expect(reads).toEqual(["version"]);
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
    const read = <T>(answer: () => Promise<T>) => (isDown ? Promise.reject(new Error("down")) : answer());
    const failing: Credentials = {
      ...credentials,
      version: () => read(credentials.version),
      find: (by) => read(() => credentials.find(by)),
    };
    const id = await tenants.put(testKey);
    const other = createStoredTenants({ credentials: failing, clock });
    await other.credentialFor("shop", "test");
    isDown = true;
    await clock.advance(60_000);
    expect((await other.credentialFor("shop", "test")).id).toBe(id);
    await expect(createStoredTenants({ credentials: failing, clock }).endpoint("test")).rejects.toThrow("down");
  });
});

describe("a process that ends during a change of keys", () => {
  const rotated = { ...testKey, id: "main", webhookSecrets: ["whsec_2"] };

  /** The tenants of a process that ends at the first answer of the ledger to a change: before the change, or right after it. */
  function endingTenants(isWritten: boolean): StoredTenants {
    const change = async (write: () => Promise<unknown>) => {
      if (isWritten) await write();
      throw new Error("The process ended.");
    };
    const ending: Credentials = {
      ...credentials,
      put: (entry) => change(() => credentials.put(entry)) as Promise<never>,
      remove: (id) => change(() => credentials.remove(id)) as Promise<never>,
    };
    return createStoredTenants({ credentials: ending, clock });
  }

  it.each([
    [false, ["whsec_1"]],
    [true, ["whsec_2"]],
  ])("every process answers with the same webhook secret, written: %s", async (isWritten, secrets) => {
    await tenants.put({ ...rotated, webhookSecrets: ["whsec_1"] });
    await tenants.endpoint("test");
    await expect(endingTenants(isWritten).put(rotated)).rejects.toThrow("ended");
    await clock.advance(5_000);
    for (const process of [tenants, createStoredTenants({ credentials, clock })])
      expect((await process.endpoint("test"))?.secrets).toEqual(secrets);
  });

  it.each([false, true])("a new key is listed exactly where its store has it, written: %s", async (isWritten) => {
    await expect(tenants.credentialFor("shop", "test")).rejects.toMatchObject({ code: "store_not_known" });
    await expect(endingTenants(isWritten).put(rotated)).rejects.toThrow("ended");
    await clock.advance(5_000);
    const isKnown = await tenants.credentialFor("shop", "test").then(
      () => true,
      () => false,
    );
    expect([isKnown, (await tenants.list()).length, (await tenants.list({ storeId: "shop" })).length]).toEqual(
      isWritten ? [true, 1, 1] : [false, 0, 0],
    );
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
    const createClient = ({ apiKey }: CredentialKey) => {
      keys.push(apiKey);
      return {} as ServiceClient;
    };
    tenants = createStoredTenants({ credentials, clock, createClient });
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
    const other = createStoredTenants({ credentials, clock });
    const keys = ["e", "f"].map((letter) => ({ ...testKey, apiKey: `svc_sk_test_${letter.repeat(32)}` }));
    await Promise.all([tenants.put(keys[0] ?? testKey), other.put(keys[1] ?? testKey)]);
    await clock.advance(5_000);
    expect(await tenants.credentialFor("shop", "test")).toEqual(await other.credentialFor("shop", "test"));
  });
});
