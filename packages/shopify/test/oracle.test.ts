import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createManualClock } from "@tillkit/testkit";
import { signQuery, signSessionToken, signWebhookBody } from "@tillkit/testkit/shopify";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type GrantWish, requestGrant } from "../src/oauth/token-request.ts";
import { queryHmac, readSignedQuery } from "../src/signatures/query-hmac.ts";
import { readSessionToken } from "../src/signatures/session-token.ts";
import { isSignedWebhook } from "../src/signatures/webhook-hmac.ts";
import "@shopify/shopify-api/adapters/node";
import { ApiVersion, RequestedTokenType, shopifyApi } from "@shopify/shopify-api";
import { setAbstractFetchFunc } from "@shopify/shopify-api/runtime";

const CLIENT = { clientId: "client-id-of-the-tests", clientSecret: "a client secret of the tests" };
const SHOP = "acme.myshopify.com";

const official = shopifyApi({
  apiKey: CLIENT.clientId,
  apiSecretKey: CLIENT.clientSecret,
  apiVersion: ApiVersion.January26,
  isEmbeddedApp: true,
  hostName: "pay.example.com",
  logger: { level: 0 },
});

/** Shopify's own library looks at the machine's clock. */
const now = () => Date.now();

describe("the signature of a query", () => {
  test.each([
    ["plain", { shop: SHOP, timestamp: "1795338000", host: "YWNtZQ" }],
    [
      "with signs that have to be encoded",
      { shop: SHOP, timestamp: "1795338000", state: "a b&c=d/é%+", code: "x~y!*'()" },
    ],
    ["with a name that has to be encoded", { shop: SHOP, timestamp: "1795338000", "odd name[]": "1" }],
    ["with an empty value", { shop: SHOP, timestamp: "1795338000", locale: "" }],
  ])("is the official library's: %s", async (_name, query) => {
    const params = { ...query, timestamp: String(Math.floor(now() / 1_000)) };
    const ours = queryHmac(new URLSearchParams(params), CLIENT.clientSecret);
    expect(await official.utils.validateHmac({ ...params, hmac: ours })).toBe(true);
    expect(
      await official.utils.validateHmac({ ...params, hmac: ours.replace(/^./, (c) => (c === "0" ? "1" : "0")) }),
    ).toBe(false);
  });

  test("is refused where the official library refuses it, too", () => {
    const at = now();
    const timestamp = String(Math.floor(at / 1_000));
    const signed = (fields: Record<string, string>) =>
      new URLSearchParams({ ...fields, hmac: queryHmac(new URLSearchParams(fields), CLIENT.clientSecret) });
    expect(readSignedQuery(signed({ shop: SHOP, timestamp }), CLIENT.clientSecret, at)).toEqual({
      say: "valid",
      shop: SHOP,
    });
    const old = String(Math.floor(at / 1_000) - 91);
    expect(readSignedQuery(signed({ shop: SHOP, timestamp: old }), CLIENT.clientSecret, at)).toEqual({
      say: "too_old",
    });
    const later = String(Math.floor(at / 1_000) + 92);
    expect(readSignedQuery(signed({ shop: SHOP, timestamp: later }), CLIENT.clientSecret, at)).toEqual({
      say: "too_old",
    });
    const changed = signed({ shop: SHOP, timestamp });
    changed.set("shop", "evil.myshopify.com");
    expect(readSignedQuery(changed, CLIENT.clientSecret, at)).toEqual({ say: "forged" });
    const twice = signed({ shop: SHOP, timestamp });
    twice.append("shop", "evil.myshopify.com");
    expect(readSignedQuery(twice, CLIENT.clientSecret, at)).toEqual({ say: "bad_shop" });
    const added = signed({ shop: SHOP, timestamp });
    added.set("utm_source", "mail");
    expect(readSignedQuery(added, CLIENT.clientSecret, at)).toEqual({ say: "forged" });
  });

  test("of the simulator is the one of the official library", async () => {
    const timestamp = String(Math.floor(now() / 1_000));
    const query = Object.fromEntries(
      new URLSearchParams(signQuery({ shop: SHOP, timestamp, host: "eHk" }, CLIENT.clientSecret)),
    );
    expect(await official.utils.validateHmac(query)).toBe(true);
  });
});

describe("the signature of a webhook", () => {
  const body = Buffer.from('{"id":1,  "title":"Été — 5 000 F"}\n');

  test("is the official library's, over the raw bytes", async () => {
    const signature = signWebhookBody(body, CLIENT.clientSecret);
    const headers = new Headers({
      "x-shopify-topic": "orders/create",
      "x-shopify-hmac-sha256": signature,
      "x-shopify-shop-domain": SHOP,
      "x-shopify-api-version": "2026-07",
      "x-shopify-webhook-id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
    });
    const rawRequest = { method: "POST", url: "/shopify/webhooks", headers: Object.fromEntries(headers) };
    const reading = await official.webhooks.validate({
      rawBody: body.toString("utf8"),
      rawRequest,
      rawResponse: {},
    } as never);
    expect(reading.valid).toBe(true);
    expect(isSignedWebhook(body, signature, CLIENT.clientSecret)).toBe(true);
    const again = Buffer.from(JSON.stringify(JSON.parse(body.toString("utf8"))));
    expect(isSignedWebhook(again, signature, CLIENT.clientSecret)).toBe(false);
  });

  test.each([
    "",
    "short",
    signWebhookBody(body, "another secret"),
    signWebhookBody(Buffer.from("other"), CLIENT.clientSecret),
  ])("is not %j", (signature) => expect(isSignedWebhook(body, signature, CLIENT.clientSecret)).toBe(false));
});

