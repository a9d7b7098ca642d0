import { createServer } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import { silentLog } from "@tillkit/core";
import { createShopifyApp, type ShopifyApp, type ShopifyConfigInput } from "@tillkit/shopify";
import { createCertificateAuthority, createShopifySimulator, type ShopifySimulator } from "@tillkit/shopify-simulator";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../test/programs/free-port.ts";
import { buildProgram } from "./build-program.ts";
import { readLines } from "./json-line.ts";
import { createMerchantFixture, type MerchantFixture } from "./merchant-fixture.ts";
import { runProgram } from "./program.ts";

const SECRET = "a secret of the tests, 32 characters or more";
const authority = createCertificateAuthority("The server's own");

let merchant: MerchantFixture;
let simulator: ShopifySimulator;
const running: (() => Promise<void>)[] = [];
beforeAll(async () => {
  await buildProgram();
  merchant = await createMerchantFixture();
  simulator = await createShopifySimulator();
});
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});
afterAll(async () => {
  await simulator.close();
  await merchant.close();
});

async function openAddress(scheme: "http" | "https"): Promise<{ readonly url: string; readonly port: number }> {
  const port = await freePort();
  return { url: `${scheme}://127.0.0.1:${port}`, port };
}

function configFor({ url, port }: { readonly url: string; readonly port: number }, change: object): ShopifyConfigInput {
  return {
    publicUrl: url,
    listen: { port },
    database: `sqlite:${merchant.folder}/shopify-${port}.db`,
    secretKeys: [SECRET],
    keys: [SECRET],
    service: { baseUrl: merchant.sandbox.baseUrl },
    app: { mode: "order", ...simulator.app, shopEndpoint: simulator.shopEndpoint },
    ...change,
  };
}

const save = (config: ShopifyConfigInput) => merchant.saveFile(`${new URL(config.publicUrl).port}.json`, config);

/** Runs the app server in this process, which starts sooner than a process of its own. */
async function serve(config: ShopifyConfigInput, tls: ServerOptions | null): Promise<ShopifyApp> {
  const app = await createShopifyApp(config, { log: silentLog });
  const server = tls ? createSecureServer(tls, app.listener) : createServer(app.listener);
  await new Promise<void>((resolve) => server.listen(config.listen?.port, "127.0.0.1", resolve));
  running.push(async () => {
    server.close();
    await app.close();
  });
  return app;
}

async function examine(config: string, env: Readonly<Record<string, string>> = {}) {
  const args = ["doctor", "--shopify", "--config", config, "--json"];
  const { code, out, error } = await runProgram(args, { env: { ...merchant.env, ...env } });
  const checks = readLines("doctor", out);
  const statuses = Object.fromEntries(checks.map(({ check, status }) => [check, status]));
  return { code, error, checks, statuses, messages: checks.map(({ message }) => message).join("\n") };
}

describe("tillkit doctor --shopify", () => {
  it("the app server, its ledger and each shop are checked, and the shop's owner is told what is missing", async () => {
    const address = await openAddress("http");
    const config = configFor(address, {});
    await serve(config, null);
    simulator.connectApp({ url: address.url, entry: "/shopify", webhooks: { url: "/shopify/webhooks", topics: [] } });
    const shop = simulator.openShop("acme");
    await shop.install();
    const { code, error, checks, statuses, messages } = await examine(await save(config));
    expect([code, error]).toEqual([1, expect.stringContaining("2 errors were found.")]);
    expect(statuses).toMatchObject({ configuration: "ok", ready: "ok", webhook: "ok", ledger: "ok", access: "ok" });
    expect(checks.filter(({ status }) => status === "error")).toMatchObject([
      { check: "service-key", storeId: shop.domain, message: expect.stringContaining("no key of the service") },
      { check: "payment-method", storeId: shop.domain, message: expect.stringContaining("manual payment method") },
    ]);
    expect(messages).not.toContain(SECRET);
    expect(statuses.transactions).toBeUndefined();
    shop.uninstall();
    const removed = await examine(await save(config));
    expect(removed.messages).toContain("Shopify refuses the app's token: the owner opens the app in the shop again.");
  });

  it("each shop with a key hears whether the service names the transactions of this key", async () => {
    const address = await openAddress("http");
    const config = configFor(address, {});
    const app = await serve(config, null);
    simulator.connectApp({ url: address.url, entry: "/shopify", webhooks: { url: "/shopify/webhooks", topics: [] } });
    const shop = simulator.openShop("names");
    await shop.install();
    await app.checkout.storedCredentials?.put({
      id: `shopify-test-${shop.domain}`,
      storeIds: [shop.domain],
      apiKey: merchant.sandbox.keys.test.secret,
      baseUrl: merchant.sandbox.baseUrl,
      endpointId: "test_names",
      webhookSecrets: ["whsec_of_the_tests_0123456789"],
    });
    const file = await save(config);
    expect((await examine(file)).messages).toContain("No transaction is completed yet");
    await merchant.paySession();
    const { statuses, messages } = await examine(file);
    expect([statuses.transactions, messages]).toEqual([
      "ok",
      expect.stringContaining("A transaction names its session"),
    ]);
  });

  it("a payments app must refuse sessions without Shopify's certificate, and its own certificates are checked", async () => {
    const address = await openAddress("https");
    const { cert, key } = authority.issue("127.0.0.1", ["127.0.0.1"]);
    const tls = {
      cert: await merchant.saveFile("tls.pem", cert),
      key: await merchant.saveFile("tls.key", key),
      clientCa: [await merchant.saveFile("ca.pem", authority.certificate)],
    };
    const app = { mode: "offsite", ...simulator.app };
    const config = configFor(address, { listen: { port: address.port, tls }, app });
    await serve(config, { cert, key, ca: [authority.certificate], requestCert: true, rejectUnauthorized: false });
    const trusted = { NODE_EXTRA_CA_CERTS: tls.clientCa[0] ?? "" };
    const { code, statuses, messages } = await examine(await save(config), trusted);
    expect([code, messages]).toEqual([0, expect.stringContaining("No shop has installed the app")]);
    expect(statuses).toMatchObject({
      certificate: "ok",
      health: "ok",
      webhook: "ok",
      sessions: "ok",
      shops: "warning",
    });
  });

  it("a server that takes payment sessions from anyone, with the certificate of another host, is reported", async () => {
    const address = await openAddress("http");
    const app = { mode: "offsite", ...simulator.app };
    const config = configFor(address, { app, clientCertificates: { verifiedBy: "none" } });
    await serve(config, null);
    const { cert, key } = authority.issue("pay.example.com", ["192.0.2.1"]);
    const files = { cert: await merchant.saveFile("other.pem", cert), key: await merchant.saveFile("other.key", key) };
    const listen = { port: address.port, tls: { ...files, clientCa: [await merchant.saveFile("no.pem", "junk")] } };
    const { code, messages } = await examine(await save({ ...config, listen }));
    expect(code).toBe(1);
    expect(messages).toContain("to a payment session without Shopify's certificate instead of 401");
    expect(messages).toContain("is not for 127.0.0.1, the host of publicUrl");
    expect(messages).toContain("no.pem of listen.tls is no certificate that can be read");
  });

  it("a configuration with a mistake gets a sentence for each mistake", async () => {
    const { publicUrl, ...config } = configFor(await openAddress("http"), { app: { mode: "offline" } });
    const { code, error } = await examine(await merchant.saveFile("mistaken.json", config));
    expect([code, error]).toEqual([1, expect.stringContaining("app.mode must be")]);
    expect(error).toContain("publicUrl is missing");
  });
});
