import { createServiceClient } from "@tillkit/client";
import type { Credentials } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createFakeWooCommerce } from "@tillkit/fake-woocommerce";
import { credentialsOf, greeting, saveLinkSecret } from "@tillkit/php-bridge";
import type { Sandbox } from "@tillkit/sandbox";
import { createManualClock } from "@tillkit/testkit";
import { createWooCommerceServer, type WooCommerceServer } from "@tillkit/woocommerce";
import { describe, expect, it, onTestFinished } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { WOOCOMMERCE } from "../src/protocol/platform.ts";
import { openServerFixture, type ServerFixture, STORE_ID, type StoreInput } from "./server-fixture.ts";

/** A shop whose entry in the configuration has no REST key, no link secret and no webhook secret. */
const UNPAIRED = {
  consumerKey: undefined,
  consumerSecret: undefined,
  linkSecret: undefined,
  webhookSecrets: undefined,
  endpointId: "fresh",
};

describe("pairing a shop", () => {
  it("the owner sees what will be allowed before anything changes", async () => {
    const fixture = await openUnpairedShop();
    const answer = await postForm(fixture, "/bridge/v1/pair", fixture.fake.startPairing(fixture.url));
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain("mark orders paid, put them on hold, and add notes to them");
    expect(page).toContain("read or change products, customers, coupons, settings or users");
    expect(page).toContain(
      `<a href="${fixture.fake.url}/wp-admin/admin.php?page=wc-settings&amp;tab=checkout&amp;section=tillkit">`,
    );
    // A link to the other language would lose the form with its one-time code.
    expect(page).not.toContain("hreflang");
    expect(fixture.fake.requests).toEqual([]);
    expect(await freshWebhookUrls(fixture.sandbox)).toEqual([]);
  });

  it("a paired shop takes a payment without a REST key, a typed secret or a webhook that was set up by hand", async () => {
    const fixture = await openUnpairedShop();
    const answer = await pairShop(fixture);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toMatch(
      /\/wp-admin\/admin\.php\?.*section=tillkit&tillkit_paired=yes#tillkit-connection$/,
    );
    const { order, payment } = await fixture.openOrder();
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
    expect(fixture.fake.shop.order(order.id)).toMatchObject({ status: "processing" });
    expect(fixture.fake.requests.filter((request) => request.includes("wc/v3"))).toEqual([]);
    const endpoints = await freshWebhookUrls(fixture.sandbox);
    expect(endpoints).toEqual([`${fixture.url}/hooks/service/fresh`]);
  });

  it("the secrets of a pairing survive a restart of the checkout server", async () => {
    const fixture = await openUnpairedShop();
    await pairShop(fixture);
    await fixture.restart();
    const { order, payment } = await fixture.openOrder();
    await fixture.pay(payment);
    await waitFor(async () => expect((await fixture.payment(order.id)).state).toBe("recorded"));
  });

  it("pairing again changes the secret, and a link that was signed before still opens its hosted page", async () => {
    const fixture = await openUnpairedShop();
    await pairShop(fixture);
    const order = fixture.fake.shop.placeOrder({ total: "5000" });
    const link = fixture.fake.payLink(order.id);
    await pairShop(fixture);
    expect(fixture.fake.payLink(order.id)).not.toBe(link);
    expect((await fixture.follow(link)).status).toBe(303);
    expect((await fixture.follow(fixture.fake.payLink(order.id))).status).toBe(303);
    expect(await freshWebhookUrls(fixture.sandbox)).toHaveLength(1);
  });

  it("nobody can pay before the shop is paired, and a signed call of an earlier plugin is refused", async () => {
    const fixture = await openUnpairedShop();
    expect((await fixture.call("health", {})).status).toBe(401);
    const order = fixture.fake.shop.placeOrder({ total: "5000" });
    fixture.fake.setPlugin({ checkoutServerUrl: fixture.url, storeId: STORE_ID, linkSecret: "x".repeat(40) });
    expect((await fixture.follow(order)).status).toBe(403);
  });
});

