import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../answer.ts";
import { answeringEndpoints, endpoints, unknownParams } from "../operations.ts";
import { startService } from "../service.ts";
import { order } from "../steps.ts";

describe("Authentication", () => {
  const service = startService({ settings: { ratePolicy: "off" } });
  const read = (headers: Record<string, string>) => service.call("GET /transactions", { key: null, headers });

  it.each(["X-API-Key", "X-API-KEY", "x-api-key", "X-Api-Key", "x-service-api-key", "X-SERVICE-API-KEY"])(
    "the secret key can be sent in the header %s, in exactly this spelling",
    async (name) => {
      expect(await statusWithHeader(service.baseUrl(), name, service.keys().test.secret)).toBe(200);
    },
  );

  it("the secret key can be sent as a bearer token in Authorization", async () => {
    expect((await read({ Authorization: `Bearer ${service.keys().test.secret}` })).status).toBe(200);
  });

  it("X-API-Key takes precedence over x-service-api-key and Authorization", async () => {
    const good = service.keys().test.secret;
    const bad = `svc_sk_test_${"a".repeat(32)}`;
    const statuses = [
      await read({ "X-API-Key": good, "x-service-api-key": bad, Authorization: `Bearer ${bad}` }),
      await read({ "X-API-Key": bad, "x-service-api-key": good, Authorization: `Bearer ${good}` }),
      await read({ "x-service-api-key": good, Authorization: `Bearer ${bad}` }),
      await read({ "x-service-api-key": bad, Authorization: `Bearer ${good}` }),
    ].map((answer) => answer.status);
    expect(statuses).toEqual([200, 401, 200, 401]);
  });

  it.each(endpoints.map(({ operation }) => operation))(
    "%s without a key gives 401 unauthorized Missing API key",
    async (operation) => {
      const answer = await service.call(operation, { key: null, params: unknownParams(operation) });
      expectRefusal(answer, 401, "unauthorized", "Missing API key");
    },
  );

  it.each(endpoints.map(({ operation }) => operation))(
    "%s with a wrong key gives 401 unauthorized Invalid API key",
    async (operation) => {
      const key = `svc_sk_test_${"b".repeat(32)}`;
      const answer = await service.call(operation, { key, params: unknownParams(operation) });
      expectRefusal(answer, 401, "unauthorized", "Invalid API key");
    },
  );

  it.each(["nonsense", "svc_sk_test_", "svc_sk_live_short", "sk_test_1234567890"])(
    "a malformed key (%s) gives 401 unauthorized Invalid API key",
    async (key) => {
      expectRefusal(await service.call("GET /transactions", { key }), 401, "unauthorized", "Invalid API key");
    },
  );

  it("a secret key under the prefix of the other environment is invalid", async () => {
    const key = service.keys().test.secret.replace("svc_sk_test_", "svc_sk_live_");
    expectRefusal(await service.call("GET /transactions", { key }), 401, "unauthorized", "Invalid API key");
  });

  it.each(answeringEndpoints.map(({ operation }) => operation))(
    "%s with a publishable key gives 403 forbidden",
    async (operation) => {
      for (const { publishable } of [service.keys().test, service.keys().live]) {
        const answer = await service.call(operation, { key: publishable, params: unknownParams(operation) });
        expectRefusal(answer, 403, "forbidden", "This API key cannot perform this action");
      }
    },
  );

  it("suspended API access gives 403 api_access_suspended until the organization is active again", async () => {
    const shop = await service.merchant();
    await service.control(`PATCH /organizations/${shop.organizationId}`, { status: "suspended" });
    for (const call of [shop.call, shop.live]) {
      const answer = await call("POST /checkout-sessions", { body: order });
      expectRefusal(answer, 403, "api_access_suspended", "API access is suspended");
    }
    await service.control(`PATCH /organizations/${shop.organizationId}`, { status: "active" });
    expect((await shop.call("POST /checkout-sessions", { body: order })).status).toBe(201);
  });

  it("the four kinds of key have their prefixes and 32 letters or digits", () => {
    const { test, live } = service.keys();
    expect(test.secret).toMatch(/^svc_sk_test_[A-Za-z0-9]{32}$/);
    expect(live.secret).toMatch(/^svc_sk_live_[A-Za-z0-9]{32}$/);
    expect(test.publishable).toMatch(/^svc_pk_test_[A-Za-z0-9]{32}$/);
    expect(live.publishable).toMatch(/^svc_pk_live_[A-Za-z0-9]{32}$/);
  });

  it("a refusal never repeats the key that was sent", async () => {
    const key = "nothing-you-should-print-0123456789";
    expect((await service.call("GET /transactions", { key })).raw).not.toContain(key);
  });
});

/** Sends the header name unchanged; `fetch` would write it in lower case. */
function statusWithHeader(baseUrl: string, name: string, value: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}/transactions`, { headers: { [name]: value } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject).end();
  });
}
