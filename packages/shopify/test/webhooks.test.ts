import { createServer } from "node:http";
import { money, startCheckout } from "@tillkit/core";
import { signWebhookBody } from "@tillkit/shopify-simulator";
import { afterEach, describe, expect, test } from "vitest";
import { type AppFixture, type AppFixtureOptions, GATEWAY, openAppFixture } from "./app-fixture.ts";

const fixtures: AppFixture[] = [];
afterEach(async () => {
  await Promise.all(fixtures.splice(0).map((fixture) => fixture.close()));
});

async function open(options: AppFixtureOptions = {}): Promise<AppFixture> {
  const fixture = await openAppFixture(options);
  fixtures.push(fixture);
  return fixture;
}

type WebhookInput = {
  readonly topic?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | null>>;
};

/** Posts a webhook signed by Shopify. `headers` replace headers of it; null leaves one out. Returns the status of the answer. */
async function send(
  { url, simulator, shop, clock }: AppFixture,
  { topic = "customers/redact", body, headers = {} }: WebhookInput = {},
) {
  const content = body ?? {
    shop_id: 1,
    shop_domain: shop.domain,
    customer: { id: 1, email: "awa@example.com" },
    orders_to_redact: [5],
  };
  const bytes = typeof content === "string" ? content : JSON.stringify(content);
  const all: Record<string, string | null> = {
    "X-Shopify-Topic": topic,
    "X-Shopify-Hmac-Sha256": signWebhookBody(Buffer.from(bytes), simulator.app.clientSecret),
    "X-Shopify-Shop-Domain": shop.domain,
    "X-Shopify-API-Version": "2026-07",
    "X-Shopify-Webhook-Id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
    "X-Shopify-Triggered-At": new Date(clock.now()).toISOString(),
    ...headers,
  };
  const sentHeaders = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const { status } = await fetch(`${url}/shopify/webhooks`, { method: "POST", headers: sentHeaders, body: bytes });
  return status;
}

describe("Shopify's webhooks", () => {
  test.each(["customers/data_request", "customers/redact", "shop/redact"])(
    "a signed webhook %s is accepted",
    async (topic) => {
      const fixture = await open();
      expect(await send(fixture, { topic })).toBe(200);
    },
  );

  test.each([
    ["without a signature", { "X-Shopify-Hmac-Sha256": null }],
    [
      "with a signature of another body",
      {
        "X-Shopify-Hmac-Sha256": signWebhookBody(Buffer.from("{}"), "simulated secret of an app, never of a real one"),
      },
    ],
    ["with a signature of another secret", { "X-Shopify-Hmac-Sha256": signWebhookBody(Buffer.from("x"), "another") }],
    ["with the name of another shop before a signed body", { "X-Shopify-Shop-Domain": "victim.myshopify.com" }],
  ])("a webhook %s is answered with 401 and stores no row", async (_forgery, headers) => {
    const fixture = await open();
    expect(await send(fixture, { headers })).toBe(401);
    expect(await fixture.jobs("shopify.webhook")).toEqual([]);
  });

  test.each([
    ["a domain of another kind", { "X-Shopify-Shop-Domain": "evil.example" }],
    ["no id", { "X-Shopify-Webhook-Id": null }],
  ])("a webhook with %s is answered with 400", async (_mistake, headers) => {
    const fixture = await open();
    const body = { id: 5 };
    expect(await send(fixture, { topic: "orders/create", body, headers })).toBe(400);
    expect(await fixture.jobs("shopify.webhook")).toEqual([]);
  });

  test("an unknown or unreadable webhook is answered with 200, so that Shopify keeps the subscription", async () => {
    const fixture = await open();
    expect(await send(fixture, { topic: "themes/publish", body: { id: 1 } })).toBe(200);
    expect(await send(fixture, { topic: "orders/create", body: { id: "../5" } })).toBe(200);
    expect(await send(fixture, { topic: "orders/create", body: "[]" })).toBe(200);
    expect(await fixture.jobs("shopify.webhook")).toEqual([]);
  });

  test("a webhook is stored once under its id, without the customer's data", async () => {
    const fixture = await open();
    expect(await Promise.all(Array.from({ length: 10 }, () => send(fixture)))).toEqual(Array(10).fill(200));
    const jobs = await fixture.jobs("shopify.webhook");
    expect(jobs).toHaveLength(1);
    expect(JSON.stringify(jobs)).not.toContain("awa@");
    await fixture.app.runDue();
    expect(await send(fixture)).toBe(200);
    expect(await fixture.jobs("shopify.webhook")).toEqual([]);
  });
});