describe("a session token", () => {
  const claims = (change: Record<string, unknown> = {}) => {
    const seconds = Math.floor(now() / 1_000);
    const own = { iss: `https://${SHOP}/admin`, dest: `https://${SHOP}`, aud: CLIENT.clientId, sub: "42" };
    return { ...own, exp: seconds + 60, nbf: seconds, iat: seconds, jti: "j", sid: "s", ...change };
  };
  const sign = (body: object, secret = CLIENT.clientSecret, head: object = { alg: "HS256", typ: "JWT" }) => {
    const text = [head, body].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  };
  const accepts = (token: string) =>
    official.session.decodeSessionToken(token).then(
      () => true,
      () => false,
    );

  test.each([
    ["of now", claims(), true],
    ["that ended a minute ago", claims({ exp: Math.floor(now() / 1_000) - 60 }), false],
    ["that ended five seconds ago, within the skew", claims({ exp: Math.floor(now() / 1_000) - 5 }), true],
    ["that begins in a minute", claims({ nbf: Math.floor(now() / 1_000) + 60 }), false],
    ["for another app", claims({ aud: "another-client" }), false],
  ])("%s is taken as the official library takes it", async (_name, body, isGood) => {
    const token = sign(body);
    expect(await accepts(token)).toBe(isGood);
    expect(readSessionToken(token, CLIENT, now())).toBe(isGood ? SHOP : null);
  });

  test("with another secret, algorithm, shape or shop is refused", async () => {
    const bad = [
      sign(claims(), "another secret"),
      sign(claims(), CLIENT.clientSecret, { alg: "none" }),
      sign(claims(), CLIENT.clientSecret, { alg: "HS512" }),
      sign(claims({ iss: "https://evil.myshopify.com/admin" })),
      sign(claims({ dest: "https://evil.example", iss: "https://evil.example/admin" })),
      `${sign(claims())}.more`,
      "a.b.c",
      "",
    ];
    for (const token of bad) expect(readSessionToken(token, CLIENT, now())).toBeNull();
  });

  test("of the simulator is one for both", async () => {
    const token = signSessionToken({ shop: SHOP, clientId: CLIENT.clientId, secret: CLIENT.clientSecret, now: now() });
    expect(await accepts(token)).toBe(true);
    expect(readSessionToken(token, CLIENT, now())).toBe(SHOP);
  });
});

describe("a token is asked for with the very body of the official library", () => {
  const asked: unknown[] = [];
  let status = 200;
  const shopify = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    asked.push({ path: request.url, type: request.headers["content-type"], body: JSON.parse(body) });
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(ANSWER));
  });
  let origin = "";

  beforeEach(async () => {
    asked.length = 0;
    status = 200;
    await new Promise<void>((resolve) => shopify.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(shopify.address() as AddressInfo).port}`;
    // The official library knows no other address than https://{shop}.
    setAbstractFetchFunc((url, init) => fetch(String(url).replace(`https://${SHOP}`, origin), init));
  });
  afterEach(async () => {
    setAbstractFetchFunc(fetch);
    await new Promise((resolve) => shopify.close(resolve));
  });

  const ask = (wish: GrantWish, expiringTokens = true) =>
    requestGrant({ ...CLIENT, expiringTokens, originOf: () => origin }, SHOP, wish, createManualClock());

  test("by refresh token", async () => {
    await official.auth.refreshToken({ shop: SHOP, refreshToken: "shprt_0" });
    const grant = await ask({ by: "refresh-token", token: "shprt_0" });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toEqual(asked[0]);
    expect(grant).toEqual({
      accessToken: "shpat_1",
      scope: "write_orders",
      expiresIn: 3_600,
      refreshToken: "shprt_1",
      refreshExpiresIn: 7_776_000,
    });
  });

  test("by session token", async () => {
    const sessionToken = signSessionToken({
      shop: SHOP,
      clientId: CLIENT.clientId,
      secret: CLIENT.clientSecret,
      now: now(),
    });
    const requestedTokenType = RequestedTokenType.OfflineAccessToken;
    await official.auth.tokenExchange({ shop: SHOP, sessionToken, requestedTokenType, expiring: true });
    await ask({ by: "session-token", token: sessionToken });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toEqual(asked[0]);
  });

  test("by code, with the wish for a token that ends", async () => {
    await ask({ by: "code", code: "c0de" });
    await ask({ by: "code", code: "c0de" }, false);
    const body = { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, code: "c0de" };
    expect(asked).toMatchObject([{ body: { ...body, expiring: "1" } }, { body }]);
  });

  test.each([
    [400, "reconnect"],
    [401, "reconnect"],
    [429, "unavailable"],
    [503, "unavailable"],
  ])("and an answer of %s means %s", async (given, code) => {
    status = given;
    await expect(ask({ by: "code", code: "c" })).rejects.toMatchObject({ code });
  });
});

const ANSWER = {
  access_token: "shpat_1",
  scope: "write_orders",
  expires_in: 3_600,
  refresh_token: "shprt_1",
  refresh_token_expires_in: 7_776_000,
};
