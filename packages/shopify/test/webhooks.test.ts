import { createServer } from "node:http";
import { money, startCheckout } from "@tillkit/core";
import { signWebhookBody } from "@tillkit/testkit/shopify";
import { afterEach, describe, expect, test } from "vitest";
import { type AppWish, type AppWorld, GATEWAY, openAppWorld } from "./world.ts";

const worlds: AppWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function open(wish: AppWish = {}): Promise<AppWorld> {
  const world = await openAppWorld(wish);
  worlds.push(world);
  return world;
}

type Sent = {
  readonly topic?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | null>>;
};

async function send(
  { url, simulator, shop, clock }: AppWorld,
  { topic = "customers/redact", body, headers = {} }: Sent = {},
) {
  const given = body ?? {
    shop_id: 1,
    shop_domain: shop.domain,
    customer: { id: 1, email: "awa@example.com" },
    orders_to_redact: [5],
  };
  const bytes = typeof given === "string" ? given : JSON.stringify(given);
  const all: Record<string, string | null> = {
    "X-Shopify-Topic": topic,
    "X-Shopify-Hmac-Sha256": signWebhookBody(Buffer.from(bytes), simulator.app.clientSecret),
    "X-Shopify-Shop-Domain": shop.domain,
    "X-Shopify-API-Version": "2026-07",
    "X-Shopify-Webhook-Id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
    "X-Shopify-Triggered-At": new Date(clock.now()).toISOString(),
    ...headers,
  };
  const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const { status } = await fetch(`${url}/shopify/webhooks`, { method: "POST", headers: kept, body: bytes });
  return status;
}

describe("a webhook of Shopify", () => {
  test.each(["customers/data_request", "customers/redact", "shop/redact"])(
    "%s is taken when it is signed",
    async (topic) => {
      const world = await open();
      expect(await send(world, { topic })).toBe(200);
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
  ])("%s is answered 401 and leaves no row", async (_how, headers) => {
    const world = await open();
    expect(await send(world, { headers })).toBe(401);
    expect(await world.rows("shopify-hook")).toBe(0);
  });

  test.each([
    ["an address that is no shop", { "X-Shopify-Shop-Domain": "evil.example" }],
    ["no id", { "X-Shopify-Webhook-Id": null }],
  ])("with %s is answered 400", async (_how, headers) => {
    const world = await open();
    const body = { id: 5 };
    expect(await send(world, { topic: "orders/create", body, headers })).toBe(400);
    expect(await world.rows("shopify-hook")).toBe(0);
  });

  test("that we do not know, or cannot read, is answered 200: Shopify takes subscriptions away that fail", async () => {
    const world = await open();
    expect(await send(world, { topic: "themes/publish", body: { id: 1 } })).toBe(200);
    expect(await send(world, { topic: "orders/create", body: { id: "../5" } })).toBe(200);
    expect(await send(world, { topic: "orders/create", body: "[]" })).toBe(200);
    expect(await world.rows("shopify-hook")).toBe(0);
  });

  test("is written down once under its id, without anything of the customer", async () => {
    const world = await open();
    expect(await Promise.all(Array.from({ length: 10 }, () => send(world)))).toEqual(Array(10).fill(200));
    const rows = await world.ledger.records.list({ kind: "shopify-hook", limit: 10 });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("awa@");
  });
});

