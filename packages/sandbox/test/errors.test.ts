import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { api, openSandbox } from "./open-sandbox.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("errors", () => {
  it("an error has code, message and the request_id of X-Request-Id", async () => {
    const sandbox = await openSandbox();
    const { headers, json } = await api(sandbox, "GET /nothing-here");
    expect(Object.keys(json)).toEqual(["error", "request_id"]);
    expect(json.request_id).toMatch(uuid);
    expect(headers.get("x-request-id")).toBe(json.request_id);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
  });

  it("an unknown route and another method on a known route are 404", async () => {
    const sandbox = await openSandbox();
    for (const route of [
      "GET /",
      "GET /me",
      "DELETE /transactions",
      "PUT /checkout-sessions",
      "GET /v1",
      "GET /v2/transactions",
    ]) {
      const { status, json } = await api(sandbox, route);
      expect([route, status, json.error.code]).toEqual([route, 404, "not_found"]);
    }
  });

  it("a body that is not JSON, not declared as JSON, or nested too deeply is 400 bad_request", async () => {
    const sandbox = await openSandbox();
    const bodies: [string, Record<string, string>][] = [
      ['{"amount":', {}],
      ["amount=5000", {}],
      ['{"amount":5000}', { "Content-Type": "text/plain" }],
      [`{"metadata":${"[".repeat(5000)}${"]".repeat(5000)}}`, {}],
    ];
    for (const [body, headers] of bodies) {
      const { status, json } = await api(sandbox, "POST /checkout-sessions", { body, headers });
      expect([status, json.error.code]).toEqual([400, "bad_request"]);
    }
  });

  it("a body above 1 MiB is 400 bad_request, with and without Content-Length", async () => {
    const sandbox = await openSandbox();
    const body = JSON.stringify({ amount: 5000, description: "x".repeat(1024 * 1024) });
    const announced = await api(sandbox, "POST /checkout-sessions", { body });
    expect([announced.status, announced.json.error.code]).toEqual([400, "bad_request"]);
    const stream = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 20; part++) controller.enqueue(new TextEncoder().encode("x".repeat(65_536)));
        controller.close();
      },
    });
    const init = { method: "POST", body: stream, duplex: "half", headers: { "X-API-Key": sandbox.keys.test.secret } };
    const chunked = await fetch(`${sandbox.baseUrl}/checkout-sessions`, init as RequestInit);
    expect(chunked.status).toBe(400);
  });

  it("a request's key, version, account, Idempotency-Key and body are checked in this order", async () => {
    const sandbox = await openSandbox();
    const headers = { "Service-Version": "9.9.9", "Service-Account": "acct_1", "Idempotency-Key": "x".repeat(256) };
    const messageFor = async (key: string | null, sent: Record<string, string>) =>
      (await api(sandbox, "POST /checkout-sessions", { key, headers: sent, body: "{" })).json.error.message;
    expect(await messageFor(null, headers)).toBe("Missing API key");
    expect(await messageFor(sandbox.keys.test.secret, headers)).toMatch(/Service-Version/);
    const { "Service-Version": _, ...withoutVersion } = headers;
    expect(await messageFor(sandbox.keys.test.secret, withoutVersion)).toBe("operator_not_active");
    expect(await messageFor(sandbox.keys.test.secret, { "Idempotency-Key": headers["Idempotency-Key"] })).toMatch(
      /Idempotency-Key/,
    );
    expect(await messageFor(sandbox.keys.test.secret, {})).toMatch(/not valid JSON/);
  });

  it("every response has Service-Version, and another requested version is rejected", async () => {
    const sandbox = await openSandbox();
    const plain = await api(sandbox, "GET /transactions");
    expect(plain.headers.get("service-version")).toBe("1.2.0");
    expect((await api(sandbox, "GET /transactions", { headers: { "Service-Version": "1.2.0" } })).status).toBe(200);
    const { status, json, headers } = await api(sandbox, "GET /transactions", {
      headers: { "Service-Version": "2.0.0" },
    });
    expect([status, json.error.code, headers.get("service-version")]).toEqual([400, "bad_request", "1.2.0"]);
  });

  it("malformed requests never get a 500 or a stack trace", async () => {
    const sandbox = await openSandbox();
    const negativeOffset = Buffer.from('{"offset":-1}').toString("base64url");
    const malformed: [string, unknown][] = [
      ["POST /checkout-sessions", "null"],
      ["POST /checkout-sessions", "[]"],
      ["POST /checkout-sessions", '{"amount":1e400}'],
      ["POST /checkout-sessions", '{"__proto__":{"amount":1},"amount":"5000"}'],
      ["POST /checkout-sessions", { amount: 5000, metadata: { a: "\u0000" }, title: "\ud800" }],
      ["POST /webhooks", { url: "::", authorized_events: [null] }],
      ["PATCH /webhooks/%E0%A4%A", {}],
      ["GET /transactions?limit=1e9&status=%00&startDate=x", undefined],
      ["GET /transactions/%00", undefined],
      [`GET /transactions?cursor=${negativeOffset}`, undefined],
    ];
    for (const [route, body] of malformed) {
      const { status, text } = await api(sandbox, route, body === undefined ? {} : { body });
      expect([route, status < 500]).toEqual([route, true]);
      expect(text).not.toMatch(/at .*\.ts|node:/);
    }
  });

  it("the sandbox listens on 127.0.0.1 only", async () => {
    const sandbox = await openSandbox();
    const { hostname, port } = new URL(sandbox.baseUrl);
    expect(hostname).toBe("127.0.0.1");
    const otherAddress = await new Promise((resolve) => {
      const socket = connect({ host: "127.0.0.2", port: Number(port) });
      socket.on("connect", () => resolve("open"));
      socket.on("error", () => resolve("closed"));
    });
    expect(otherAddress).toBe("closed");
  });
});
