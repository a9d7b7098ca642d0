import { createServer as createPlainServer, type IncomingMessage, request as plainRequest } from "node:http";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificateAuthority, type IssuedCertificate } from "@tillkit/testkit/shopify";
import { describe, expect, test } from "vitest";
import { type ClientCertificates, createCertificateCheck } from "../src/offsite/client-certificate.ts";

const platform = createCertificateAuthority("Payments Platform of the tests");
const shopify = platform.issue("Shopify of the tests");
const stranger = createCertificateAuthority("Somebody else").issue("Somebody else");
const host = createCertificateAuthority("The server's own");
const own = host.issue("127.0.0.1");

async function answerTo(pair: IssuedCertificate | null): Promise<boolean> {
  const check = createCertificateCheck({ by: "server" });
  const answers: boolean[] = [];
  const options = { ...own, ca: [platform.certificate], requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (asked, response) => {
    answers.push(check(asked));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, rejectUnauthorized: false, agent: false, ...pair }, (response) => {
      response.resume().on("end", resolve);
    });
    sent.on("error", reject).end();
  });
  await new Promise((resolve) => server.close(resolve));
  return answers[0] ?? false;
}

describe("a server that ends TLS itself", () => {
  test("knows Shopify by its certificate", async () => {
    expect(await answerTo(shopify)).toBe(true);
  });

  test("knows nobody without a certificate, or with somebody else's", async () => {
    expect(await answerTo(null)).toBe(false);
    expect(await answerTo(stranger)).toBe(false);
  });

  test("believes no header, and no connection without TLS", async () => {
    expect(await plainly({ by: "server" }, { "X-SSL-Client-Verify": "SUCCESS" })).toBe(false);
  });
});

/** What the check says about one request over plain HTTP from 127.0.0.1. */
async function plainly(certificates: ClientCertificates, headers: Readonly<Record<string, string | string[]>>) {
  const check = createCertificateCheck(certificates);
  let said: boolean | null = null;
  const server = createPlainServer((asked: IncomingMessage, response) => {
    said = check(asked);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve, reject) => {
    const sent = plainRequest({ host: "127.0.0.1", port, headers, agent: false }, (response) =>
      response.resume().on("end", resolve),
    );
    sent.on("error", reject).end();
  });
  await new Promise((resolve) => server.close(resolve));
  return said;
}

describe("a server behind a proxy", () => {
  const proxy = (trustedProxies: readonly string[]): ClientCertificates => ({
    by: "proxy",
    header: "X-SSL-Client-Verify",
    value: "SUCCESS",
    trustedProxies,
  });
  const verified = { "X-SSL-Client-Verify": "SUCCESS" };

  test.each([[["127.0.0.1"]], [["127.0.0.0/8"]], [["10.0.0.1", "127.0.0.1"]]])(
    "believes the header from %j",
    async (trusted) => {
      expect(await plainly(proxy(trusted), verified)).toBe(true);
    },
  );

  test.each([[["10.0.0.1"]], [["10.0.0.0/8"]], [["::1"]]])("believes nobody else than %j", async (trusted) => {
    expect(await plainly(proxy(trusted), verified)).toBe(false);
  });

  test.each([
    ["no header", {}],
    ["what the proxy says of a bad certificate", { "X-SSL-Client-Verify": "FAILED:unable to verify" }],
    ["what it says of none", { "X-SSL-Client-Verify": "NONE" }],
    ["a header that was sent twice", { "X-SSL-Client-Verify": ["SUCCESS", "SUCCESS"] }],
    ["a forged one before the proxy's", { "X-SSL-Client-Verify": ["SUCCESS", "NONE"] }],
    ["another header", { "X-Client-Verify": "SUCCESS" }],
  ])("does not believe %s", async (_what, headers) => {
    expect(await plainly(proxy(["127.0.0.1"]), headers as Record<string, string | string[]>)).toBe(false);
  });
});
