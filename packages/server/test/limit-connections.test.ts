import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer, request as requestSecure } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createCertificateAuthority } from "@tillkit/shopify-simulator";
import { afterEach, describe, expect, test } from "vitest";
import { limitConnections } from "../src/http/limit-connections.ts";
import { rawRequest } from "./fixtures/raw-request.ts";

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

describe("the connections of a server together", () => {
  test("a request is answered while 600 connections are held open without sending their headers", async () => {
    const port = await listen(createServer(answer), 20);
    const held = await Promise.all(Array.from({ length: 600 }, () => hold(port, "POST / HTTP/1.1\r\nHost: x\r\n")));
    expect(
      await rawRequest(`http://127.0.0.1:${port}`, ["GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"]),
    ).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(() => held.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(20);
  });

  test("a connection with a request under way keeps its place, and a connection that is only kept open does not", async () => {
    const port = await listen(
      createServer((request, response) => {
        if (request.url !== "/slow") answer(request, response);
      }),
      2,
    );
    const busy = await hold(port, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    const idle = await hold(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await new Promise((resolve) => idle.once("data", resolve));
    const newest = await hold(port, "");
    await expect.poll(() => idle.closed).toBe(true);
    expect([busy.closed, newest.closed]).toEqual([false, false]);
  });

  test("a new connection is closed when every other has a request under way", async () => {
    const port = await listen(
      createServer(() => undefined),
      1,
    );
    const busy = await hold(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const refused = await hold(port, "");
    await expect.poll(() => refused.closed).toBe(true);
    expect(busy.closed).toBe(false);
  });

  test("a request over TLS is answered while other connections are held in their handshakes", async () => {
    const certificate = createCertificateAuthority("A public authority").issue("shop", ["127.0.0.1"]);
    const server = createSecureServer(certificate, answer);
    const port = await listen(server, 5);
    const held = await Promise.all(Array.from({ length: 50 }, () => hold(port, "")));
    const status = await new Promise((resolve, reject) => {
      requestSecure({ port, host: "127.0.0.1", rejectUnauthorized: false, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
    await expect.poll(() => held.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(5);
  });
});

const answer: RequestListener = (_request, response) => {
  response.end("ok");
};

async function listen(server: Server, maxConnections: number): Promise<number> {
  limitConnections(server, maxConnections);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 1_024, resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

async function hold(port: number, text: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  closers.push(() => socket.destroy());
  socket.on("error", () => undefined).on("data", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  if (text !== "") socket.write(text);
  return socket;
}
