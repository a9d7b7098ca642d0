import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startService } from "../../service.ts";
import { order } from "../../steps.ts";

describe("A connection that sends no complete HTTP request", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  it("the service still works after it received bytes that are not HTTP", async () => {
    const { port } = new URL(service.baseUrl());
    const startOfTls = "\u0016\u0003\u0001\u0002";
    const requests = [
      startOfTls,
      "\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      `GET /${"a".repeat(70_000)} HTTP/1.1\r\n\r\n`,
      "POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
      "POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      "GET //checkout-sessions/../../x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ];
    for (const request of requests)
      expect(await answerTo(Number(port), request)).not.toMatch(/^HTTP\/1\.1 5|node:internal/);
    expect((await service.call("GET /transactions")).status).toBe(200);
  });

  it("the service still works after requests that end in the middle of their body", async () => {
    const { port } = new URL(service.baseUrl());
    for (let count = 0; count < 20; count += 1) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(`POST /checkout-sessions HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.keys().test.secret}\r\n`);
      socket.write("Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{");
      socket.on("error", () => {});
      await new Promise((resolve) => setTimeout(resolve, 2));
      socket.destroy();
    }
    expect((await service.call("POST /checkout-sessions", { body: order })).status).toBe(201);
  });
});

/** Returns what arrives until the connection is closed, or within 200 ms. */
function answerTo(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    const timer = setTimeout(() => socket.destroy(), 200);
    socket.on("data", (chunk) => {
      text += chunk.toString("utf8");
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.write(request);
  });
}
