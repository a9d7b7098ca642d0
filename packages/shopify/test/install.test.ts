import { signQuery, signSessionToken } from "@tillkit/testkit/shopify";
import { afterEach, describe, expect, test } from "vitest";
import { type AppWish, type AppWorld, openAppWorld } from "./world.ts";

const worlds: AppWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function open(wish: AppWish = {}): Promise<AppWorld> {
  const world = await openAppWorld({ installed: false, keys: false, ...wish });
  worlds.push(world);
  return world;
}

/** From now on a request for a token would meet this fault, and use it up. */
const watchTokens = ({ simulator }: AppWorld) => simulator.faults.add({ on: "access_token", status: 500 });
const wasAskedForToken = ({ simulator, shop }: AppWorld) =>
  simulator.faults.take({ shop: shop.domain, names: ["access_token"] }) === null;
const shopRows = (world: AppWorld) => world.rows("shopify-shop");

function signed({ simulator, clock }: AppWorld, fields: Readonly<Record<string, string>>): string {
  const timestamp = String(Math.floor(clock.now() / 1_000));
  return String(signQuery({ timestamp, ...fields }, simulator.app.clientSecret));
}

async function visit(world: AppWorld, path: string, cookie = "") {
  const headers = { Cookie: cookie, "Accept-Language": "fr" };
  const response = await fetch(`${world.url}${path}`, { redirect: "manual", headers });
  const text = await response.text();
  const cookies = response.headers.getSetCookie();
  return {
    status: response.status,
    location: response.headers.get("location") ?? "",
    cookies,
    text,
    headers: response.headers,
  };
}

/** The owner is at Shopify's grant page; answers what the app gave the browser and asked for. */
async function askedForGrant(world: AppWorld) {
  const { location, cookies, status } = await visit(
    world,
    new URL(world.shop.installUrl()).pathname + new URL(world.shop.installUrl()).search,
  );
  expect(status).toBe(302);
  return { asked: new URL(location), cookie: (cookies[0] ?? "").split(";")[0] ?? "", attributes: cookies[0] ?? "" };
}

describe("an owner who installs the app", () => {
  test("ends on the settings page of their own shop, with a sealed token that ends and can be renewed", async () => {
    const world = await open();
    const end = await world.shop.install();
    expect(end.status).toBe(200);
    expect(end.url).toBe(`${world.url}/shopify/settings`);
    expect(end.text).toContain("acme.myshopify.com");
    expect(await shopRows(world)).toBe(1);
    const { value } = (await world.ledger.secrets.get("acme.myshopify.com", "shopify-token", "offline")) ?? {};
    expect(value).toMatchObject({ refreshToken: expect.any(String), expiresAt: world.clock.now() + 3_600_000 });
    const { accessToken } = value as { accessToken: string };
    expect(JSON.stringify(await world.ledger.records.list({ kind: "shopify-shop", limit: 9 }))).not.toContain(
      accessToken,
    );
    expect(JSON.stringify(world.lines)).not.toContain(accessToken);
  });

  test("is asked for exactly the scopes of the mode, with a state that lives ten minutes in a cookie for the server only", async () => {
    for (const [mode, scope] of [
      ["offsite", "write_payment_gateways,write_payment_sessions"],
      ["order", "read_orders,write_orders"],
    ] as const) {
      const { asked, attributes } = await askedForGrant(await open({ mode }));
      expect(asked.searchParams.get("scope")).toBe(scope);
      expect(asked.searchParams.get("client_id")).toBe("simulated-client-id");
      expect(asked.searchParams.get("redirect_uri")).toMatch(/\/shopify\/callback$/);
      expect(asked.searchParams.get("state")?.length).toBeGreaterThan(20);
      expect(attributes).toMatch(/Max-Age=600; Path=\/shopify\/callback; HttpOnly; SameSite=Lax$/);
    }
  });

  test("comes again, and is led to the settings without a grant", async () => {
    const world = await open();
    await world.shop.install();
    watchTokens(world);
    expect((await world.shop.install()).url).toBe(`${world.url}/shopify/settings`);
    expect(wasAskedForToken(world)).toBe(false);
  });

  test("comes again after taking the app away, and installs it anew; an old goodbye that comes later changes nothing", async () => {
    const world = await open();
    await world.shop.install();
    const firstAt = world.clock.now();
    await world.clock.advance(60_000);
    world.shop.uninstall();
    await world.simulator.webhooks.settled();
    await world.app.work();
    expect(await world.ledger.secrets.get(world.shop.domain, "shopify-token", "offline")).toBeNull();
    await world.clock.advance(60_000);
    await world.shop.install();
    world.shop.sendWebhook("app/uninstalled", { id: 954889, myshopify_domain: world.shop.domain }, firstAt + 60_000);
    await world.simulator.webhooks.settled();
    await world.app.work();
    expect(await world.ledger.secrets.get(world.shop.domain, "shopify-token", "offline")).not.toBeNull();
    const row = await world.ledger.records.get(world.shop.domain, "shopify-shop", "shop");
    expect(row?.value).toMatchObject({ uninstalledAt: null, installedAt: world.clock.now() });
  });
});