describe("going live", () => {
  it("a paired shop that changes to a live key is not connected until its live webhook was registered", async () => {
    const ledger = createMemoryLedger();
    const start = async (apiKey: string) => {
      const host = { publicUrl: "https://pay.example", database: "sqlite::memory:", keys: ["k".repeat(32)] };
      const store = { id: STORE_ID, url: "https://shop.example", apiKey, currencies: ["XOF"] };
      const config = { ...host, service: { baseUrl: "https://api.example" }, stores: [store] };
      const server = await createWooCommerceServer(config, { ledger });
      onTestFinished(() => server.close());
      return server;
    };
    const register = async (server: WooCommerceServer, secret: string) => {
      const [credential] = credentialsOf(server.config);
      if (credential) await server.checkout.storedCredentials?.put({ ...credential, webhookSecrets: [secret] });
      return (await ledger.credentials.find({ endpointId: STORE_ID })).map((one) => [
        one.environment,
        one.webhookSecrets,
      ]);
    };
    await saveLinkSecret(WOOCOMMERCE, STORE_ID, "a link secret of the tests, never of a real shop", ledger.secrets, 0);
    const inTest = await start("svc_sk_test_1");
    expect(await inTest.unpaired()).toEqual([STORE_ID]);
    expect(await register(inTest, "whsec_test")).toEqual([["test", ["whsec_test"]]]);
    expect(await (await start("svc_sk_test_1")).unpaired()).toEqual([]);
    const inLive = await start("svc_sk_live_1");
    expect(await inLive.unpaired()).toEqual([STORE_ID]);
    expect(await register(inLive, "whsec_live")).toEqual([["live", ["whsec_live"]]]);
    expect(await inLive.unpaired()).toEqual([]);
  });
});

describe("a ledger of an earlier version", () => {
  it("keeps the webhook secret that a pairing stored for the shop", async () => {
    const ledger = createMemoryLedger();
    await ledger.secrets.put(STORE_ID, "woo-webhook", "fresh-test", { secret: "whsec_before" }, "new");
    const fixture = await openUnpairedShop(ledger);
    const [credential] = await ledger.credentials.find({ storeId: STORE_ID });
    expect(credential).toMatchObject({ id: "fresh-test", webhookSecrets: ["whsec_before"] });
    expect(await ledger.secrets.list({ kind: "woo-webhook", limit: 9 })).toEqual([]);
    await fixture.restart();
    expect(await ledger.credentials.find({ storeId: STORE_ID })).toEqual([credential]);
  });

  it("a shop that was never paired registers its webhook, although that version stored a secret that nobody knows", async () => {
    const fixture = await openUnpairedShop();
    const [credential] = credentialsOf(fixture.server().config);
    const stored = fixture.server().checkout.storedCredentials;
    if (credential) await stored?.put({ ...credential, webhookSecrets: [`whsec_${"0".repeat(64)}`] });
    expect(await fixture.server().unpaired()).toEqual([STORE_ID]);
    expect((await pairShop(fixture)).status).toBe(303);
    await expectPaidByWebhook(fixture);
  });
});

describe("a pairing that ends half-way", () => {
  it("the owner hears that the webhook secret was not stored, and the next pairing completes it", async () => {
    const ledger = createMemoryLedger();
    let isDown = false;
    const credentials: Credentials = {
      ...ledger.credentials,
      put: (change) => (isDown ? Promise.reject(new Error("down")) : ledger.credentials.put(change)),
    };
    const fixture = await openUnpairedShop({ ...ledger, credentials });
    isDown = true;
    expect((await pairShop(fixture)).status).toBe(502);
    isDown = false;
    expect(await fixture.server().unpaired()).toEqual([STORE_ID]);
    expect((await pairShop(fixture)).status).toBe(303);
    expect(await freshWebhookUrls(fixture.sandbox)).toHaveLength(1);
    await expectPaidByWebhook(fixture);
  });

  it("two shops of one endpoint that are paired at the same time have the secret that the service signs with", async () => {
    const other = await createFakeWooCommerce({});
    onTestFinished(() => other.close());
    const fixture = await openUnpairedShop();
    fixture.config.stores.push({ ...storeOf(fixture), id: "another", url: other.url, name: "Another" });
    await fixture.restart();
    const forms = [fixture.fake, other].map((fake) => ({
      shop: fake.url,
      code: fake.startPairing(fixture.url),
      language: "en",
    }));
    const answers = await Promise.all(forms.map((form) => post(fixture, "/bridge/v1/pair/confirm", form)));
    expect(answers.map(({ status }) => status)).toContain(303);
    expect(await freshWebhookUrls(fixture.sandbox)).toHaveLength(1);
    await expectPaidByWebhook(fixture);
  });
});

