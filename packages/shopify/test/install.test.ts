import { signQuery, signSessionToken } from "@tillkit/shopify-simulator";
import { afterEach, describe, expect, test } from "vitest";
import { type AppFixture, type AppFixtureOptions, openAppFixture } from "./app-fixture.ts";

const fixtures: AppFixture[] = [];
afterEach(async () => {
  await Promise.all(fixtures.splice(0).map((fixture) => fixture.close()));
});

async function open(options: AppFixtureOptions = {}): Promise<AppFixture> {
  const fixture = await openAppFixture({ installed: false, keys: false, ...options });
  fixtures.push(fixture);
  return fixture;
}

/** Adds a fault for the next token request. The fault stays unused when no token is requested. */
const addTokenFault = ({ simulator }: AppFixture) => simulator.faults.add({ on: "access_token", status: 500 });
const wasTokenRequested = ({ simulator, shop }: AppFixture) =>
  simulator.faults.take({ shop: shop.domain, names: ["access_token"] }) === null;
const shopRows = (fixture: AppFixture) => fixture.rows("shopify-shop");

function signedQuery({ simulator, clock }: AppFixture, fields: Readonly<Record<string, string>>): string {
  const timestamp = String(Math.floor(clock.now() / 1_000));
  return String(signQuery({ timestamp, ...fields }, simulator.app.clientSecret));
}