describe("whoever comes to the app's address", () => {
  test.each([
    ["without a shop", {}],
    ["with an address that is no shop", { shop: "evil.example" }],
    ["with a shop in an address of others", { shop: "acme.myshopify.com.evil.example" }],
    ["with a user name before a shop", { shop: "x@acme.myshopify.com" }],
    ["with a shop and a path", { shop: "acme.myshopify.com/admin" }],
    ["with a shop on two lines", { shop: "acme.myshopify.com\nevil.example" }],
  ])("%s is refused, even signed", async (_how, fields) => {
    const world = await open();
    watchTokens(world);
    const { status, cookies } = await visit(world, `/shopify?${signed(world, fields)}`);
    expect([status, cookies]).toEqual([400, []]);
    expect([wasAskedForToken(world), await shopRows(world)]).toEqual([false, 0]);
  });

  test.each([
    [
      "an old signature",
      (world: AppWorld) =>
        signed(world, { shop: "acme.myshopify.com", timestamp: String(Math.floor(world.clock.now() / 1_000) - 100) }),
    ],
    [
      "one of tomorrow",
      (world: AppWorld) =>
        signed(world, {
          shop: "acme.myshopify.com",
          timestamp: String(Math.floor(world.clock.now() / 1_000) + 86_400),
        }),
    ],
    ["no signature", () => "shop=acme.myshopify.com"],
    [
      "a signature of another secret",
      (world: AppWorld) =>
        String(
          signQuery(
            { shop: "acme.myshopify.com", timestamp: String(Math.floor(world.clock.now() / 1_000)) },
            "another",
          ),
        ),
    ],
    [
      "a parameter more than was signed",
      (world: AppWorld) => `${signed(world, { shop: "acme.myshopify.com" })}&more=1`,
    ],
  ])("with %s is refused", async (_how, query) => {
    const world = await open();
    const { status, cookies, text, headers } = await visit(world, `/shopify?${query(world)}`);
    expect([status, cookies]).toEqual([400, []]);
    expect(text).toContain("Ouvrez l’application depuis l’administration de votre boutique");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
  });
});