/** Runs `work` while the shop's key leads to a fake service that opens sessions. */
async function withService(fixture: AppFixture, work: () => Promise<void>): Promise<void> {
  const service = createServer((request, response) => {
    request.resume();
    const session = {
      id: "cs_1",
      checkout_url: "https://checkout.example/cs_1",
      status: "open",
      expires_at: "2026-11-22T10:00:00Z",
    };
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(session));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as { port: number };
  const { shop } = fixture;
  await fixture.app.checkout.storedCredentials?.put({
    id: `shopify-test-${shop.domain}`,
    storeIds: [shop.domain],
    apiKey: "svc_sk_test_0123456789abcdefghijklmnop",
    baseUrl: `http://127.0.0.1:${port}`,
    endpointId: "test_acme",
    webhookSecrets: ["whsec_of_the_tests_0123456789"],
  });
  try {
    await work();
  } finally {
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  }
}

describe("the erasure of a shop", () => {
  test("an erasure removes the rows, tokens, keys and payments of the shop and of no other shop", async () => {
    const fixture = await open();
    const other = fixture.simulator.openShop("other");
    await other.install();
    const { session } = await fixture.shop.startPayment({ total: money(12_500, "XOF"), test: true });
    await withService(fixture, async () => {
      const order = await (await fixture.adapter()).findOrder(
        { storeId: fixture.shop.domain, orderId: session.group },
        session.gid,
      );
      if (order) await startCheckout(fixture.app.checkout.engine, order);
    });
    const payment = await fixture.ledger.find({ attempt: session.gid, storeId: fixture.shop.domain });
    expect(payment?.state).toBe("open");

    fixture.shop.uninstall();
    await fixture.clock.advance(60_000);
    await send(fixture, { topic: "shop/redact", body: { shop_id: 1, shop_domain: fixture.shop.domain } });
    await fixture.app.runDue();
    // An open session can still be paid, so its data is erased later.
    expect(await fixture.ledger.find({ id: payment?.id ?? "" })).not.toBeNull();
    const closed = { ...payment, state: "closed", nextCheckAt: null, version: (payment?.version ?? 0) + 1 };
    await fixture.ledger.commit({ payment: { next: closed as never, expect: payment?.version ?? 0 }, timeline: [] });
    await finishJobs(fixture);
    await fixture.clock.advance(12 * 3_600_000);
    await fixture.app.runDue();

    expect(await rowsOfShop(fixture, "acme.myshopify.com")).toEqual([]);
    expect(await rowsOfShop(fixture, "other.myshopify.com")).not.toEqual([]);
    expect(await fixture.app.checkout.storedCredentials?.list()).toEqual([]);
  });

  test("an erasure request is ignored while the shop has the app installed again", async () => {
    const fixture = await open();
    await send(fixture, { topic: "shop/redact", body: { shop_domain: fixture.shop.domain } });
    await fixture.app.runDue();
    expect(await fixture.rows("shopify-shop")).toBe(1);
    expect(await fixture.app.checkout.storedCredentials?.list()).toHaveLength(1);
  });
});

/** Finishes all jobs, whenever they are due. */
async function finishJobs({ ledger, clock }: AppFixture): Promise<void> {
  const farFuture = clock.now() + 1e12;
  const jobs = await ledger.claim({ worker: "test", now: farFuture, leaseMs: 1, limit: 100 });
  await ledger.commit({ finished: jobs.map(({ id }) => id), timeline: [] });
}

/** The kinds of rows that the app stores in the ledger about a shop. */
const KINDS = ["shop", "payment", "group", "modification", "webhook", "notice", "token"].map(
  (name) => `shopify-${name}`,
);

/** The names of all rows of a shop in the database, including queues. */
async function rowsOfShop({ ledger }: AppFixture, shop: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of KINDS) {
    for (const records of [ledger.records, ledger.secrets]) {
      const rows = await records.list({ kind, storeId: shop, limit: 100 });
      found.push(...rows.map(({ key }) => `${kind} ${key}`));
    }
    const queued = await ledger.records.list({ kind: `${kind}-due`, limit: 100 });
    found.push(...queued.filter(({ key }) => key.includes(shop)).map(({ key }) => `${kind}-due ${key}`));
  }
  const { rows } = await ledger.listPayments({ storeId: shop, limit: 100 });
  return [...found, ...rows.map(({ id }) => `payment ${id}`)];
}

