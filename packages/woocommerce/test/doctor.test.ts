import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { StoreError, systemClock } from "@tillkit/core";
import { createFakeWooCommerce, type Disturbance } from "@tillkit/fake-woocommerce";
import type { Diagnosis } from "@tillkit/php-bridge";
import { examineWooCommerce, readWooCommerceConfig, type StoreConfig } from "@tillkit/woocommerce";
import { describe, expect, it, onTestFinished } from "vitest";
import { examineAddress } from "../src/doctor/examine-address.ts";
import { examineKey } from "../src/doctor/examine-key.ts";
import { examinePlugin } from "../src/doctor/examine-plugin.ts";
import { createWooRest } from "../src/transport/woo-rest.ts";
import { LINK_SECRET, openServerFixture, type ServerFixture } from "./server-fixture.ts";

const CONFIG = readWooCommerceConfig({
  publicUrl: "https://pay.example",
  database: "sqlite::memory:",
  keys: ["a key of the tests that signs links, 32+"],
  service: { baseUrl: "https://api.example" },
  stores: [
    {
      id: "boutique",
      url: "https://shop.example",
      consumerKey: "ck_0123",
      consumerSecret: "cs_0123",
      linkSecret: LINK_SECRET,
      apiKey: "svc_sk_test_0123",
      webhookSecrets: ["whsec_0123"],
      currencies: ["XOF", "EUR"],
    },
  ],
});
const STORE = CONFIG.stores[0] as StoreConfig;

describe("the doctor", () => {
  it("the doctor finds no problem in a healthy shop and changes nothing", async () => {
    const fixture = await openServerFixture({ timer: false, fake: { decimals: 0 } });
    const { id } = fixture.fake.shop.placeOrder({ total: "5000" });
    const before = fixture.fake.shop.order(id);
    const found = await examine(fixture);
    expect(found.map(({ check, status }) => `${check} ${status}`)).toEqual([
      "address ok",
      "clock ok",
      "rest-key ok",
      "plugin ok",
      "currency ok",
      "service ok",
      "transactions warning",
      "webhooks ok",
    ]);
    expect(fixture.fake.shop.order(id)).toEqual(before);
    const isWriteToOrder = (request: string) => /^(?:PUT|POST) wc\/v3\/orders\/1\d{3}$/.test(request);
    expect(fixture.fake.requests.filter(isWriteToOrder)).toEqual([]);
  });

  it("the doctor does not check key and plugin of an unreachable shop, but still checks service and webhooks", async () => {
    const fixture = await openServerFixture({ timer: false });
    fixture.fake.faults.disturb("redirect");
    const found = await examine(fixture);
    expect(found.map(({ check, status }) => `${check} ${status}`)).toEqual([
      "address error",
      "service ok",
      "transactions warning",
      "webhooks ok",
    ]);
  });

  it("the doctor says whether the service names the transactions of the shop's key", async () => {
    const fixture = await openServerFixture({ timer: false });
    expect(messageOf(await examine(fixture), "transactions")).toContain("No transaction is completed yet");
    const { payment } = await fixture.openOrder();
    await fixture.pay(payment);
    expect(messageOf(await examine(fixture), "transactions")).toContain("A transaction names its session");
  });

  it("the doctor finds a webhook secret that is not the service's, and says how to replace it", async () => {
    const fixture = await openServerFixture({ timer: false, store: { webhookSecrets: ["whsec_of_another_endpoint"] } });
    const found = await examine(fixture);
    expect(found.find(({ check }) => check === "webhooks")?.status).toBe("error");
    expect(messageOf(found, "webhooks")).toContain("The webhook secret in the server's configuration differs");
    expect(messageOf(found, "webhooks")).toContain("tillkit webhooks rotate");
  });

  it("the doctor finds a rejected API key and a webhook that does not arrive", async () => {
    const apiKey = "svc_sk_test_somebodyelses0123456789abcdef";
    const fixture = await openServerFixture({
      timer: false,
      store: { apiKey },
      config: { publicUrl: await closedUrl() },
    });
    const found = await examine(fixture);
    expect(messageOf(found, "service")).toContain("does not answer correctly");
    expect(messageOf(found, "webhooks")).toContain("The service cannot be asked to send one.");
    expect(JSON.stringify(found)).not.toMatch(/svc_sk_test_\w|whsec_|cs_fake/);
  });
});

describe("address check", () => {
  it.each<[Disturbance, string]>([
    ["redirect", "redirects to https://www.shop.example: set url to the address that WordPress uses"],
    ["html", "choose pretty permalinks"],
    ["maintenance", "answered 503 without JSON"],
    ["forbidden", "let /wp-json/ through every firewall"],
    ["hang-up", "cannot be reached"],
  ])("the address check reports an error with its fix for a shop that answers with %s", async (disturbance, fix) => {
    const fake = await openFake();
    fake.faults.disturb(disturbance);
    expect(await examineAddress(fake.url, Date.now)).toEqual([
      { check: "address", status: "error", message: expect.stringContaining(fix) },
    ]);
  });

  it("the address check reports the connection error of an unreachable shop", async () => {
    const [found] = await examineAddress(await closedUrl(), Date.now);
    expect(found).toMatchObject({ check: "address", status: "error" });
    expect(found?.message).toBe("The shop cannot be reached (ECONNREFUSED): check url, DNS, certificate and firewall.");
  });

  it("the address check reports an error for a WordPress without WooCommerce", async () => {
    const url = await serve('{"name":"Blog","namespaces":["wp/v2"]}');
    expect((await examineAddress(url, Date.now)).map(({ message }) => message).join()).toContain(
      "activate WooCommerce",
    );
  });

  it.each([
    [30, "ok", "Both clocks agree."],
    [-120, "warning", "synchronise both clocks (NTP)"],
    [960, "error", "synchronise both clocks (NTP)"],
  ])("the clock check of a shop %i seconds off is %s", async (seconds, status, text) => {
    const { url } = await openFake();
    // The Date header has whole seconds.
    const now = () => Math.floor(Date.now() / 1_000 + seconds) * 1_000;
    const [, clock] = await examineAddress(url, now);
    expect(clock).toMatchObject({ check: "clock", status, message: expect.stringContaining(text) });
  });

  it("the clock check subtracts the age of a cached response", async () => {
    const headers = { Date: new Date(Date.now() - 900_000).toUTCString(), Age: "900" };
    const url = await serve('{"name":"Shop","namespaces":["wc/v3"]}', headers);
    const [, clock] = await examineAddress(url, Date.now);
    expect(clock).toMatchObject({ check: "clock", status: "ok" });
  });
});

