import { createServer as createPlainServer, type IncomingMessage, request as plainRequest } from "node:http";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificateAuthority, type IssuedCertificate } from "@tillkit/shopify-simulator";
import { describe, expect, test } from "vitest";
import { type ClientCertificates, createCertificateCheck } from "../src/offsite/client-certificate.ts";

const shopifyAuthority = createCertificateAuthority("Payments Platform of the tests");
const shopifyCertificate = shopifyAuthority.issue("Shopify of the tests");
const otherCertificate = createCertificateAuthority("Somebody else").issue("Somebody else");
const serverCertificate = createCertificateAuthority("The server's own").issue("127.0.0.1");

/** The result of the check for one request over TLS with this client certificate. */
async function checkOverTls(clientCertificate: IssuedCertificate | null): Promise<boolean> {
  const [result = false] = await checkRequests(clientCertificate, 1);
  return result;
}

/** The results of the check for requests over TLS, each on a connection that resumes the TLS session of the one before. */
async function checkRequests(clientCertificate: IssuedCertificate | null, count: number): Promise<readonly boolean[]> {
  const check = createCertificateCheck({ verifiedBy: "server" });
  const results: boolean[] = [];
  const tls = {
    ...serverCertificate,
    ca: [shopifyAuthority.certificate],
    requestCert: true,
    rejectUnauthorized: false,
  };
  const tlsServer = createServer(tls, (incoming, response) => {
    results.push(check(incoming));
    response.end();
  });
  await new Promise<void>((resolve) => tlsServer.listen(0, "127.0.0.1", resolve));
  const { port } = tlsServer.address() as AddressInfo;
  let session: Buffer | undefined;
  for (let sentSoFar = 0; sentSoFar < count; sentSoFar += 1) {
    const options = { host: "127.0.0.1", port, rejectUnauthorized: false, session, agent: false, ...clientCertificate };
    await new Promise<void>((resolve, reject) => {
      const sent = request(options, (response) => {
        response.resume().on("end", resolve);
      });
      sent.on("socket", (socket) => socket.on("session", (ticket: Buffer) => (session = ticket)));
      sent.on("error", reject).end();
    });
  }
  await new Promise((resolve) => tlsServer.close(resolve));
  return results;
}

describe("client certificates verified by the server", () => {
  test("a TLS server accepts a request with Shopify's certificate", async () => {
    expect(await checkOverTls(shopifyCertificate)).toBe(true);
  });

  test("a TLS server rejects a request without a certificate or with a stranger's certificate", async () => {
    expect(await checkOverTls(null)).toBe(false);
    expect(await checkOverTls(otherCertificate)).toBe(false);
  });

  test("a resumed TLS session proves nothing about a client that never showed Shopify's certificate", async () => {
    expect(await checkRequests(null, 3)).toEqual([false, false, false]);
    expect(await checkRequests(otherCertificate, 3)).toEqual([false, false, false]);
    expect(await checkRequests(shopifyCertificate, 3)).toEqual([true, true, true]);
  });

  test("a request without TLS is rejected, even with the header of a proxy that verified a certificate", async () => {
    expect(await checkOverPlainHttp({ verifiedBy: "server" }, { "X-SSL-Client-Verify": "SUCCESS" })).toBe(false);
  });
});

/** The result of the check for one request over plain HTTP from 127.0.0.1. */
async function checkOverPlainHttp(
  certificates: ClientCertificates,
  headers: Readonly<Record<string, string | string[]>>,
) {
  const check = createCertificateCheck(certificates);
  let result: boolean | null = null;
  const plainServer = createPlainServer((incoming: IncomingMessage, response) => {
    result = check(incoming);
    response.end();
  });
  await new Promise<void>((resolve) => plainServer.listen(0, "127.0.0.1", resolve));
  const { port } = plainServer.address() as AddressInfo;
  await new Promise<void>((resolve, reject) => {
    const sent = plainRequest({ host: "127.0.0.1", port, headers, agent: false }, (response) =>
      response.resume().on("end", resolve),
    );
    sent.on("error", reject).end();
  });
  await new Promise((resolve) => plainServer.close(resolve));
  return result;
}

describe("client certificates verified by a proxy", () => {
  const proxy = (trustedProxies: string[]): ClientCertificates => ({
    verifiedBy: "proxy",
    header: "X-SSL-Client-Verify",
    value: "SUCCESS",
    trustedProxies,
  });
  const verified = { "X-SSL-Client-Verify": "SUCCESS" };

  test.each([[["127.0.0.1"]], [["127.0.0.0/8"]], [["10.0.0.1", "127.0.0.1"]]])(
    "a server accepts the verification header from a trusted proxy in %j",
    async (trusted) => {
      expect(await checkOverPlainHttp(proxy(trusted), verified)).toBe(true);
    },
  );

  test.each([[["10.0.0.1"]], [["10.0.0.0/8"]], [["::1"]]])(
    "a server that trusts only %j rejects the verification header from another address",
    async (trusted) => {
      expect(await checkOverPlainHttp(proxy(trusted), verified)).toBe(false);
    },
  );

  test.each([
    ["no header", {}],
    ["the proxy's report of a bad certificate", { "X-SSL-Client-Verify": "FAILED:unable to verify" }],
    ["the proxy's report of a missing certificate", { "X-SSL-Client-Verify": "NONE" }],
    ["a repeated header", { "X-SSL-Client-Verify": ["SUCCESS", "SUCCESS"] }],
    ["a forged header before the proxy's header", { "X-SSL-Client-Verify": ["SUCCESS", "NONE"] }],
    ["a header of another name", { "X-Client-Verify": "SUCCESS" }],
  ])("a server behind a proxy rejects a request with %s", async (_fault, headers) => {
    expect(await checkOverPlainHttp(proxy(["127.0.0.1"]), headers as Record<string, string | string[]>)).toBe(false);
  });
});
