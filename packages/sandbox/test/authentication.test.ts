import { describe, expect, it } from "vitest";
import { api, control, newSession, openSandbox } from "./open-sandbox.ts";

describe("authentication", () => {
  it("the API key is read from X-API-Key, x-service-api-key or Authorization: Bearer, in upper or lower case", async () => {
    const sandbox = await openSandbox();
    const key = sandbox.keys.test.secret;
    for (const headers of [
      { "X-API-Key": key },
      { "x-api-key": key },
      { "X-SERVICE-API-KEY": key },
      { Authorization: `Bearer ${key}` },
      { authorization: `bearer ${key}` },
    ]) {
      const { status } = await api(sandbox, "GET /transactions", { key: null, headers });
      expect(status).toBe(200);
    }
  });

  it("X-API-Key wins over x-service-api-key, which wins over Authorization", async () => {
    const sandbox = await openSandbox();
    const right = sandbox.keys.test.secret;
    const wrong = "svc_sk_test_00000000000000000000000000000000";
    const ask = async (headers: Record<string, string>) =>
      (await api(sandbox, "GET /transactions", { key: null, headers })).status;
    expect(await ask({ "X-API-Key": right, "x-service-api-key": wrong, Authorization: `Bearer ${wrong}` })).toBe(200);
    expect(await ask({ "X-API-Key": wrong, "x-service-api-key": right })).toBe(401);
    expect(await ask({ "x-service-api-key": right, Authorization: `Bearer ${wrong}` })).toBe(200);
    expect(await ask({ "x-service-api-key": wrong, Authorization: `Bearer ${right}` })).toBe(401);
  });

  it("a request without a key is 401 Missing API key, and an unknown key is 401 Invalid API key", async () => {
    const sandbox = await openSandbox();
    const missing = await api(sandbox, "GET /transactions", { key: null });
    expect([missing.status, missing.json.error]).toEqual([401, { code: "unauthorized", message: "Missing API key" }]);
    const invalid = await api(sandbox, "GET /transactions", { key: `${sandbox.keys.test.secret}x` });
    expect([invalid.status, invalid.json.error]).toEqual([401, { code: "unauthorized", message: "Invalid API key" }]);
  });

  it("a publishable key is 403 forbidden on a merchant route", async () => {
    const sandbox = await openSandbox();
    const { status, json } = await api(sandbox, "GET /transactions", { key: sandbox.keys.test.publishable });
    expect(status).toBe(403);
    expect(json.error).toEqual({ code: "forbidden", message: "This API key cannot perform this action" });
  });

  it("a suspended merchant is 403 api_access_suspended", async () => {
    const sandbox = await openSandbox();
    const [merchant] = (await control(sandbox, "GET /organizations")).json;
    await control(sandbox, `PATCH /organizations/${merchant.organization_id}`, { status: "suspended" });
    const { status, json } = await api(sandbox, "GET /transactions");
    expect([status, json.error.code]).toEqual([403, "api_access_suspended"]);
    await control(sandbox, `PATCH /organizations/${merchant.organization_id}`, { status: "active" });
    expect((await api(sandbox, "GET /transactions")).status).toBe(200);
  });

  it("API keys have one of four prefixes and 32 letters and digits", async () => {
    const { keys } = await openSandbox();
    expect(keys.test.secret).toMatch(/^svc_sk_test_[A-Za-z0-9]{32}$/);
    expect(keys.test.publishable).toMatch(/^svc_pk_test_[A-Za-z0-9]{32}$/);
    expect(keys.live.secret).toMatch(/^svc_sk_live_[A-Za-z0-9]{32}$/);
    expect(keys.live.publishable).toMatch(/^svc_pk_live_[A-Za-z0-9]{32}$/);
  });

  it("the key determines the environment, and a live key cannot read a test session", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    expect(session.environment).toBe("test");
    const live = sandbox.keys.live.secret;
    const read = await api(sandbox, `GET /checkout-sessions/${session.id}`, { key: live });
    expect([read.status, read.json.error]).toEqual([404, { code: "not_found", message: "Checkout session not found" }]);
    const created = await api(sandbox, "POST /checkout-sessions", { key: live, body: { amount: 5000 } });
    expect(created.json.environment).toBe("live");
  });

  it("the session of another merchant is 404", async () => {
    const sandbox = await openSandbox();
    const session = await newSession(sandbox);
    const other = (await control(sandbox, "POST /organizations", { name: "Another shop" })).json;
    const { status } = await api(sandbox, `GET /checkout-sessions/${session.id}`, { key: other.keys.test.secret });
    expect(status).toBe(404);
  });
});

// An Operator acts for a member of its network with the header Service-Account. The service names each refusal in `message`; for some
// refusals the message is a sentence, for others a code.
describe("requests for a member of an Operator's network", () => {
  it("Service-Account is rejected on an endpoint that does not support it", async () => {
    const sandbox = await openSandbox();
    const headers = { "Service-Account": "acct_0123456789abcdef" };
    const { status, json } = await api(sandbox, "GET /webhooks", { headers });
    expect([status, json.error.message]).toEqual([400, "Service-Account is not supported on this endpoint"]);
  });

  it("Service-Account needs a secret key, and its organization must be an active Operator", async () => {
    const sandbox = await openSandbox();
    const headers = { "Service-Account": "acct_0123456789abcdef" };
    const publishable = await api(sandbox, "GET /transactions", { headers, key: sandbox.keys.test.publishable });
    expect([publishable.status, publishable.json.error.message]).toEqual([
      403,
      "Network requests require a secret API key",
    ]);
    const secret = await api(sandbox, "GET /transactions", { headers });
    expect([secret.status, secret.json.error.message]).toEqual([403, "operator_not_active"]);
  });
});
