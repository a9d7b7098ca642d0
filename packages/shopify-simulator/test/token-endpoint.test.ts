import { createHmac } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { graphql, type Json, openFixture } from "./fixture.ts";

const OFFLINE = "urn:shopify:params:oauth:token-type:offline-access-token";
const EXCHANGE = {
  grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
  requested_token_type: OFFLINE,
  expiring: "1",
};

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

async function requestToken(body: object): Promise<{ readonly status: number; readonly body: Json }> {
  const { clientId, clientSecret } = fixture.simulator.app;
  const response = await fetch(`${fixture.shop.origin}/admin/oauth/access_token`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, ...body }),
  });
  return { status: response.status, body: await response.json() };
}

async function approve(redirectUri = `${fixture.appUrl}/callback`, clientId = fixture.simulator.app.clientId) {
  const query = new URLSearchParams({
    client_id: clientId,
    scope: "write_payment_sessions",
    redirect_uri: redirectUri,
    state: "nonce-1",
  });
  return await fetch(`${fixture.shop.origin}/admin/oauth/approve?${query}`, { redirect: "manual" });
}

async function issueCode(): Promise<string> {
  const { headers } = await approve();
  return new URL(headers.get("location") ?? "").searchParams.get("code") ?? "";
}

async function mayCall(token: string): Promise<boolean> {
  return (await graphql(fixture.shop, { query: "{ publicApiVersions { handle } }", token })).status === 200;
}

function hmacOf(query: URLSearchParams): string {
  const rest = [...query].filter(([name]) => name !== "hmac").sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac("sha256", fixture.simulator.app.clientSecret)
    .update(new URLSearchParams(rest).toString())
    .digest("hex");
}

test("the app is opened and called back with a query that is signed with the client secret", async () => {
  const opened = new URL(fixture.shop.installUrl()).searchParams;
  expect(opened.get("hmac")).toBe(hmacOf(opened));
  const callback = new URL((await approve()).headers.get("location") ?? "").searchParams;
  expect(callback.get("hmac")).toBe(hmacOf(callback));
  expect(callback.get("state")).toBe("nonce-1");
  expect(callback.get("shop")).toBe("acme.myshopify.com");
});

test("an authorization code is valid once and for ten minutes", async () => {
  const code = await issueCode();
  const first = await requestToken({ code, expiring: "1" });
  expect(first.body).toMatchObject({ scope: "write_payment_sessions", expires_in: 3_600 });
  expect(await requestToken({ code })).toEqual({
    status: 400,
    body: { error: "invalid_request", error_description: "The authorization code was not found or was already used" },
  });
  const late = await issueCode();
  await fixture.clock.advance(11 * 60_000);
  expect((await requestToken({ code: late })).status).toBe(400);
});

test("a token expires only when the app requested an expiring token", async () => {
  const expiring = (await requestToken({ code: await issueCode(), expiring: "1" })).body;
  const lasting = (await requestToken({ code: await issueCode() })).body;
  expect(Object.keys(lasting)).toEqual(["access_token", "scope"]);
  await fixture.clock.advance(3_600_000);
  expect(await mayCall(expiring.access_token)).toBe(false);
  expect(await mayCall(lasting.access_token)).toBe(true);
});

// A response can be lost, so Shopify keeps the used token.
test("a used refresh token stays valid until its replacement is used", async () => {
  const { refresh_token: first } = (await requestToken({ code: await issueCode(), expiring: "1" })).body;
  const refresh = (refresh_token: string) => requestToken({ grant_type: "refresh_token", refresh_token });
  const lost = await refresh(first);
  const again = await refresh(first);
  expect(again.status).toBe(200);
  expect((await refresh(lost.body.refresh_token)).status).toBe(400);
  const next = await refresh(again.body.refresh_token);
  expect(next.status).toBe(200);
  expect((await refresh(first)).body.error).toBe("invalid_grant");
  expect(await mayCall(next.body.access_token)).toBe(true);
});

test("a session token is exchanged for an offline token until the session token expires", async () => {
  const subject = { subject_token_type: "urn:ietf:params:oauth:token-type:id_token" };
  const subject_token = fixture.shop.sessionToken();
  expect((await requestToken({ ...EXCHANGE, ...subject, subject_token })).status).toBe(200);
  expect(fixture.shop.installedWith()).toContain("write_payment_sessions");
  const forged = `${subject_token.slice(0, -3)}AAA`;
  expect((await requestToken({ ...EXCHANGE, ...subject, subject_token: forged })).body.error).toBe(
    "invalid_subject_token",
  );
  await fixture.clock.advance(61_000);
  expect((await requestToken({ ...EXCHANGE, ...subject, subject_token })).status).toBe(400);
});

test("an old offline token becomes invalid when it is exchanged for an expiring token", async () => {
  const { access_token: old } = (await requestToken({ code: await issueCode() })).body;
  const { body } = await requestToken({ ...EXCHANGE, subject_token_type: OFFLINE, subject_token: old });
  expect(body.expires_in).toBe(3_600);
  expect(await mayCall(old)).toBe(false);
  expect(await mayCall(body.access_token)).toBe(true);
});

test("an unknown client, a wrong secret and an undeclared redirect URL are refused", async () => {
  expect((await requestToken({ code: await issueCode(), client_secret: "wrong" })).status).toBe(401);
  expect((await requestToken({ code: await issueCode(), client_id: "wrong" })).status).toBe(400);
  expect((await approve("https://elsewhere.example/callback")).status).toBe(400);
  expect((await approve(undefined, "wrong")).status).toBe(400);
});

test("a lost response to an authorization code leaves the app without a token", async () => {
  const code = await issueCode();
  fixture.simulator.faults.add({ on: "access_token", reset: true, when: "after" });
  await expect(requestToken({ code })).rejects.toThrow();
  expect((await requestToken({ code })).status).toBe(400);
});

test("an uninstall invalidates all tokens", async () => {
  const { access_token, refresh_token } = (await requestToken({ code: await issueCode(), expiring: "1" })).body;
  const [webhook] = fixture.shop.uninstall();
  expect(webhook?.topic).toBe("app/uninstalled");
  expect(await mayCall(access_token)).toBe(false);
  expect((await requestToken({ grant_type: "refresh_token", refresh_token })).status).toBe(400);
});
