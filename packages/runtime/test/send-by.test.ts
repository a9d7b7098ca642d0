import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { createNodeTransport, createSendBy, type SendBy, type TransportRequest } from "@tillkit/client";
import { createFetchTransport } from "@tillkit/client/fetch";
import { createCertificateAuthority } from "@tillkit/shopify-simulator";
import { afterEach, describe, expect, test } from "vitest";

// These tests are here because the client depends on no other package, and they need a certificate.
const authority = createCertificateAuthority("An authority of the tests");
const certificate = { ...authority.issue("service", ["127.0.0.1"]), ca: authority.certificate };
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A wall clock and a monotonic clock that a test moves apart. */
function movableClocks() {
  let wall = Date.UTC(2026, 10, 28, 9);
  let monotonic = 1_000;
  return {
    now: () => wall,
    monotonicNow: () => monotonic,
    moveWall(ms: number) {
      wall += ms;
    },
    moveMonotonic(ms: number) {
      monotonic += ms;
    },
  };
}

type Clocks = ReturnType<typeof movableClocks>;

/** What happens to a machine while its request waits for the connection. */
const DELAYS: readonly [string, (clocks: Clocks) => void][] = [
  ["a machine slept, so that its monotonic clock and its timers stood still", (clocks) => clocks.moveWall(20_000)],
  [
    "the wall clock was set back while the time passed",
    (clocks) => {
      clocks.moveWall(-900);
      clocks.moveMonotonic(20_000);
    },
  ],
];

describe("a request that may not be sent after a moment", () => {
  test.each(DELAYS)("a request is not sent over TLS when %s during the handshake", async (_, delay) => {
    const service = await openService({ tls: true });
    const { clocks, sendBy } = bound(20_000);
    service.beforeHandshake(() => delay(clocks));
    const sending = service.transport(put(service.url, { sendBy }));
    await expect(sending).rejects.toMatchObject({ code: "not_sent", mayHaveSucceeded: false });
    expect(service.connections()).toBe(1);
    expect(await service.receivedBytes()).toBe(0);
  });

  test.each(DELAYS)("a request is not sent on a kept connection when %s before its turn", async (_, delay) => {
    for (const tls of [false, true]) {
      const service = await openService({ tls });
      const transport = createNodeTransport({ ca: certificate.ca, maxConnections: 1 });
      const { clocks, sendBy } = bound(20_000);
      // The second request waits for the connection of the first one, which is answered only after the machine slept.
      service.beforeAnswer(() => delay(clocks));
      const first = transport(put(service.url, { path: "/first" }));
      const second = transport(put(service.url, { path: "/second", sendBy })).catch((error: unknown) => error);
      expect((await first).status).toBe(200);
      expect(await second).toMatchObject({ code: "not_sent" });
      expect(service.paths()).toEqual(["/first"]);
      expect(service.connections()).toBe(1);
    }
  });

  test("a request is not sent over plain HTTP when the connection takes too long", async () => {
    const service = await openService({ tls: false });
    const { clocks, sendBy } = bound(20_000);
    const sending = service.transport(put(service.url, { sendBy }));
    clocks.moveWall(20_000);
    await expect(sending).rejects.toMatchObject({ code: "not_sent" });
    expect(service.paths()).toEqual([]);
  });

  test("a request is certainly not sent when its call ends during the handshake", async () => {
    const service = await openService({ tls: true });
    const { sendBy } = bound(20_000);
    service.holdHandshakes();
    const caller = new AbortController();
    const sending = service.transport(put(service.url, { sendBy, signal: caller.signal }));
    sending.catch(() => undefined);
    await expect.poll(service.connections).toBe(1);
    caller.abort();
    await expect(sending).rejects.toMatchObject({ code: "not_sent" });
  });

  test("a request is sent in time over a new and over a kept connection, with TLS and without", async () => {
    for (const tls of [false, true]) {
      const service = await openService({ tls });
      for (const path of ["/first", "/second"]) {
        const { sendBy } = bound(20_000);
        expect((await service.transport(put(service.url, { path, sendBy }))).status).toBe(200);
      }
      expect([service.paths(), service.connections()]).toEqual([["/first", "/second"], 1]);
    }
  });

  test("over fetch the last moment is compared before the call of fetch", async () => {
    let calls = 0;
    const transport = createFetchTransport(async () => {
      calls += 1;
      return new Response("{}");
    });
    const { clocks, sendBy } = bound(20_000);
    await transport(put("https://service.example", { sendBy }));
    clocks.moveWall(20_000);
    await expect(transport(put("https://service.example", { sendBy }))).rejects.toMatchObject({ code: "not_sent" });
    expect(calls).toBe(1);
  });
});

function bound(ms: number): { clocks: Clocks; sendBy: SendBy } {
  const clocks = movableClocks();
  return { clocks, sendBy: createSendBy(clocks.now() + ms, clocks) };
}

function put(url: string, { path = "/", ...fields }: Partial<TransportRequest> & { path?: string }): TransportRequest {
  return {
    method: "PUT",
    url: url + path,
    headers: { accept: "application/json" },
    body: new TextEncoder().encode('{"set_paid":true}'),
    signal: new AbortController().signal,
    maxBytes: 1_000,
    reuseConnection: true,
    ...fields,
  };
}

/** A service behind a relay that can hold back the server's part of the TLS handshake. */
async function openService({ tls, status = 200 }: { tls: boolean; status?: number }) {
  const paths: string[] = [];
  let receivedBytes = 0;
  let connections = 0;
  let isHeld = false;
  let beforeHandshake: () => void = () => undefined;
  let beforeAnswer: () => void = () => undefined;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    paths.push(request.url ?? "");
    beforeAnswer();
    request.resume().on("end", () => response.writeHead(status, { "Content-Type": "application/json" }).end("{}"));
  };
  const service = tls
    ? createHttpsServer({ cert: certificate.cert, key: certificate.key }, answer)
    : createHttpServer(answer);
  service.on("secureConnection", (socket: Socket) => socket.on("data", (bytes) => (receivedBytes += bytes.length)));
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const relay = createTcpServer({ pauseOnConnect: true }, (socket) => {
    connections += 1;
    beforeHandshake();
    socket.on("error", () => undefined);
    closers.push(() => socket.destroy());
    if (isHeld) return;
    const { port } = service.address() as AddressInfo;
    const inner = connect(port, "127.0.0.1").on("error", () => socket.destroy());
    socket.pipe(inner).pipe(socket);
    closers.push(() => inner.destroy());
  });
  closers.push(() => service.close());
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  closers.push(() => relay.close());
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    transport: createNodeTransport({ ca: certificate.ca }),
    paths: () => paths,
    connections: () => connections,
    async receivedBytes() {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return receivedBytes;
    },
    beforeHandshake(run: () => void) {
      beforeHandshake = run;
    },
    beforeAnswer(run: () => void) {
      beforeAnswer = run;
    },
    holdHandshakes() {
      isHeld = true;
    },
  };
}
