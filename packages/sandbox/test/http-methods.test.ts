import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Sandbox } from "../src/index.ts";
import { api, newSession, openSandbox } from "./open-sandbox.ts";

type CallOptions = { key?: string | null };

/** Sends a request with the merchant's test key. `key` replaces it; null sends none. */
async function call(sandbox: Sandbox, route: string, { key = sandbox.keys.test.secret }: CallOptions = {}) {
  const [method = "", path = ""] = route.split(" ");
  const headers: Record<string, string> = key === null ? {} : { "X-API-Key": key };
  const response = await fetch(sandbox.baseUrl + path, { method, headers, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The response of the sandbox to a request of exactly these lines. */
async function sendLines(sandbox: Sandbox, ...lines: string[]): Promise<{ head: string; json: { error: object } }> {
  const { hostname, port } = new URL(sandbox.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(`${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  return { head, json: JSON.parse(body) };
}

describe("HEAD and OPTIONS", () => {
  it("HEAD answers as GET does, with the same length and without a body", async () => {
    const sandbox = await openSandbox();
    const { id } = await newSession(sandbox);
    for (const path of [
      `/v1/checkout-sessions/${id}`,
      "/transactions",
      "/sandbox/clock",
      "/openapi.json",
      "/sandbox/console",
    ]) {
      const get = await call(sandbox, `GET ${path}`);
      const head = await call(sandbox, `HEAD ${path}`);
      expect([path, head.status, head.text]).toEqual([path, 200, ""]);
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
      // The answers to the other paths are compressed, or change between both requests.
      if (path.includes("checkout-sessions")) {
        expect(head.headers.get("content-length")).toBe(String(get.text.length));
      }
    }
    expect((await call(sandbox, "HEAD /transactions", { key: null })).status).toBe(401);
    expect((await call(sandbox, "HEAD /refunds/unknown")).status).toBe(404);
    expect((await call(sandbox, "HEAD /sandbox/reset")).status).toBe(405);
  });

  it("OPTIONS names the methods of a path, needs no key, and permits no other origin", async () => {
    const sandbox = await openSandbox();
    for (const [path, allow] of [
      ["/v1/checkout-sessions", "POST, OPTIONS"],
      ["/transactions", "GET, HEAD, OPTIONS"],
      ["/webhooks/wh_22222222222222", "GET, HEAD, PATCH, DELETE, OPTIONS"],
      ["/sandbox/settings", "GET, HEAD, PATCH, OPTIONS"],
      ["/sandbox/checkout-sessions/x/pay", "POST, OPTIONS"],
      ["/sandbox/console/sessions", "GET, HEAD, POST, OPTIONS"],
      ["/pay/cs_22222222222222", "GET, HEAD, POST, OPTIONS"],
      ["/openapi.json", "GET, HEAD, OPTIONS"],
    ] as const) {
      const { status, headers, text: body } = await call(sandbox, `OPTIONS ${path}`, { key: null });
      expect([path, status, headers.get("allow"), body]).toEqual([path, 204, allow, ""]);
      expect(headers.has("access-control-allow-origin")).toBe(false);
    }
    expect((await call(sandbox, "OPTIONS /nothing")).status).toBe(404);
    expect((await call(sandbox, "OPTIONS /sandbox/nothing")).status).toBe(404);
  });

  it("another method is 405 with Allow on control API, console and pages", async () => {
    const sandbox = await openSandbox();
    for (const [route, allow] of [
      ["DELETE /sandbox/settings", "GET, HEAD, PATCH, OPTIONS"],
      ["GET /sandbox/reset", "POST, OPTIONS"],
      ["PUT /sandbox/console/sessions", "GET, HEAD, POST, OPTIONS"],
      ["PUT /pay/cs_22222222222222", "GET, HEAD, POST, OPTIONS"],
      ["POST /openapi.json", "GET, HEAD, OPTIONS"],
    ] as const) {
      const { status, headers, text: body } = await call(sandbox, route);
      expect([route, status, headers.get("allow")]).toEqual([route, 405, allow]);
      expect(JSON.parse(body).error.code).toBe("bad_request");
    }
  });

  it("another method on a route of the service's API is 404, and Allow names the methods of the route", async () => {
    const sandbox = await openSandbox();
    const { status, headers, json } = await api(sandbox, "DELETE /transactions");
    expect([status, json.error.code, headers.get("allow")]).toEqual([404, "not_found", "GET, HEAD, OPTIONS"]);
    expect((await api(sandbox, "GET /nothing")).headers.has("allow")).toBe(false);
  });

  it("a path of the control API with more or fewer segments than a route is 404", async () => {
    const sandbox = await openSandbox();
    const { id } = await newSession(sandbox);
    for (const path of [`/checkout-sessions/${id}/expire/now`, `/checkout-sessions/${id}/`, "/organizations//keys"]) {
      expect([path, (await call(sandbox, `POST /sandbox${path}`)).status]).toEqual([path, 404]);
    }
  });
});

describe("requests that HTTP does not allow", () => {
  it("an Expect header other than 100-continue is 417 with the error object", async () => {
    const sandbox = await openSandbox();
    const { head, json } = await sendLines(sandbox, "GET /transactions HTTP/1.1", "Host: localhost", "Expect: tea");
    expect(head).toMatch(/^HTTP\/1\.1 417 /);
    expect(head).toMatch(/X-Request-Id: [0-9a-f-]{36}/);
    expect(json.error).toEqual({ code: "bad_request", message: "The only Expect is 100-continue" });
  });

  it("a request without a Host, or with two of them, is 400 with the error object", async () => {
    const sandbox = await openSandbox();
    const missing = await sendLines(sandbox, "GET /transactions HTTP/1.1");
    expect(missing.head).toMatch(/^HTTP\/1\.1 400 [\s\S]*Service-Version: 1\.2\.0/);
    expect(missing.json.error).toEqual({ code: "bad_request", message: "The request has no header Host" });
    const twice = await sendLines(sandbox, "GET /transactions HTTP/1.1", "Host: localhost", "Host: evil.example");
    expect(twice.json.error).toEqual({ code: "bad_request", message: "The request has more than one header Host" });
  });
});
