import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { StoreError, systemClock } from "@tillkit/core";
import { type Diagnosis, examineCompanion, readCompanionConfig, type StoreConfig } from "@tillkit/woocommerce";
import { createFakeWooCommerce, type Disturbance } from "@tillkit/woocommerce/fake";
import { describe, expect, it, onTestFinished } from "vitest";
import { examineAddress } from "../src/doctor/examine-address.ts";
import { examineKey } from "../src/doctor/examine-key.ts";
import { examinePlugin } from "../src/doctor/examine-plugin.ts";
import { createWooRest } from "../src/transport/woo-rest.ts";
import { LINK_SECRET, openWorld, type World } from "./world.ts";

const CONFIG = readCompanionConfig({
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
  it("finds a healthy shop healthy, with a key of least privilege, and changes nothing", async () => {
    const world = await openWorld({ timer: false, fake: { decimals: 0 } });
    const { id } = world.fake.shop.placeOrder({ total: "5000" });
    const before = world.fake.shop.order(id);
    const found = await examine(world);
    expect(found.map(({ about, say }) => `${about} ${say}`)).toEqual([
      "address well",
      "clock well",
      "key well",
      "plugin well",
      "money well",
      "service well",
      "webhooks well",
    ]);
    expect(world.fake.shop.order(id)).toEqual(before);
    expect(world.fake.requests.filter((request) => /^(?:PUT|POST) wc\/v3\/orders\/1\d{3}$/.test(request))).toEqual([]);
  });

  it("asks no shop that it cannot reach for anything else, and still looks at service and webhooks", async () => {
    const world = await openWorld({ timer: false });
    world.fake.faults.disturb("redirect");
    const found = await examine(world);
    expect(found.map(({ about, say }) => `${about} ${say}`)).toEqual([
      "address mistake",
      "service well",
      "webhooks well",
    ]);
  });

  it("finds a key that the service does not take, and a delivery that does not arrive", async () => {
    const apiKey = "svc_sk_test_somebodyelses0123456789abcdef";
    const world = await openWorld({ timer: false, store: { apiKey }, config: { publicUrl: await nobodysUrl() } });
    const found = await examine(world);
    expect(textOf(found, "service")).toContain("does not answer as it should");
    expect(textOf(found, "webhooks")).toContain("(ECONNREFUSED): it must lead to the running companion.");
    expect(JSON.stringify(found)).not.toMatch(/svc_sk_test_\w|whsec_|cs_fake/);
  });
});

describe("the shop's address", () => {
  it.each<[Disturbance, string]>([
    ["redirect", "redirects to https://www.shop.example: set url to the address that WordPress itself uses"],
    ["html", "choose pretty permalinks"],
    ["maintenance", "answered 503 without data"],
    ["forbidden", "let /wp-json/ through every firewall"],
    ["hang-up", "cannot be reached"],
  ])("that answers with %s is a mistake with its fix", async (how, fix) => {
    const fake = await openFake();
    fake.faults.disturb(how);
    expect(await examineAddress(fake.url, Date.now)).toEqual([
      { about: "address", say: "mistake", text: expect.stringContaining(fix) },
    ]);
  });

  it("where nobody listens is a mistake, with the connection's own word for it", async () => {
    const [found] = await examineAddress(await nobodysUrl(), Date.now);
    expect(found).toMatchObject({ about: "address", say: "mistake" });
    expect(found?.text).toBe("The shop cannot be reached (ECONNREFUSED): check url, DNS, certificate and firewall.");
  });

  it("of a WordPress without WooCommerce is a mistake", async () => {
    const url = await serve('{"name":"Blog","namespaces":["wp/v2"]}');
    expect((await examineAddress(url, Date.now)).map(({ text }) => text).join()).toContain("activate WooCommerce");
  });

  it.each([
    [30, "well", "Both clocks agree."],
    [-120, "warning", "set both servers by the network's time"],
    [960, "mistake", "set both servers by the network's time"],
  ])("tells a clock that is %i seconds off: %s", async (seconds, say, text) => {
    const { url } = await openFake();
    // The header has whole seconds.
    const now = () => Math.floor(Date.now() / 1_000 + seconds) * 1_000;
    const [, clock] = await examineAddress(url, now);
    expect(clock).toMatchObject({ about: "clock", say, text: expect.stringContaining(text) });
  });

  it("is not told a wrong clock by a cache that kept the answer", async () => {
    const headers = { Date: new Date(Date.now() - 900_000).toUTCString(), Age: "900" };
    const url = await serve('{"name":"Shop","namespaces":["wc/v3"]}', headers);
    const [, clock] = await examineAddress(url, Date.now);
    expect(clock).toMatchObject({ about: "clock", say: "well" });
  });
});

