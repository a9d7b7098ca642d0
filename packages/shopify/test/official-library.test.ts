import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { signQuery, signSessionToken, signWebhookBody } from "@tillkit/shopify-simulator";
import { createManualClock } from "@tillkit/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestToken, type TokenRequest } from "../src/shopify-api/request-token.ts";
import { queryHmac, verifyQuery } from "../src/signatures/query-signature.ts";
import { verifySessionToken } from "../src/signatures/session-token.ts";
import { isWebhookSignedByShopify } from "../src/signatures/webhook-signature.ts";
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

/** The official library uses the machine's clock. */
const now = () => Date.now();

describe("query signatures", () => {
  test.each([
    ["with plain values", { shop: SHOP, host: "YWNtZQ" }],
    ["with encoded values", { shop: SHOP, state: "a b&c=d/é%+", code: "x~y!*'()" }],
    ["with an encoded name", { shop: SHOP, "odd name[]": "1" }],
    ["with an empty value", { shop: SHOP, locale: "" }],
  ])("the signature of a query %s equals the official library's", async (_shape, query) => {
    const params = { ...query, timestamp: String(Math.floor(now() / 1_000)) };
    const ours = queryHmac(new URLSearchParams(params), CLIENT.clientSecret);
    expect(await official.utils.validateHmac({ ...params, hmac: ours })).toBe(true);
    expect(
      await official.utils.validateHmac({ ...params, hmac: ours.replace(/^./, (c) => (c === "0" ? "1" : "0")) }),
    ).toBe(false);
  });

  test("a query that is old, of the future, changed, repeated or extended is rejected", () => {
    const at = now();
    const timestamp = String(Math.floor(at / 1_000));
    const signedQuery = (fields: Record<string, string>) =>
      new URLSearchParams({ ...fields, hmac: queryHmac(new URLSearchParams(fields), CLIENT.clientSecret) });
    expect(verifyQuery(signedQuery({ shop: SHOP, timestamp }), CLIENT.clientSecret, at)).toEqual({
      status: "valid",
      shop: SHOP,
    });
    const old = String(Math.floor(at / 1_000) - 91);
    expect(verifyQuery(signedQuery({ shop: SHOP, timestamp: old }), CLIENT.clientSecret, at)).toEqual({
      status: "too_old",
    });
    const later = String(Math.floor(at / 1_000) + 92);
    expect(verifyQuery(signedQuery({ shop: SHOP, timestamp: later }), CLIENT.clientSecret, at)).toEqual({
      status: "too_old",
    });
    const changed = signedQuery({ shop: SHOP, timestamp });
    changed.set("shop", "evil.myshopify.com");
    expect(verifyQuery(changed, CLIENT.clientSecret, at)).toEqual({ status: "forged" });
    const twice = signedQuery({ shop: SHOP, timestamp });
    twice.append("shop", "evil.myshopify.com");
    expect(verifyQuery(twice, CLIENT.clientSecret, at)).toEqual({ status: "bad_shop" });
    const added = signedQuery({ shop: SHOP, timestamp });
    added.set("utm_source", "mail");
    expect(verifyQuery(added, CLIENT.clientSecret, at)).toEqual({ status: "forged" });
  });

  test("the official library accepts a query that the simulator signed", async () => {
    const timestamp = String(Math.floor(now() / 1_000));
    const query = Object.fromEntries(
      new URLSearchParams(signQuery({ shop: SHOP, timestamp, host: "eHk" }, CLIENT.clientSecret)),
    );
    expect(await official.utils.validateHmac(query)).toBe(true);
  });
});

describe("webhook signatures", () => {
  const body = Buffer.from('{"id":1,  "title":"Été — 5 000 F"}\n');

  test("a webhook signature is verified over the raw bytes, as by the official library", async () => {
    const signature = signWebhookBody(body, CLIENT.clientSecret);
    const headers = new Headers({
      "x-shopify-topic": "orders/create",
      "x-shopify-hmac-sha256": signature,
      "x-shopify-shop-domain": SHOP,
      "x-shopify-api-version": "2026-07",
      "x-shopify-webhook-id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
    });
    const rawRequest = { method: "POST", url: "/shopify/webhooks", headers: Object.fromEntries(headers) };
    const validation = await official.webhooks.validate({
      rawBody: body.toString("utf8"),
      rawRequest,
      rawResponse: {},
    } as never);
    expect(validation.valid).toBe(true);
    expect(isWebhookSignedByShopify(body, signature, CLIENT.clientSecret)).toBe(true);
    const reformatted = Buffer.from(JSON.stringify(JSON.parse(body.toString("utf8"))));
    expect(isWebhookSignedByShopify(reformatted, signature, CLIENT.clientSecret)).toBe(false);
  });

  test.each([
    "",
    "short",
    signWebhookBody(body, "another secret"),
    signWebhookBody(Buffer.from("other"), CLIENT.clientSecret),
  ])("the webhook signature %j is rejected", (signature) =>
    expect(isWebhookSignedByShopify(body, signature, CLIENT.clientSecret)).toBe(false),
  );
});

