import type { CredentialChange } from "@tillkit/core/ledger";
import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";

const TEST_KEY: CredentialChange = {
  id: "main",
  environment: "test",
  storeIds: ["hats"],
  apiKey: "svc_sk_test_1",
  baseUrl: "https://sandbox.service.example",
  account: "acct_1",
  endpointId: "endpoint",
  webhookSecrets: ["whsec_1"],
};
const LIVE_KEY: CredentialChange = { ...TEST_KEY, id: "live", environment: "live", endpointId: "live" };
const { storeIds: _, ...FOUND } = TEST_KEY;

export function testCredentials(getLedger: GetLedger): void {
  const credentials = () => getLedger().credentials;
  const idsOf = async (storeId: string) => (await credentials().find({ storeId })).map(({ id }) => id);
  const listed = async () => (await credentials().list()).map(({ id, storeIds }) => [id, storeIds]);

  it("a credential is found by its id, by each of its stores and by its endpoint, exactly as it was put", async () => {
    expect(await credentials().put({ ...TEST_KEY, storeIds: ["shoes", "hats"] })).toBe("done");
    for (const by of [{ id: "main" }, { storeId: "hats" }, { storeId: "shoes" }, { endpointId: "endpoint" }])
      expect(await credentials().find(by)).toEqual([FOUND]);
    expect(await credentials().list()).toEqual([{ ...TEST_KEY, storeIds: ["hats", "shoes"] }]);
    for (const by of [{ id: "other" }, { storeId: "Hats" }, { endpointId: "main" }])
      expect(await credentials().find(by)).toEqual([]);
    expect(await credentials().list({ storeId: "other" })).toEqual([]);
  });

  it("a change replaces the credential, its stores and its endpoint", async () => {
    await credentials().put({ ...TEST_KEY, storeIds: ["hats", "shoes"] });
    const next: CredentialChange = {
      ...TEST_KEY,
      apiKey: "svc_sk_test_2",
      baseUrl: "https://new.service.example",
      storeIds: ["shoes", "coats"],
      endpointId: "next",
      webhookSecrets: ["whsec_2", "whsec_1"],
    };
    expect(await credentials().put(next)).toBe("done");
    expect(await credentials().list()).toEqual([{ ...next, storeIds: ["coats", "shoes"] }]);
    expect(await credentials().find({ storeId: "hats" })).toEqual([]);
    expect(await credentials().find({ endpointId: "endpoint" })).toEqual([]);
    expect(await credentials().list({ storeId: "coats" })).toHaveLength(1);
  });

  it("a store has one credential of each environment: the newest; a former credential stays without the store", async () => {
    await credentials().put({ ...TEST_KEY, storeIds: ["hats", "shoes"] });
    await credentials().put(LIVE_KEY);
    await credentials().put({ ...TEST_KEY, id: "next", apiKey: "svc_sk_test_2" });
    expect(await idsOf("hats")).toEqual(["next", "live"]);
    expect(await idsOf("shoes")).toEqual(["main"]);
    expect((await credentials().find({ endpointId: "endpoint" })).map(({ id }) => id)).toEqual(["next", "main"]);
    expect(await listed()).toEqual([
      ["next", ["hats"]],
      ["live", ["hats"]],
      ["main", ["shoes"]],
    ]);
  });

  it("an id keeps its environment and account, an endpoint its environment, and a refused change changes nothing", async () => {
    await credentials().put(TEST_KEY);
    expect(await credentials().put({ ...LIVE_KEY, id: "main" })).toBe("other_key");
    expect(await credentials().put({ ...TEST_KEY, account: "acct_2" })).toBe("other_key");
    expect(await credentials().put({ ...TEST_KEY, account: undefined })).toBe("other_key");
    expect(await credentials().put({ ...LIVE_KEY, endpointId: "endpoint" })).toBe("mixed_endpoint");
    expect(await credentials().list()).toEqual([TEST_KEY]);
  });

  it("a change that keeps the webhook secrets keeps those that are stored, or has none", async () => {
    await credentials().put({ ...TEST_KEY, webhookSecrets: "kept" });
    expect(await credentials().list()).toEqual([{ ...TEST_KEY, webhookSecrets: [] }]);
    await credentials().put(TEST_KEY);
    await credentials().put({ ...TEST_KEY, apiKey: "svc_sk_test_2", webhookSecrets: "kept" });
    expect(await credentials().list()).toEqual([{ ...TEST_KEY, apiKey: "svc_sk_test_2" }]);
  });

  it("a removed credential belongs to no store and no endpoint", async () => {
    await credentials().put(TEST_KEY);
    await credentials().remove("main");
    await credentials().remove("main");
    for (const by of [{ id: "main" }, { storeId: "hats" }, { endpointId: "endpoint" }])
      expect(await credentials().find(by)).toEqual([]);
    expect(await credentials().put({ ...LIVE_KEY, id: "main", endpointId: "endpoint" })).toBe("done");
  });

  it("the version grows with every change and stays without one", async () => {
    const versions = [await credentials().version()];
    const change = async (work: Promise<unknown>) => {
      await work;
      versions.push(await credentials().version());
    };
    await change(credentials().put(TEST_KEY));
    await change(credentials().put(TEST_KEY));
    await change(credentials().put(LIVE_KEY));
    await change(credentials().remove("live"));
    expect(versions).toEqual([...new Set(versions)].sort((left, right) => left - right));
    expect(versions).toHaveLength(5);
    await credentials().list();
    expect(await credentials().version()).toBe(versions.at(-1));
  });

  it("of twenty simultaneous changes of one store each is whole, and the lists agree with the lookups", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `key-${index}`);
    const put = (id: string) => credentials().put({ ...TEST_KEY, id, webhookSecrets: [`whsec_${id}`] });
    expect(await Promise.all(ids.map(put))).toEqual(ids.map(() => "done"));
    const [owner] = await credentials().find({ storeId: "hats" });
    expect(await idsOf("hats")).toHaveLength(1);
    expect((await credentials().list()).filter(({ storeIds }) => storeIds.length > 0)).toEqual([
      { ...owner, storeIds: ["hats"] },
    ]);
    expect(await credentials().find({ endpointId: "endpoint" })).toHaveLength(20);
  });

  it("of a test and a live key that are put at the same time on one endpoint, one is refused", async () => {
    const answers = await Promise.all([
      credentials().put(TEST_KEY),
      credentials().put({ ...LIVE_KEY, endpointId: "endpoint" }),
    ]);
    expect([...answers].sort()).toEqual(["done", "mixed_endpoint"]);
    expect(await credentials().list()).toHaveLength(1);
  });
}
