import { createServiceClient } from "@tillkit/client";
import { describe, expect, test } from "vitest";
import { responds, SESSION, startFaultServer } from "./fault-server.ts";
import { TEST_KEY, testClient } from "./test-client.ts";

describe("creating a client", () => {
  test.each([
    ["http://api.example", "insecure_url"],
    ["http://localhost.attacker.example", "insecure_url"],
    ["http://127.0.0.1.attacker.example", "insecure_url"],
    ["http://shop.localhost", "insecure_url"],
    ["ftp://127.0.0.1", "insecure_url"],
    ["api.example", "url_invalid"],
    ["https://user:pass@api.example", "url_invalid"],
    ["https://api.example/?key=1", "url_invalid"],
  ])("the base URL %s is rejected with %s", (baseUrl, code) => {
    expect(() => createServiceClient({ apiKey: TEST_KEY, baseUrl })).toThrow(expect.objectContaining({ code }));
  });

  test.each(["https://api.example", "http://127.0.0.1:4000", "http://localhost:4000", "http://[::1]:4000"])(
    "the base URL %s is accepted",
    (baseUrl) => {
      expect(createServiceClient({ apiKey: TEST_KEY, baseUrl }).environment).toBe("test");
    },
  );

  test.each(["", "secret", "svc_pk_test_0123456789abcdef", "svc_sk_test_", "svc_sk_live_a b"])(
    "the API key %j is rejected with a message that does not show it",
    (apiKey) => {
      const create = () => createServiceClient({ apiKey, baseUrl: "https://api.example" });
      expect(create).toThrow(expect.objectContaining({ code: "key_invalid" }));
      if (apiKey.length > "svc_sk_test_".length) expect(create).not.toThrow(apiKey);
    },
  );
});

describe("the address of a call", () => {
  test.each(["", "/", "/v1", "/v1/"])("a base URL that ends with %j results in the same paths", async (end) => {
    const service = await startFaultServer(responds(200, SESSION));
    const { client } = testClient(service.baseUrl + end);
    await client.checkoutSessions.read(SESSION.id);
    await client.transactions.read("txn_8QW3ER5TYU7KPA").catch(() => undefined);
    expect(service.received.map((request) => request.url)).toEqual([
      `/v1/checkout-sessions/${SESSION.id}`,
      "/transactions/txn_8QW3ER5TYU7KPA",
    ]);
  });

  test("the version prefix of checkout sessions can be omitted", async () => {
    const service = await startFaultServer(responds(200, SESSION));
    const { client } = testClient(service.baseUrl, { versionPrefix: "" });
    await client.checkoutSessions.read(SESSION.id);
    expect(service.received[0]?.url).toBe(`/checkout-sessions/${SESSION.id}`);
  });

  test.each(["", "..", "a/b", "{CHECKOUT_SESSION_ID}", "a?b=c"])(
    "the id %j is rejected before it becomes a path",
    async (id) => {
      const service = await startFaultServer(responds(200, SESSION));
      const { client } = testClient(service.baseUrl);
      await expect(client.checkoutSessions.read(id)).rejects.toMatchObject({ code: "request_invalid" });
      expect(service.received).toEqual([]);
    },
  );
});

describe("the headers of a call", () => {
  test("the Member Account is sent only with calls that accept a Member Account", async () => {
    const service = await startFaultServer(responds(200, SESSION));
    const { client } = testClient(service.baseUrl, { account: "acct_0123456789abcdef" });
    await client.checkoutSessions.create({ amount: 1000 });
    await client.checkoutSessions.read(SESSION.id);
    await client.checkoutSessions.create({ amount: 1000 }, { serviceAccount: "acct_other" });
    await client.checkoutSessions.create({ amount: 1000 }, { serviceAccount: null });
    expect(service.received.map((request) => request.headers["service-account"])).toEqual([
      "acct_0123456789abcdef",
      undefined,
      "acct_other",
      undefined,
    ]);
  });

  test("a Member Account is rejected for a call that accepts none", async () => {
    const { client } = testClient("https://api.example");
    const reading = client.checkoutSessions.read(SESSION.id, { serviceAccount: "acct_0123456789abcdef" });
    await expect(reading).rejects.toMatchObject({ code: "request_invalid" });
  });

  test.each([
    ["empty", ""],
    ["accented", "é"],
    ["broken over two lines", "a\nb"],
    ["longer than 255 characters", "x".repeat(256)],
  ])("an Idempotency-Key that is %s is rejected before the call is sent", async (_, key) => {
    const { client } = testClient("https://api.example");
    const opening = client.checkoutSessions.create({ amount: 1 }, { idempotencyKey: key });
    await expect(opening).rejects.toMatchObject({ code: "request_invalid" });
  });

  test("the API key, content type and version are sent", async () => {
    const service = await startFaultServer(responds(201, SESSION));
    const { client } = testClient(service.baseUrl, { version: "1.2.0" });
    await client.checkoutSessions.create({ amount: 1000 });
    expect(service.received[0]?.headers).toMatchObject({
      "x-api-key": TEST_KEY,
      "content-type": "application/json",
      "service-version": "1.2.0",
    });
  });
});
