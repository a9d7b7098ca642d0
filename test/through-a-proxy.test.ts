import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import type { Duplex } from "node:stream";
import {
  createNodeFetch,
  createNodeTransport,
  createSendBy,
  createServiceClient,
  type TransportRequest,
} from "@tillkit/client";
import { createCertificateAuthority } from "@tillkit/shopify-simulator";
import { expect, onTestFinished, test, vi } from "vitest";

const HOST = "service.example";
const authority = createCertificateAuthority("Authority of the tests");

test("calls to the service go through HTTPS_PROXY, which learns the host and no byte of a call", async () => {
  const network = await openNetwork();
  vi.stubEnv("HTTPS_PROXY", network.proxyUrl.replace("//", "//user:pass%20word@"));
  const client = createServiceClient({
    ...network.service,
    transport: createNodeTransport({ ca: authority.certificate }),
  });
  const { data } = await client.checkoutSessions.read("s1");
  await client.checkoutSessions.read("s1");
  expect(data.status).toBe("open");
  expect(network.asked).toEqual([
    { target: `${HOST}:443`, authorization: `Basic ${Buffer.from("user:pass word").toString("base64")}` },
  ]);
  expect(network.received).toEqual(["GET /v1/checkout-sessions/s1", "GET /v1/checkout-sessions/s1"]);
});

test("a call that must not share a connection and the doctor's single requests take the proxy too", async () => {
  const { proxyUrl: proxy, ...network } = await openNetwork();
  const settings = { proxy, ca: authority.certificate };
  await createNodeTransport(settings)(request({ reuseConnection: false }));
  expect((await createNodeFetch(settings)(`https://${HOST}/wp-json/`, {})).status).toBe(200);
  expect(network.asked).toHaveLength(2);
});

test("nothing is sent after its last moment, also when the proxy took the time", async () => {
  const network = await openNetwork();
  const send = createNodeTransport({ proxy: network.proxyUrl, ca: authority.certificate });
  let now = 0;
  network.whenAsked(() => {
    now = 2_000;
  });
  const sendBy = createSendBy(1_000, { now: () => now, monotonicNow: () => now });
  await expect(send(request({ method: "POST", sendBy }))).rejects.toMatchObject({ code: "not_sent" });
  expect(network.received).toEqual([]);
});

test("a refund that the proxy refused was never sent, and the error names the proxy and its fix", async () => {
  const network = await openNetwork({ refuse: 407 });
  const transport = createNodeTransport({ proxy: network.proxyUrl });
  const faults: unknown[] = [];
  const hooks = { response: ({ fault }: { fault: string | undefined }) => void faults.push(fault) };
  const client = createServiceClient({ ...network.service, transport, hooks });
  const refund = client.refunds.create({ transaction_id: "t1", amount: 5 }, { idempotencyKey: "key" });
  const error = await refund.catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "connection_failed", mayHaveSucceeded: false });
  expect((error as Error).message).toContain("(EPROXY), because the proxy refused the connection");
  expect(new Set(faults)).toEqual(new Set(["EPROXY"]));
});

test("an incomplete certificate chain names its fix, and no request was sent", async () => {
  const network = await openNetwork();
  const client = createServiceClient({
    ...network.service,
    transport: createNodeTransport({ proxy: network.proxyUrl }),
  });
  const refund = client.refunds.create({ transaction_id: "t1", amount: 5 }, { idempotencyKey: "key" });
  const error = await refund.catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "connection_failed", mayHaveSucceeded: false });
  expect((error as Error).message).toContain("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
  expect((error as Error).message).toContain("install the full chain (fullchain.pem instead of cert.pem)");
  expect(network.received).toEqual([]);
});

function request(changes: Partial<TransportRequest>): TransportRequest {
  return {
    ...{ method: "GET", url: `https://${HOST}/x`, headers: {}, body: undefined, signal: new AbortController().signal },
    ...{ maxBytes: 1_000, reuseConnection: true, ...changes },
  };
}

/** A service that only the proxy can reach: its host name has no address. */
async function openNetwork({ refuse }: { readonly refuse?: number } = {}) {
  const received: string[] = [];
  const asked: { target: string | undefined; authorization: string | undefined }[] = [];
  let whenAsked: () => void = () => undefined;
  const { key, cert } = authority.issue(HOST, [HOST]);
  const service = createHttpsServer({ key, cert }, (incoming, response) => {
    received.push(`${incoming.method} ${incoming.url}`);
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ id: "s1", checkout_session_id: "s1", status: "open", amount: 5, currency_code: "XOF" }),
    );
  });
  const servicePort = await listen(service);
  const proxy = createHttpServer();
  proxy.on("connect", ({ url, headers }: IncomingMessage, socket: Duplex) => {
    whenAsked();
    asked.push({ target: url, authorization: headers["proxy-authorization"] });
    if (refuse !== undefined) return socket.end(`HTTP/1.1 ${refuse} No\r\n\r\n`);
    const upstream = connect(servicePort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
    });
    socket.on("error", () => upstream.destroy());
    upstream.on("error", () => socket.destroy());
    onTestFinished(() => void upstream.destroy());
  });
  return {
    proxyUrl: `http://127.0.0.1:${await listen(proxy)}`,
    service: { apiKey: `svc_sk_test_${"a".repeat(32)}`, baseUrl: `https://${HOST}` },
    received,
    asked,
    whenAsked: (run: () => void) => {
      whenAsked = run;
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    vi.unstubAllEnvs();
  });
  return (server.address() as AddressInfo).port;
}