async function visit(fixture: AppFixture, path: string, cookie = "") {
  const headers = { Cookie: cookie, "Accept-Language": "fr" };
  const response = await fetch(`${fixture.url}${path}`, { redirect: "manual", headers });
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

/** Opens the app and returns the URL of Shopify's grant page and the cookie of the browser. */
async function openGrantPage(fixture: AppFixture) {
  const { location, cookies, status } = await visit(
    fixture,
    new URL(fixture.shop.installUrl()).pathname + new URL(fixture.shop.installUrl()).search,
  );
  expect(status).toBe(302);
  return { grantUrl: new URL(location), cookie: (cookies[0] ?? "").split(";")[0] ?? "", attributes: cookies[0] ?? "" };
}

describe("the installation of the app", () => {
  test("an installation ends on the settings page, with an encrypted token that expires and can be renewed", async () => {
    const fixture = await open();
    const lastPage = await fixture.shop.install();
    expect(lastPage.status).toBe(200);
    expect(lastPage.url).toBe(`${fixture.url}/shopify/settings`);
    expect(lastPage.text).toContain("acme.myshopify.com");
    expect(await shopRows(fixture)).toBe(1);
    const { value } = (await fixture.ledger.secrets.get("acme.myshopify.com", "shopify-token", "offline")) ?? {};
    expect(value).toMatchObject({ refreshToken: expect.any(String), expiresAt: fixture.clock.now() + 3_600_000 });
    const { accessToken } = value as { accessToken: string };
    expect(JSON.stringify(await fixture.ledger.records.list({ kind: "shopify-shop", limit: 9 }))).not.toContain(
      accessToken,
    );
    expect(JSON.stringify(fixture.lines)).not.toContain(accessToken);
  });

  test("the grant page requests exactly the scopes of the mode, with a state cookie that lives ten minutes", async () => {
    for (const [mode, scope] of [
      ["offsite", "write_payment_gateways,write_payment_sessions"],
      ["order", "read_orders,write_orders"],
    ] as const) {
      const { grantUrl, attributes } = await openGrantPage(await open({ mode }));
      expect(grantUrl.searchParams.get("scope")).toBe(scope);
      expect(grantUrl.searchParams.get("client_id")).toBe("simulated-client-id");
      expect(grantUrl.searchParams.get("redirect_uri")).toMatch(/\/shopify\/callback$/);
      expect(grantUrl.searchParams.get("state")?.length).toBeGreaterThan(20);
      expect(attributes).toMatch(/Max-Age=600; Path=\/shopify\/callback; HttpOnly; SameSite=Lax$/);
    }
  });

  test("an owner of an installed shop is redirected to the settings without a grant", async () => {
    const fixture = await open();
    await fixture.shop.install();
    addTokenFault(fixture);
    expect((await fixture.shop.install()).url).toBe(`${fixture.url}/shopify/settings`);
    expect(wasTokenRequested(fixture)).toBe(false);
  });

  test("a shop can install the app again, and a late webhook of the earlier uninstall changes nothing", async () => {
    const fixture = await open();
    await fixture.shop.install();
    const firstInstalledAt = fixture.clock.now();
    await fixture.clock.advance(60_000);
    fixture.shop.uninstall();
    await fixture.simulator.webhooks.settled();
    await fixture.app.runDue();
    expect(await fixture.ledger.secrets.get(fixture.shop.domain, "shopify-token", "offline")).toBeNull();
    await fixture.clock.advance(60_000);
    await fixture.shop.install();
    fixture.shop.sendWebhook(
      "app/uninstalled",
      { id: 954889, myshopify_domain: fixture.shop.domain },
      firstInstalledAt + 60_000,
    );
    await fixture.simulator.webhooks.settled();
    await fixture.app.runDue();
    expect(await fixture.ledger.secrets.get(fixture.shop.domain, "shopify-token", "offline")).not.toBeNull();
    const row = await fixture.ledger.records.get(fixture.shop.domain, "shopify-shop", "shop");
    expect(row?.value).toMatchObject({ uninstalledAt: null, installedAt: fixture.clock.now() });
  });
});

describe("the URL of the app", () => {
  test.each([
    ["without a shop", {}],
    ["with a domain of another kind", { shop: "evil.example" }],
    ["with a shop as part of another domain", { shop: "acme.myshopify.com.evil.example" }],
    ["with a user name before a shop", { shop: "x@acme.myshopify.com" }],
    ["with a shop and a path", { shop: "acme.myshopify.com/admin" }],
    ["with a shop on two lines", { shop: "acme.myshopify.com\nevil.example" }],
  ])("a signed request %s is rejected", async (_fault, fields) => {
    const fixture = await open();
    addTokenFault(fixture);
    const { status, cookies } = await visit(fixture, `/shopify?${signedQuery(fixture, fields)}`);
    expect([status, cookies]).toEqual([400, []]);
    expect([wasTokenRequested(fixture), await shopRows(fixture)]).toEqual([false, 0]);
  });

  test.each([
    [
      "an old signature",
      (fixture: AppFixture) =>
        signedQuery(fixture, {
          shop: "acme.myshopify.com",
          timestamp: String(Math.floor(fixture.clock.now() / 1_000) - 100),
        }),
    ],
    [
      "a signature of tomorrow",
      (fixture: AppFixture) =>
        signedQuery(fixture, {
          shop: "acme.myshopify.com",
          timestamp: String(Math.floor(fixture.clock.now() / 1_000) + 86_400),
        }),
    ],
    ["no signature", () => "shop=acme.myshopify.com"],
    [
      "a signature of another secret",
      (fixture: AppFixture) =>
        String(
          signQuery(
            { shop: "acme.myshopify.com", timestamp: String(Math.floor(fixture.clock.now() / 1_000)) },
            "another",
          ),
        ),
    ],
    [
      "an unsigned parameter",
      (fixture: AppFixture) => `${signedQuery(fixture, { shop: "acme.myshopify.com" })}&more=1`,
    ],
  ])("a request with %s is rejected", async (_fault, query) => {
    const fixture = await open();
    const { status, cookies, text, headers } = await visit(fixture, `/shopify?${query(fixture)}`);
    expect([status, cookies]).toEqual([400, []]);
    expect(text).toContain("Ouvrez l’application depuis l’interface d’administration de votre boutique");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
  });
});

describe("the OAuth callback", () => {
  type Fields = Record<string, string>;
  type Callback = {
    /** Changes the query that Shopify sends, before it is signed. */
    readonly change?: (fields: Fields) => Fields;
    /** The Cookie header of the browser, made from the app's state cookie. */
    readonly cookieOf?: (cookie: string) => string;
  };
  const unchanged = <Value>(value: Value) => value;

  /** Opens the grant page, and then the OAuth callback as if the owner had granted access. */
  async function openCallback(fixture: AppFixture, { change = unchanged, cookieOf = unchanged }: Callback = {}) {
    const { grantUrl, cookie } = await openGrantPage(fixture);
    const state = grantUrl.searchParams.get("state") ?? "";
    const { pathname, searchParams } = new URL(fixture.shop.installUrl());
    expect(pathname).toBe("/shopify");
    const host = searchParams.get("host") ?? "";
    const fields = change({ code: "a-code", host, shop: fixture.shop.domain, state });
    return await visit(fixture, `/shopify/callback?${signedQuery(fixture, fields)}`, cookieOf(cookie));
  }

  test.each<[string, Callback]>([
    ["another state", { change: (fields) => ({ ...fields, state: "another" }) }],
    ["no state", { change: ({ state: _, ...others }) => others }],
    ["another shop than the one that started", { change: (fields) => ({ ...fields, shop: "other.myshopify.com" }) }],
    ["no cookie", { cookieOf: () => "" }],
    ["a changed cookie", { cookieOf: (cookie) => cookie.replace(/.$/, (last) => (last === "A" ? "B" : "A")) }],
    ["two cookies", { cookieOf: (cookie) => `${cookie}; ${cookie}` }],
    ["a malformed code", { change: (fields) => ({ ...fields, code: "../../x" }) }],
    ["no code", { change: ({ code: _, ...others }) => others }],
  ])("an OAuth callback with %s stores no shop and no token", async (_fault, callback) => {
    const fixture = await open();
    addTokenFault(fixture);
    const answer = await openCallback(fixture, callback);
    expect(answer.status).toBe(400);
    expect([wasTokenRequested(fixture), await shopRows(fixture)]).toEqual([false, 0]);
  });

  test("an OAuth callback with a code that Shopify refuses stores nothing and shows an error", async () => {
    const fixture = await open();
    // The simulator gives no token for the code "a-code", which it has not issued.
    const answer = await openCallback(fixture);
    expect(answer.status).toBe(502);
    expect(await shopRows(fixture)).toBe(0);
  });

  test("an OAuth callback after ten minutes stores no token", async () => {
    const fixture = await open();
    const { grantUrl, cookie } = await openGrantPage(fixture);
    await fixture.clock.advance(601_000);
    addTokenFault(fixture);
    const fields = { code: "a-code", shop: fixture.shop.domain, state: grantUrl.searchParams.get("state") ?? "" };
    expect((await visit(fixture, `/shopify/callback?${signedQuery(fixture, fields)}`, cookie)).status).toBe(400);
    expect(wasTokenRequested(fixture)).toBe(false);
  });
});

describe("the embedded app", () => {
  const embedded: AppFixtureOptions = { mode: "order", app: { embedded: true } };

  function idToken({ simulator, clock, shop }: AppFixture, secret = simulator.app.clientSecret): string {
    return signSessionToken({ shop: shop.domain, clientId: simulator.app.clientId, secret, now: clock.now() });
  }

  test("an embedded app is installed by its session token and opens its settings outside of the frame", async () => {
    const fixture = await open(embedded);
    const page = await visit(fixture, `/shopify?id_token=${idToken(fixture)}&locale=en`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain(
      "frame-ancestors https://acme.myshopify.com https://admin.shopify.com",
    );
    expect(page.headers.get("x-frame-options")).toBeNull();
    // Shopify requires App Bridge as the first script in the head, and the page may run no script but Shopify's.
    expect(page.headers.get("content-security-policy")).toContain("script-src https://cdn.shopify.com/shopifycloud/;");
    expect(/<script src="([^"]+)"/.exec(page.text)?.[1]).toBe("https://cdn.shopify.com/shopifycloud/app-bridge.js");
    expect(page.text).toContain(`<meta name="shopify-api-key" content="${fixture.simulator.app.clientId}">`);
    const [, url = ""] = /href="([^"]+ticket=[^"]+)"/.exec(page.text) ?? [];
    const opened = await visit(fixture, url.slice(fixture.url.length));
    expect(opened.status).toBe(303);
    const settings = await visit(fixture, opened.location, opened.cookies[0]?.split(";")[0] ?? "");
    expect(settings.status).toBe(200);
    expect(settings.text).toContain("acme.myshopify.com");
    // Outside of the frame App Bridge would leave the page.
    expect(settings.text).not.toContain("app-bridge.js");
    await fixture.clock.advance(301_000);
    expect((await visit(fixture, url.slice(fixture.url.length))).status).toBe(403);
  });

  test("a forged session token is rejected, and so is every session token of an app that is not embedded", async () => {
    const fixture = await open(embedded);
    addTokenFault(fixture);
    expect((await visit(fixture, `/shopify?id_token=${idToken(fixture, "another secret")}`)).status).toBe(400);
    expect([wasTokenRequested(fixture), await shopRows(fixture)]).toEqual([false, 0]);
    const notEmbedded = await open({ mode: "order" });
    addTokenFault(notEmbedded);
    expect((await visit(notEmbedded, `/shopify?id_token=${idToken(notEmbedded)}`)).status).toBe(400);
    expect(wasTokenRequested(notEmbedded)).toBe(false);
  });
});