describe("orders in order mode", () => {
  async function openOrders() {
    const fixture = await open({ mode: "order" });
    return { fixture, order: fixture.shop.placeOrder({ total: money(5_000, "XOF"), gateway: GATEWAY, test: true }) };
  }

  async function processWebhooks({ simulator, app }: AppFixture): Promise<void> {
    await simulator.webhooks.settled();
    await app.runDue();
  }

  test("an order gets its pay link when its webhook arrives and keeps it", async () => {
    const { fixture, order } = await openOrders();
    await processWebhooks(fixture);
    const url = order.metafields.get("$app.pay_url")?.value ?? "";
    expect(url).toMatch(new RegExp(`^${fixture.url}/pay/`));
    await send(fixture, { topic: "orders/updated", body: { id: Number(order.id.replace(/.*\//, "")) } });
    await fixture.app.runDue();
    expect(order.metafields.get("$app.pay_url")?.value).toBe(url);
    expect(fixture.shop.record.callsOf("metafieldsSet")).toHaveLength(1);
  });

  test("an order with another payment method is not changed", async () => {
    const { fixture } = await openOrders();
    const cash = fixture.shop.placeOrder({ total: money(5_000, "XOF"), gateway: "Cash on delivery", test: true });
    await processWebhooks(fixture);
    expect(cash.metafields.size).toBe(0);
  });

  test("an IP address can look up orders twenty times a minute", async () => {
    const { fixture, order } = await openOrders();
    const lookUp = async (query: string) => {
      const answer = await fetch(`${fixture.url}/shopify/order-pay?${query}`, { redirect: "manual" });
      const withoutToken = answer.headers.get("location")?.replace(/\/pay\/.*/, "/pay/…");
      return [answer.status, withoutToken ?? null];
    };
    expect(await lookUp(`shop=acme.myshopify.com&checkout_token=${order.checkoutToken}`)).toEqual([
      303,
      `${fixture.url}/pay/…`,
    ]);
    expect(await lookUp("shop=acme.myshopify.com&checkout_token=0123456789abcdef")).toEqual([404, null]);
    expect(await lookUp(`shop=evil.example&checkout_token=${order.checkoutToken}`)).toEqual([404, null]);
    expect(await lookUp("shop=acme.myshopify.com&checkout_token=x%20OR%20id:*")).toEqual([404, null]);
    for (let time = 0; time < 20; time += 1) await lookUp("shop=acme.myshopify.com&checkout_token=0123456789abcdef");
    expect((await lookUp(`shop=acme.myshopify.com&checkout_token=${order.checkoutToken}`))[0]).toBe(503);
    await fixture.clock.advance(60_000);
    expect((await lookUp(`shop=acme.myshopify.com&checkout_token=${order.checkoutToken}`))[0]).toBe(303);
  });

  test("a shopper can look up a pay link although another shopper behind the same proxy reached the limit", async () => {
    const proxy = { verifiedBy: "proxy" as const, header: "X-SSL-Client-Verify", trustedProxies: ["127.0.0.1"] };
    const fixture = await open({ mode: "order", config: { clientCertificates: proxy } });
    const order = fixture.shop.placeOrder({ total: money(5_000, "XOF"), gateway: GATEWAY, test: true });
    const url = `${fixture.url}/shopify/order-pay?shop=acme.myshopify.com&checkout_token=${order.checkoutToken}`;
    const lookUp = async (shopper: string) =>
      (await fetch(url, { redirect: "manual", headers: { "X-Forwarded-For": shopper } })).status;
    for (let time = 0; time < 20; time += 1) expect(await lookUp("203.0.113.1")).toBe(303);
    expect(await lookUp("203.0.113.1")).toBe(503);
    expect(await lookUp("198.51.100.9, 203.0.113.1")).toBe(503);
    expect(await lookUp("203.0.113.2")).toBe(303);
  });

  test("a customer's data request is shown to the owner with the data that the app stores", async () => {
    const { fixture } = await openOrders();
    const body = {
      shop_domain: fixture.shop.domain,
      orders_requested: [299938],
      customer: { email: "awa@example.com" },
      data_request: { id: 9 },
    };
    await send(fixture, { topic: "customers/data_request", body });
    await fixture.app.runDue();
    const { text } = await fixture.shop.install();
    expect(text).toContain("299938");
    expect(text).not.toContain("awa@");
  });
});
