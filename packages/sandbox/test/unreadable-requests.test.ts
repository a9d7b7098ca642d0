import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { api, openSandbox } from "./open-sandbox.ts";

it("a URL that is too long is rejected with the error object", async () => {
  const sandbox = await openSandbox();
  const { status, json, headers } = await api(sandbox, `GET /transactions/${"x".repeat(20_000)}`);
  expect([status, json.error]).toEqual([
    400,
    { code: "bad_request", message: "URL and headers are larger than 16 KiB" },
  ]);
  expect(headers.get("x-request-id")).toBe(json.request_id);
  expect(headers.get("service-version")).toBe("1.2.0");
});

it("bytes that are not HTTP are rejected with the error object, and a reset connection does not disturb the sandbox", async () => {
  const sandbox = await openSandbox();
  const { hostname, port } = new URL(sandbox.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write("SELECT 1;\r\n\r\n");
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "").error.message).toBe("The request is not valid HTTP");
  const interrupted = connect(Number(port), hostname);
  await once(interrupted, "connect");
  interrupted.write("GET /transactions HTTP/1.1\r\nContent-Le");
  interrupted.resetAndDestroy();
  expect((await api(sandbox, "GET /transactions")).status).toBe(200);
});

it.each([
  ["CONNECT, which asks for a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n", 404],
  [
    "a read with a text as its body",
    "GET /transactions HTTP/1.1\r\nHost: x\r\nX-API-Key: KEY\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
    400,
  ],
])("%s is answered with the error object", async (_what, request, status) => {
  const sandbox = await openSandbox();
  const { hostname, port } = new URL(sandbox.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(request.replace("KEY", sandbox.keys.test.secret));
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const { error, request_id } = JSON.parse(body);
  expect(error).toEqual({ code: expect.any(String), message: expect.any(String) });
  expect(head.toLowerCase()).toContain(`x-request-id: ${request_id}`);
});

it("the published document carries the id of its request, also when it refuses a method", async () => {
  const sandbox = await openSandbox();
  const answers = await Promise.all(
    ["GET", "POST", "OPTIONS"].map((method) => fetch(`${sandbox.baseUrl}/openapi.json`, { method })),
  );
  const ids = answers.map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(3);
  expect(ids).not.toContain(null);
});