/** A service that opens sessions, so that a payment exists. */
async function withService(world: AppWorld, work: () => Promise<void>): Promise<void> {
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
  const { shop } = world;
  await world.app.checkout.storedCredentials?.put({
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

describe("what a shop wants erased", () => {
  test("is gone from the database: rows, tokens, keys, payments, and not those of other shops", async () => {
    const world = await open();
    const other = world.simulator.openShop("other");
    await other.install();
    const { session } = await world.shop.startPayment({ total: money(12_500, "XOF"), test: true });
    await withService(world, async () => {
      const order = await (await world.adapter()).findOrder(
        { storeId: world.shop.domain, orderId: session.group },
        session.gid,
      );
      if (order) await startCheckout(world.app.checkout.engine, order);
    });
    const payment = await world.ledger.find({ attempt: session.gid, storeId: world.shop.domain });
    expect(payment?.state).toBe("open");

    world.shop.uninstall();
    await world.clock.advance(60_000);
    await send(world, { topic: "shop/redact", body: { shop_id: 1, shop_domain: world.shop.domain } });
    await world.app.work();
    // Money may still arrive for an open page: what belongs to it waits, and is looked at again.
    expect(await world.ledger.find({ id: payment?.id ?? "" })).not.toBeNull();
    const closed = { ...payment, state: "closed", nextCheckAt: null, version: (payment?.version ?? 0) + 1 };
    await world.ledger.commit({ payment: { next: closed as never, expect: payment?.version ?? 0 }, timeline: [] });
    await finishJobs(world);
    await world.clock.advance(12 * 3_600_000);
    await world.app.work();

    expect(await everythingAbout(world, "acme.myshopify.com")).toEqual([]);
    expect(await everythingAbout(world, "other.myshopify.com")).not.toEqual([]);
    expect(await world.app.checkout.storedCredentials?.list()).toEqual([]);
  });

  test("is not touched while the shop has the app: the order is about an earlier goodbye", async () => {
    const world = await open();
    await send(world, { topic: "shop/redact", body: { shop_domain: world.shop.domain } });
    await world.app.work();
    expect(await world.rows("shopify-shop")).toBe(1);
    expect(await world.app.checkout.storedCredentials?.list()).toHaveLength(1);
  });
});

async function finishJobs({ ledger, clock }: AppWorld): Promise<void> {
  const jobs = await ledger.claim({ worker: "test", now: clock.now() + 1e12, leaseMs: 1, limit: 100 });
  await ledger.commit({ finished: jobs.map(({ id }) => id), timeline: [] });
}

const KINDS = ["shop", "payment", "group", "money", "hook", "line", "token"].map((name) => `shopify-${name}`);

/** Names of everything that the database still keeps about a shop, the queues included. */
async function everythingAbout({ ledger }: AppWorld, shop: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of KINDS) {
    for (const place of [ledger.records, ledger.secrets]) {
      const rows = await place.list({ kind, storeId: shop, limit: 100 });
      found.push(...rows.map(({ key }) => `${kind} ${key}`));
    }
    const queued = await ledger.records.list({ kind: `${kind}-due`, limit: 100 });
    found.push(...queued.filter(({ key }) => key.includes(shop)).map(({ key }) => `${kind}-due ${key}`));
  }
  const { rows } = await ledger.listPayments({ storeId: shop, limit: 100 });
  return [...found, ...rows.map(({ id }) => `payment ${id}`)];
}

describe("an order of an order-payment shop", () => {
  async function openOrders() {
    const world = await open({ mode: "order" });
    return { world, order: world.shop.placeOrder({ total: money(5_000, "XOF"), gateway: GATEWAY, test: true }) };
  }

  async function hear({ simulator, app }: AppWorld): Promise<void> {
    await simulator.webhooks.settled();
    await app.work();
  }

  test("gets its pay link when its webhook arrives, and keeps it", async () => {
    const { world, order } = await openOrders();
    await hear(world);
    const url = order.metafields.get("$app:tillkit.pay_url")?.value ?? "";
    expect(url).toMatch(new RegExp(`^${world.url}/pay/`));
    await send(world, { topic: "orders/updated", body: { id: Number(order.id.replace(/.*\//, "")) } });
    await world.app.work();
    expect(order.metafields.get("$app:tillkit.pay_url")?.value).toBe(url);
    expect(world.shop.record.callsOf("metafieldsSet")).toHaveLength(1);
  });

  test("with another payment method is left alone", async () => {
    const { world } = await openOrders();
    const cash = world.shop.placeOrder({ total: money(5_000, "XOF"), gateway: "Cash on delivery", test: true });
    await hear(world);
    expect(cash.metafields.size).toBe(0);
  });

  test("is paid from the thank-you page by its checkout token, twenty times a minute and no more", async () => {
    const { world, order } = await openOrders();
    const look = async (query: string) => {
      const answer = await fetch(`${world.url}/shopify/order-pay?${query}`, { redirect: "manual" });
      return [answer.status, answer.headers.get("location")?.replace(/\/pay\/.*/, "/pay/…") ?? null];
    };
    expect(await look(`shop=acme.myshopify.com&checkout_token=${order.checkoutToken}`)).toEqual([
      303,
      `${world.url}/pay/…`,
    ]);
    expect(await look("shop=acme.myshopify.com&checkout_token=0123456789abcdef")).toEqual([404, null]);
    expect(await look(`shop=evil.example&checkout_token=${order.checkoutToken}`)).toEqual([404, null]);
    expect(await look("shop=acme.myshopify.com&checkout_token=x%20OR%20id:*")).toEqual([404, null]);
    for (let time = 0; time < 20; time += 1) await look("shop=acme.myshopify.com&checkout_token=0123456789abcdef");
    expect((await look(`shop=acme.myshopify.com&checkout_token=${order.checkoutToken}`))[0]).toBe(503);
    await world.clock.advance(60_000);
    expect((await look(`shop=acme.myshopify.com&checkout_token=${order.checkoutToken}`))[0]).toBe(303);
  });

  test("is found by its buyer though another one behind the same proxy asked too often", async () => {
    const proxy = { by: "proxy" as const, header: "X-SSL-Client-Verify", trustedProxies: ["127.0.0.1"] };
    const world = await open({ mode: "order", config: { clientCertificates: proxy } });
    const order = world.shop.placeOrder({ total: money(5_000, "XOF"), gateway: GATEWAY, test: true });
    const url = `${world.url}/shopify/order-pay?shop=acme.myshopify.com&checkout_token=${order.checkoutToken}`;
    const look = async (buyer: string) =>
      (await fetch(url, { redirect: "manual", headers: { "X-Forwarded-For": buyer } })).status;
    for (let time = 0; time < 20; time += 1) expect(await look("203.0.113.1")).toBe(303);
    expect(await look("203.0.113.1")).toBe(503);
    expect(await look("198.51.100.9, 203.0.113.1")).toBe(503);
    expect(await look("203.0.113.2")).toBe(303);
  });

  test("about whose customer data is asked is listed for the owner, who can see that none is kept", async () => {
    const { world } = await openOrders();
    const body = {
      shop_domain: world.shop.domain,
      orders_requested: [299938],
      customer: { email: "awa@example.com" },
      data_request: { id: 9 },
    };
    await send(world, { topic: "customers/data_request", body });
    await world.app.work();
    const { text } = await world.shop.install();
    expect(text).toContain("299938");
    expect(text).not.toContain("awa@");
  });
});