describe("a shop that nobody has connected yet", () => {
  it("the start of the checkout server names the shop and the next step, until the shop is connected", async () => {
    const fixture = await openUnpairedShop();
    const start = async () =>
      greeting(WOOCOMMERCE, fixture.server().config, fixture.url, await fixture.server().unpaired());
    expect(await start()).toContain(`save the checkout server address ${fixture.url} and press Connect.`);
    await pairShop(fixture);
    expect(await fixture.server().unpaired()).toEqual([]);
    expect(await start()).not.toContain("press Connect");
  });

  it("the daily reconciliation asks a shop only once it is connected, and by one of several processes", async () => {
    const fixture = await openUnpairedShop();
    const startAndReconcile = async () => {
      const clock = createManualClock(Date.now());
      const messages: string[] = [];
      const record = (message: string) => void messages.push(message);
      const log = { info: record, warn: record, error: record };
      const server = await createWooCommerceServer(fixture.config, { ledger: fixture.ledger, clock, log });
      server.start();
      const requestsBefore = fixture.fake.requests.length;
      // A server that starts reconciles for the first time within a minute.
      await clock.advance(61_000);
      await server.close();
      return {
        requestCount: fixture.fake.requests.length - requestsBefore,
        logged: messages.filter((message) => message.startsWith("woo.sweep")),
      };
    };
    expect(await startAndReconcile()).toEqual({ requestCount: 0, logged: [] });
    await pairShop(fixture);
    const connected = await startAndReconcile();
    expect(connected.requestCount).toBeGreaterThan(0);
    expect(connected.logged).toEqual(["woo.sweep_completed"]);
    // A second process that starts then finds that the first one did it.
    expect(await startAndReconcile()).toEqual({ requestCount: 0, logged: [] });
  });
});

describe("what a pairing refuses", () => {
  it("a pairing code that was used before is refused with the reason, and the shop keeps its secret", async () => {
    const fixture = await openUnpairedShop();
    const code = fixture.fake.startPairing(fixture.url);
    expect((await postForm(fixture, "/bridge/v1/pair/confirm", code)).status).toBe(303);
    const order = fixture.fake.shop.placeOrder({ total: "5000" });
    const answer = await postForm(fixture, "/bridge/v1/pair/confirm", code);
    expect(await answer.text()).toContain("has expired or was already made");
    expect((await fixture.follow(order)).status).toBe(303);
  });

  it("a code that nobody was given rotates no secret at the service, where another server may use the endpoint", async () => {
    const fixture = await openUnpairedShop();
    const { keys, baseUrl } = fixture.sandbox;
    const { webhooks } = createServiceClient({ apiKey: keys.test.secret, baseUrl });
    const url = `${fixture.url}/hooks/service/fresh`;
    const { data } = await webhooks.create({ url, authorized_events: ["PAYMENT_SUCCEEDED"] });
    const answer = await postForm(fixture, "/bridge/v1/pair/confirm", "0".repeat(64));
    expect(await answer.text()).toContain("has expired or was already made");
    expect((await webhooks.read(data.id ?? "")).data).toMatchObject({ authorizedEvents: ["PAYMENT_SUCCEEDED"] });
    expect(await freshWebhookUrls(fixture.sandbox)).toEqual([url]);
  });

  it("an address that sent ten codes waits for ten minutes, and neither the shop nor another address notices", async () => {
    const fixture = await openUnpairedShop();
    const form = { shop: fixture.fake.url, code: "0".repeat(64), language: "en" };
    const attempts = Array.from({ length: 14 }, () => postFrom(fixture, "198.51.100.7", form));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    expect(fixture.fake.requests.filter((request) => request.includes("/pair"))).toHaveLength(10);
    const refused = await postFrom(fixture, "198.51.100.7", { ...form, code: fixture.fake.startPairing(fixture.url) });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "600"]);
    expect(await refused.text()).toContain("Too many attempts");
    const owner = await postFrom(fixture, "203.0.113.9", { ...form, code: fixture.fake.startPairing(fixture.url) });
    expect(owner.status).toBe(303);
  });

  it("a pairing that the service refuses keeps the new link secret, and the next pairing completes it", async () => {
    const fixture = await openUnpairedShop();
    await fixture.sandbox.control.addFault({ method: "POST", path: "/webhooks", status: 400, times: 1 });
    const refused = await pairShop(fixture);
    expect(await refused.text()).toContain("did not register the webhook");
    expect(await fixture.server().unpaired()).toEqual([STORE_ID]);
    expect((await fixture.follow(fixture.fake.shop.placeOrder({ total: "5000" }))).status).toBe(303);
    expect((await pairShop(fixture)).status).toBe(303);
    expect(await fixture.server().unpaired()).toEqual([]);
  });

  it("a shop that is not in the configuration is never called", async () => {
    const fixture = await openUnpairedShop();
    const form = { shop: "https://evil.example", code: "0".repeat(64), language: "en" };
    const answer = await post(fixture, "/bridge/v1/pair/confirm", form);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("has no shop with the address https://evil.example");
    expect(await freshWebhookUrls(fixture.sandbox)).toEqual([]);
  });

  it("a shop whose secrets are in the configuration is not paired", async () => {
    const fixture = await openServerFixture();
    const answer = await postForm(fixture, "/bridge/v1/pair/confirm", fixture.fake.startPairing(fixture.url));
    expect(await answer.text()).toContain("remove linkSecret and webhookSecrets there");
    expect((await fixture.call("health", {})).status).toBe(200);
  });

  it("the owner of a shop that cannot be reached reads the reason, in French if the owner's language is French", async () => {
    const fixture = await openUnpairedShop();
    fixture.fake.faults.disturb("maintenance");
    const form = { shop: fixture.fake.url, code: fixture.fake.startPairing(fixture.url), language: "fr" };
    const answer = await post(fixture, "/bridge/v1/pair/confirm", form);
    expect(answer.status).toBe(502);
    expect(withPlainSpaces(await answer.text())).toContain("ne peut pas joindre l’extension");
  });

  it("markup in a shop's address stays text", async () => {
    const fixture = await openUnpairedShop();
    const form = { shop: 'https://x.example/"><script>alert(1)</script>', code: "0".repeat(64), language: "en" };
    expect(await (await post(fixture, "/bridge/v1/pair", form)).text()).not.toContain("<script>alert");
  });
});