describe("the way back from Shopify's grant page", () => {
  async function back(
    change: (fields: Record<string, string>) => Record<string, string>,
    cookieOf = (cookie: string) => cookie,
    watched = true,
  ) {
    const world = await open();
    const { asked, cookie } = await askedForGrant(world);
    if (watched) watchTokens(world);
    const state = asked.searchParams.get("state") ?? "";
    const { pathname, searchParams } = new URL(world.shop.installUrl());
    expect(pathname).toBe("/shopify");
    const host = searchParams.get("host") ?? "";
    const fields = change({ code: "a-code", host, shop: world.shop.domain, state });
    const answer = await visit(world, `/shopify/callback?${signed(world, fields)}`, cookieOf(cookie));
    return { world, answer };
  }

  test.each([
    ["another state", (f: Record<string, string>) => ({ ...f, state: "another" }), undefined],
    ["no state", ({ state: _, ...f }: Record<string, string>) => f, undefined],
    [
      "another shop than the one it began for",
      (f: Record<string, string>) => ({ ...f, shop: "other.myshopify.com" }),
      undefined,
    ],
    ["no cookie", (f: Record<string, string>) => f, () => ""],
    [
      "a cookie that was changed",
      (f: Record<string, string>) => f,
      (cookie: string) => cookie.replace(/.$/, (c) => (c === "A" ? "B" : "A")),
    ],
    ["two cookies", (f: Record<string, string>) => f, (cookie: string) => `${cookie}; ${cookie}`],
    ["a code that is none", (f: Record<string, string>) => ({ ...f, code: "../../x" }), undefined],
    ["no code", ({ code: _, ...f }: Record<string, string>) => f, undefined],
  ])("with %s ends without a row or a token", async (_how, change, cookieOf) => {
    const { world, answer } = await back(change, cookieOf);
    expect(answer.status).toBe(400);
    expect([wasAskedForToken(world), await shopRows(world)]).toEqual([false, 0]);
  });

  test("with a code that Shopify does not know ends without a row, and says so", async () => {
    const { world, answer } = await back((fields) => fields, undefined, false);
    expect(answer.status).toBe(502);
    expect(await shopRows(world)).toBe(0);
  });

  test("after ten minutes ends without a token", async () => {
    const world = await open();
    const { asked, cookie } = await askedForGrant(world);
    await world.clock.advance(601_000);
    watchTokens(world);
    const fields = { code: "a-code", shop: world.shop.domain, state: asked.searchParams.get("state") ?? "" };
    expect((await visit(world, `/shopify/callback?${signed(world, fields)}`, cookie)).status).toBe(400);
    expect(wasAskedForToken(world)).toBe(false);
  });
});

describe("an app in a frame of the shop's admin", () => {
  const embedded: AppWish = { mode: "order", app: { embedded: true } };

  function idToken({ simulator, clock, shop }: AppWorld, secret = simulator.app.clientSecret): string {
    return signSessionToken({ shop: shop.domain, clientId: simulator.app.clientId, secret, now: clock.now() });
  }

  test("is installed by its session token, and opens its settings outside the frame", async () => {
    const world = await open(embedded);
    const page = await visit(world, `/shopify?id_token=${idToken(world)}&locale=en`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain(
      "frame-ancestors https://acme.myshopify.com https://admin.shopify.com",
    );
    expect(page.headers.get("x-frame-options")).toBeNull();
    const [, url = ""] = /href="([^"]+ticket=[^"]+)"/.exec(page.text) ?? [];
    const opened = await visit(world, url.slice(world.url.length));
    expect(opened.status).toBe(303);
    const settings = await visit(world, opened.location, opened.cookies[0]?.split(";")[0] ?? "");
    expect(settings.status).toBe(200);
    expect(settings.text).toContain("acme.myshopify.com");
    await world.clock.advance(301_000);
    expect((await visit(world, url.slice(world.url.length))).status).toBe(403);
  });

  test("is not let in with a token that somebody else signed, nor where it is not embedded", async () => {
    const world = await open(embedded);
    watchTokens(world);
    expect((await visit(world, `/shopify?id_token=${idToken(world, "another secret")}`)).status).toBe(400);
    expect([wasAskedForToken(world), await shopRows(world)]).toEqual([false, 0]);
    const plain = await open({ mode: "order" });
    watchTokens(plain);
    expect((await visit(plain, `/shopify?id_token=${idToken(plain)}`)).status).toBe(400);
    expect(wasAskedForToken(plain)).toBe(false);
  });
});