describe("session tokens", () => {
  const claims = (change: Record<string, unknown> = {}) => {
    const seconds = Math.floor(now() / 1_000);
    const parties = { iss: `https://${SHOP}/admin`, dest: `https://${SHOP}`, aud: CLIENT.clientId, sub: "42" };
    return { ...parties, exp: seconds + 60, nbf: seconds, iat: seconds, jti: "j", sid: "s", ...change };
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
    ["that is valid now", claims(), true],
    ["that expired a minute ago", claims({ exp: Math.floor(now() / 1_000) - 60 }), false],
    ["that expired five seconds ago, within the clock skew", claims({ exp: Math.floor(now() / 1_000) - 5 }), true],
    ["that becomes valid in a minute", claims({ nbf: Math.floor(now() / 1_000) + 60 }), false],
    ["for another app", claims({ aud: "another-client" }), false],
  ])("a session token %s is judged as by the official library", async (_validity, body, isValid) => {
    const token = sign(body);
    expect(await accepts(token)).toBe(isValid);
    expect(verifySessionToken(token, CLIENT, now())).toBe(isValid ? SHOP : null);
  });

  test("a session token with another secret, algorithm, shape or shop is rejected", async () => {
    const invalidTokens = [
      sign(claims(), "another secret"),
      sign(claims(), CLIENT.clientSecret, { alg: "none" }),
      sign(claims(), CLIENT.clientSecret, { alg: "HS512" }),
      sign(claims({ iss: "https://evil.myshopify.com/admin" })),
      sign(claims({ dest: "https://evil.example", iss: "https://evil.example/admin" })),
      `${sign(claims())}.more`,
      "a.b.c",
      "",
    ];
    for (const token of invalidTokens) expect(verifySessionToken(token, CLIENT, now())).toBeNull();
  });

  test("a session token of the simulator is accepted by the official library and by the app", async () => {
    const token = signSessionToken({ shop: SHOP, clientId: CLIENT.clientId, secret: CLIENT.clientSecret, now: now() });
    expect(await accepts(token)).toBe(true);
    expect(verifySessionToken(token, CLIENT, now())).toBe(SHOP);
  });
});

describe("token requests", () => {
  const requests: unknown[] = [];
  let status = 200;
  const shopify = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    requests.push({ path: request.url, type: request.headers["content-type"], body: JSON.parse(body) });
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(ANSWER));
  });
  let origin = "";

  beforeEach(async () => {
    requests.length = 0;
    status = 200;
    await new Promise<void>((resolve) => shopify.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(shopify.address() as AddressInfo).port}`;
    // The official library can send to https://{shop} only.
    setAbstractFetchFunc((url, init) => fetch(String(url).replace(`https://${SHOP}`, origin), init));
  });
  afterEach(async () => {
    setAbstractFetchFunc(fetch);
    await new Promise((resolve) => shopify.close(resolve));
  });

  const request = (tokenRequest: TokenRequest, { expiringTokens = true } = {}) =>
    requestToken({ ...CLIENT, expiringTokens, shopUrl: () => origin }, SHOP, tokenRequest, createManualClock());

  test("a token request with a refresh token has the body of the official library", async () => {
    await official.auth.refreshToken({ shop: SHOP, refreshToken: "shprt_0" });
    const grant = await request({ grant: "refresh-token", token: "shprt_0" });
    expect(requests).toHaveLength(2);
    expect(requests[1]).toEqual(requests[0]);
    expect(grant).toEqual({
      accessToken: "shpat_1",
      scope: "write_orders",
      expiresInSeconds: 3_600,
      refreshToken: "shprt_1",
      refreshExpiresInSeconds: 7_776_000,
    });
  });

  test("a token request with a session token has the body of the official library", async () => {
    const sessionToken = signSessionToken({
      shop: SHOP,
      clientId: CLIENT.clientId,
      secret: CLIENT.clientSecret,
      now: now(),
    });
    const requestedTokenType = RequestedTokenType.OfflineAccessToken;
    await official.auth.tokenExchange({ shop: SHOP, sessionToken, requestedTokenType, expiring: true });
    await request({ grant: "session-token", token: sessionToken });
    expect(requests).toHaveLength(2);
    expect(requests[1]).toEqual(requests[0]);
  });

  test("a token request with a code asks for an expiring token only where the app is configured so", async () => {
    await request({ grant: "code", code: "c0de" });
    await request({ grant: "code", code: "c0de" }, { expiringTokens: false });
    const body = { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, code: "c0de" };
    expect(requests).toMatchObject([{ body: { ...body, expiring: "1" } }, { body }]);
  });

  test.each([
    [400, "reconnect"],
    [401, "reconnect"],
    [429, "unavailable"],
    [503, "unavailable"],
  ])("a token request that is answered with %s fails with %s", async (answeredStatus, code) => {
    status = answeredStatus;
    await expect(request({ grant: "code", code: "c" })).rejects.toMatchObject({ code });
  });
});

const ANSWER = {
  access_token: "shpat_1",
  scope: "write_orders",
  expires_in: 3_600,
  refresh_token: "shprt_1",
  refresh_token_expires_in: 7_776_000,
};