describe("the REST key", () => {
  it.each([
    ["orders", "well", "and nothing else"],
    ["read-only", "mistake", "make one with the permission Read/Write"],
    ["administrator", "warning", "make one of a user who may only manage orders"],
  ] as const)("with the rights %s is told as it is: %s", async (rights, say, text) => {
    const fake = await openFake({ rights });
    const found = await examineKey(createWooRest({ ...fake, clock: systemClock }));
    expect(found).toEqual([{ about: "key", say, text: expect.stringContaining(text) }]);
  });

  it("is not blamed for a firewall that lets nobody write", async () => {
    const page = "Something in front of the shop answered 403 with a page: let /wp-json/ through the firewall.";
    const rest = {
      get: async () => ({ status: 200, code: null, body: [], pages: 1 }),
      put: async () => {
        throw new StoreError("unavailable", page);
      },
    };
    expect(await examineKey(rest)).toEqual([
      { about: "key", say: "mistake", text: `Orders cannot be written. ${page}` },
    ]);
  });

  it("that is wrong is a mistake, with what usually stands behind it, and is not repeated", async () => {
    const fake = await openFake();
    const rest = createWooRest({ ...fake, consumerSecret: "cs_a_wrong_secret", clock: systemClock });
    const [found] = await examineKey(rest);
    expect(found?.text).toMatch(/The key is wrong .* drops the Authorization header, .* reached over https/);
    expect(found?.text).not.toContain("cs_a_wrong_secret");
  });
});

describe("the plugin", () => {
  it.each<[string, object, string, string]>([
    ["that is well", {}, "plugin well", "marks orders paid under a lock"],
    ["of another protocol", { protocol: 2 }, "plugin mistake", "update it"],
    [
      "that leads elsewhere",
      { companion: "https://old.example" },
      "plugin mistake",
      "set its companion URL to publicUrl",
    ],
    ["without permalinks", { permalinks: false }, "plugin mistake", "Choose pretty permalinks"],
    ["that is switched off", { gateway: false }, "plugin warning", "The gateway is switched off"],
    ["in a currency not taken", { currency: "USD", decimals: 2 }, "money mistake", "not among its currencies here"],
    ["with decimals too few", { currency: "EUR", decimals: 0 }, "money mistake", "set 2 under WooCommerce"],
    ["with decimals too many", { decimals: 2 }, "money warning", "Set 0 under WooCommerce"],
  ])("%s is told as it is", async (_, change, what, text) => {
    const found = await examinePlugin({ plugin: answering({ ...PING, ...change }) }, STORE, CONFIG);
    expect(found.map(({ about, say }) => `${about} ${say}`)).toContain(what);
    expect(found.map((finding) => finding.text).join("\n")).toContain(text);
  });

  it.each([
    ["auto", "rest_no_route", "warning", "activate the plugin"],
    ["auto", "tillkit_signature_invalid", "mistake", "the same store id and link secret"],
    ["plugin", "rest_no_route", "mistake", "activate the plugin"],
    ["plugin", null, "mistake", "let /wp-json/tillkit/ through"],
  ] as const)("whose door is closed, settling by %s (%s): %s", async (settleBy, code, say, text) => {
    const plugin = { call: async () => ({ say: "closed", status: 404, code }) as const };
    const found = await examinePlugin({ plugin }, { ...STORE, settleBy }, CONFIG);
    expect(found).toEqual([{ about: "plugin", say, text: expect.stringContaining(text) }]);
  });
});

const PING = {
  protocol: 1,
  plugin: "0.1.0",
  currency: "XOF",
  decimals: 0,
  gateway: true,
  permalinks: true,
  companion: "https://pay.example",
};

function answering(body: object) {
  return { call: async () => ({ say: "answered", status: 200, code: null, body }) as const };
}

async function examine(world: World): Promise<readonly Diagnosis[]> {
  const found: Diagnosis[] = [];
  for await (const diagnosis of examineCompanion(world.companion().config)) found.push(diagnosis);
  return found;
}

function textOf(found: readonly Diagnosis[], what: Diagnosis["about"]): string {
  return found.find(({ about }) => about === what)?.text ?? "";
}

async function openFake(options: Parameters<typeof createFakeWooCommerce>[0] = {}) {
  const fake = await createFakeWooCommerce(options);
  onTestFinished(fake.close);
  return fake;
}

/** Where somebody listened a moment ago. */
async function nobodysUrl(): Promise<string> {
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
