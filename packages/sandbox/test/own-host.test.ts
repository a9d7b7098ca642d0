import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { isOwnHost } from "../src/http/own-host.ts";
import type { Sandbox } from "../src/index.ts";
import { api, openSandbox } from "./open-sandbox.ts";

/** The status of a request with this `Host`, which `fetch` does not allow to set. */
function statusOf(sandbox: Sandbox, host: string, method: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Host: host, Origin: `http://${host}`, "X-API-Key": sandbox.keys.test.secret };
    const sent = request(sandbox.baseUrl + path, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject).end();
  });
}

describe("the host of control API and console", () => {
  it("a web page whose host name resolves to this machine cannot read or change anything", async () => {
    const sandbox = await openSandbox();
    const { port } = new URL(sandbox.baseUrl);
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      "localhost.evil.example",
    ]) {
      for (const [method, path] of [
        ["GET", "/sandbox/organizations"],
        ["POST", "/sandbox/reset"],
        ["OPTIONS", "/sandbox/settings"],
        ["GET", "/sandbox/console"],
        ["GET", "/sandbox/console/sessions"],
        ["POST", "/sandbox/console/settings/reset"],
      ] as const) {
        expect([host, path, await statusOf(sandbox, host, method, path)]).toEqual([host, path, 403]);
      }
    }
  });

  it("control API and console answer under every name of this machine and any forwarded port", async () => {
    const sandbox = await openSandbox();
    const { port } = new URL(sandbox.baseUrl);
    for (const host of [
      `localhost:${port}`,
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
      "sandbox.localhost",
      "LOCALHOST:8080",
    ]) {
      for (const path of ["/sandbox/clock", "/sandbox/console"]) {
        expect([host, path, await statusOf(sandbox, host, "GET", path)]).toEqual([host, path, 200]);
      }
    }
  });

  it("the service's API can be called under any host name, because it needs a key", async () => {
    const sandbox = await openSandbox();
    expect(await statusOf(sandbox, "service.test", "GET", "/transactions")).toBe(200);
    expect((await api(sandbox, "GET /transactions", { key: null })).status).toBe(401);
  });

  it("the configured host and port are the sandbox's own", () => {
    expect(isOwnHost("sandbox.internal:4010", "http://sandbox.internal:4010")).toBe(true);
    expect(isOwnHost("sandbox.internal:4011", "http://sandbox.internal:4010")).toBe(false);
    expect(isOwnHost(undefined, "http://127.0.0.1:4010")).toBe(false);
  });
});