/** The service's webhook of a payment is accepted with the secret that is stored. */
async function expectPaidByWebhook(fixture: ServerFixture): Promise<void> {
  const { payment } = await fixture.openOrder();
  await fixture.pay(payment);
  await waitFor(async () => {
    const { rows } = await fixture.ledger.listDeliveries({ limit: 9 });
    expect(rows.map(({ endpointId }) => endpointId)).toContain("fresh");
  });
}

function storeOf({ config }: ServerFixture): StoreInput {
  const [store] = config.stores;
  if (!store) throw new Error("The configuration has no shop.");
  return store;
}

async function openUnpairedShop(ledger = createMemoryLedger()): Promise<ServerFixture> {
  const fixture = await openServerFixture({ store: UNPAIRED, ledger });
  fixture.fake.setPlugin(null);
  return fixture;
}

async function pairShop(fixture: ServerFixture): Promise<Response> {
  return await postForm(fixture, "/bridge/v1/pair/confirm", fixture.fake.startPairing(fixture.url));
}

async function postForm(fixture: ServerFixture, path: string, code: string): Promise<Response> {
  return await post(fixture, path, { shop: fixture.fake.url, code, language: "en" });
}

async function post({ url }: ServerFixture, path: string, form: Record<string, string>): Promise<Response> {
  return await fetch(url + path, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
}

/** The confirmation of a pairing from this address, which the proxy in front of the checkout server names. */
async function postFrom({ url }: ServerFixture, address: string, form: Record<string, string>): Promise<Response> {
  const headers = { "X-Forwarded-For": address };
  const body = new URLSearchParams(form);
  return await fetch(`${url}/bridge/v1/pair/confirm`, { method: "POST", headers, body, redirect: "manual" });
}

/** The URLs of the webhooks that pairings registered at the service for the shop with the endpoint id `fresh`. */
async function freshWebhookUrls({ baseUrl, keys }: Sandbox): Promise<readonly (string | undefined)[]> {
  const client = createServiceClient({ apiKey: keys.test.secret, baseUrl });
  const urls: (string | undefined)[] = [];
  for await (const { url } of client.webhooks.list()) urls.push(url);
  return urls.filter((url) => url?.endsWith("/fresh"));
}

/** French texts have no-break spaces before some punctuation. */
function withPlainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, " ");
}