describe("key check", () => {
  it.each([
    ["orders", "ok", "and nothing else"],
    ["read-only", "error", "create one with the permission Read/Write"],
    ["administrator", "warning", "create one for a user who can only manage orders"],
  ] as const)("the check of a REST key with the permissions %s is %s", async (rights, status, text) => {
    const fake = await openFake({ rights });
    const found = await examineKey(createWooRest({ ...fake, clock: systemClock }));
    expect(found).toEqual([{ check: "rest-key", status, message: expect.stringContaining(text) }]);
  });

  it("the key check does not blame the key for a firewall that blocks writes", async () => {
    const page = "Something in front of the shop answered 403 with a page: let /wp-json/ through the firewall.";
    const rest = {
      get: async () => ({ status: 200, code: null, body: [], pages: 1 }),
      put: async () => {
        throw new StoreError("unavailable", page);
      },
    };
    expect(await examineKey(rest)).toEqual([
      { check: "rest-key", status: "error", message: `Orders cannot be written. ${page}` },
    ]);
  });

  it("the check of a wrong REST key names the usual causes and not the key", async () => {
    const fake = await openFake();
    const rest = createWooRest({ ...fake, consumerSecret: "cs_a_wrong_secret", clock: systemClock });
    const [found] = await examineKey(rest);
    expect(found?.message).toMatch(/the key is wrong, .* drops the Authorization header, .* detect https/);
    expect(found?.message).not.toContain("cs_a_wrong_secret");
  });
});

describe("plugin check", () => {
  it.each<[string, object, string, string]>([
    ["without problems", {}, "plugin ok", "locks an order while it marks it as paid"],
    ["with another protocol version", { protocol: 2 }, "plugin error", "update it"],
    [
      "with another checkout server address",
      { checkout_server: "https://old.example" },
      "plugin error",
      "set its checkout server address to publicUrl",
    ],
    ["whose payment method is disabled", { enabled: false }, "plugin warning", "The payment method is disabled"],
    [
      "in a shop with an unsupported currency",
      { currency: "USD", decimals: 2 },
      "currency error",
      "not among its currencies in the configuration",
    ],
    ["with too few decimals", { currency: "EUR", decimals: 0 }, "currency error", "set 2 under WooCommerce"],
    ["with too many decimals", { decimals: 2 }, "currency warning", "Set 0 under WooCommerce"],
  ])("the check of a plugin %s reports what is right, or how to correct it", async (_, change, expected, text) => {
    const found = await examinePlugin(pluginAnswering({ ...PING, ...change }), STORE, CONFIG);
    expect(found.map(({ check, status }) => `${check} ${status}`)).toContain(expected);
    expect(found.map(({ message }) => message).join("\n")).toContain(text);
  });

  it.each([
    ["auto", "rest_no_route", "warning", "Until then orders are marked paid by the shop's REST API"],
    ["auto", "tillkit_signature_invalid", "error", "What to do."],
    ["plugin", "rest_no_route", "error", "What to do."],
    ["plugin", null, "error", "What to do."],
  ] as const)(
    "the check of an unreachable plugin with writeOrdersBy %s and the code %s is %s",
    async (writeOrdersBy, code, status, text) => {
      const reply = { kind: "unreachable", status: 404, code, message: "What to do." } as const;
      const plugin = { call: async () => reply };
      const found = await examinePlugin(plugin, { ...STORE, writeOrdersBy }, CONFIG);
      expect(found).toEqual([{ check: "plugin", status, message: expect.stringContaining(text) }]);
    },
  );
});

const PING = {
  protocol: 1,
  plugin: "0.1.0",
  currency: "XOF",
  decimals: 0,
  enabled: true,
  checkout_server: "https://pay.example",
};

function pluginAnswering(body: object) {
  return { call: async () => ({ kind: "answered", status: 200, code: null, body }) as const };
}

async function examine(fixture: ServerFixture): Promise<readonly Diagnosis[]> {
  const found: Diagnosis[] = [];
  for await (const diagnosis of examineWooCommerce(fixture.server().config)) found.push(diagnosis);
  return found;
}

function messageOf(found: readonly Diagnosis[], name: Diagnosis["check"]): string {
  return found.find(({ check }) => check === name)?.message ?? "";
}

async function openFake(options: Parameters<typeof createFakeWooCommerce>[0] = {}) {
  const fake = await createFakeWooCommerce(options);
  onTestFinished(fake.close);
  return fake;
}

/** The address of a server that was just closed. */
async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

async function serve(body: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
