import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { silentLog } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createManualClock } from "@tillkit/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitForLoopback } from "../../../test/waiting/loopback.ts";
import { createAccessTokens } from "../src/shopify-api/access-tokens.ts";

const SHOP = "acme.myshopify.com";
const HOUR = 3_600_000;
/** An access token lives for an hour and is renewed from this long before its end on. */
const RENEW_BEFORE_MS = 300_000;
const NINETY_DAYS_SECONDS = 7_776_000;

/** Shopify's token endpoint. A refresh token stays valid until the tokens that replaced it are used. */
type TokenEndpoint = {
  readonly server: Server;
  requests: string[];
  answer: "new" | "lost" | "refused" | "down";
  issued: number;
};

let endpoint: TokenEndpoint;
let origin = "";
beforeEach(async () => {
  endpoint = { server: createServer(), requests: [], answer: "new", issued: 0 };
  endpoint.server.on("request", async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8")) as { refresh_token: string };
    endpoint.requests.push(body.refresh_token);
    endpoint.issued += 1;
    const { answer, issued } = endpoint;
    if (answer === "lost") return response.destroy();
    if (answer === "down") return response.writeHead(503).end();
    if (answer === "refused") return response.writeHead(400).end('{"error":"invalid_grant"}');
    const life = { expires_in: 3_600, refresh_token_expires_in: NINETY_DAYS_SECONDS };
    return response.end(
      JSON.stringify({ access_token: `access-${issued}`, refresh_token: `refresh-${issued}`, scope: "a", ...life }),
    );
  });
  await new Promise<void>((resolve) => endpoint.server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(endpoint.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  endpoint.server.closeAllConnections();
  await new Promise((resolve) => endpoint.server.close(resolve));
});

const FIRST = {
  accessToken: "access-0",
  scope: "a",
  expiresInSeconds: 3_600,
  refreshToken: "refresh-0",
  refreshExpiresInSeconds: NINETY_DAYS_SECONDS,
};

async function openTokens(secrets: Records = createMemoryLedger().secrets, clock = createManualClock()) {
  const app = { clientId: "c", clientSecret: "s", expiringTokens: true, shopUrl: () => origin };
  return { clock, secrets, tokens: createAccessTokens({ secrets, app, clock, log: silentLog }) };
}

async function withToken() {
  const opened = await openTokens();
  await opened.tokens.save(SHOP, FIRST);
  return opened;
}

describe("access tokens", () => {
  test("an access token is used until shortly before it expires", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(HOUR - RENEW_BEFORE_MS - 1_000);
    expect(await tokens.get(SHOP)).toBe("access-0");
    expect(endpoint.requests).toEqual([]);
  });

  test("an access token is renewed once for all callers, each time with the latest refresh token", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(HOUR - RENEW_BEFORE_MS + 1_000);
    const accessTokens = await Promise.all(Array.from({ length: 20 }, () => tokens.get(SHOP)));
    expect(new Set(accessTokens)).toEqual(new Set(["access-1"]));
    await clock.advance(HOUR);
    expect(await tokens.get(SHOP)).toBe("access-2");
    expect(endpoint.requests).toEqual(["refresh-0", "refresh-1"]);
  });

  test("an access token is renewed by one of several processes, and the others use its result", async () => {
    const { tokens, clock, secrets } = await withToken();
    const others = await Promise.all([1, 2].map(() => openTokens(secrets, clock)));
    await clock.advance(HOUR);
    const callers = [tokens, ...others.map((other) => other.tokens)];
    let isRenewing = true;
    const renewing = Promise.all(callers.map((each) => each.get(SHOP))).finally(() => {
      isRenewing = false;
    });
    // The processes that wait look at the stored token every 250 ms.
    while (isRenewing) {
      await waitForLoopback();
      await clock.advance(250);
    }
    expect(new Set(await renewing)).toEqual(new Set(["access-1"]));
    expect(endpoint.requests).toEqual(["refresh-0"]);
  });

  test("a renewed access token is stored before it is used", async () => {
    const { tokens, clock, secrets } = await withToken();
    await clock.advance(HOUR);
    const token = await tokens.get(SHOP);
    const row = await secrets.get(SHOP, "shopify-token", "offline");
    expect(row?.value).toMatchObject({ accessToken: token, refreshToken: "refresh-1", renewingUntil: null });
  });

  test("a renewal whose answer was lost is repeated with the same refresh token", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(HOUR);
    endpoint.answer = "lost";
    await expect(tokens.get(SHOP)).rejects.toMatchObject({ code: "unavailable" });
    endpoint.answer = "new";
    expect(await tokens.get(SHOP)).toBe("access-2");
    expect(endpoint.requests).toEqual(["refresh-0", "refresh-0"]);
  });

  test("an access token is used until it expires while Shopify cannot renew it", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(HOUR - 60_000);
    endpoint.answer = "down";
    expect(await tokens.get(SHOP)).toBe("access-0");
    await clock.advance(60_000);
    await expect(tokens.get(SHOP)).rejects.toMatchObject({ code: "unavailable" });
  });

  test("an access token is renewed by another process twenty seconds after the renewing process died", async () => {
    const { tokens, clock, secrets } = await withToken();
    await clock.advance(HOUR);
    const row = await secrets.get(SHOP, "shopify-token", "offline");
    const leased = { ...(row?.value as object), renewingUntil: clock.now() + 20_000 };
    await secrets.put(SHOP, "shopify-token", "offline", leased, row?.version ?? 0);
    await clock.advance(20_000);
    expect(await tokens.get(SHOP)).toBe("access-1");
  });

  test("an access token is renewed although a process whose clock was a month ahead died while it renewed it", async () => {
    const { tokens, clock, secrets } = await withToken();
    await clock.advance(HOUR);
    const row = await secrets.get(SHOP, "shopify-token", "offline");
    const leased = { ...(row?.value as object), renewingUntil: clock.now() + 30 * 24 * HOUR };
    await secrets.put(SHOP, "shopify-token", "offline", leased, row?.version ?? 0);
    const startedAt = clock.now();
    let isRenewing = true;
    const renewing = tokens.get(SHOP).finally(() => {
      isRenewing = false;
    });
    while (isRenewing) {
      await waitForLoopback();
      await clock.advance(250);
    }
    await expect(renewing).resolves.toBe("access-1");
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(20_000);
  });

  test("a refused access token is replaced once for all callers", async () => {
    const { tokens } = await withToken();
    const accessTokens = await Promise.all(Array.from({ length: 5 }, () => tokens.replace(SHOP, "access-0")));
    expect(new Set(accessTokens)).toEqual(new Set(["access-1"]));
    expect(await tokens.replace(SHOP, "access-0")).toBe("access-1");
    expect(endpoint.requests).toHaveLength(1);
  });

  test("an access token that cannot be renewed fails with reconnect", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(HOUR);
    endpoint.answer = "refused";
    await expect(tokens.get(SHOP)).rejects.toMatchObject({ code: "reconnect" });
    const { tokens: notExpiring } = await openTokens();
    await notExpiring.save(SHOP, {
      ...FIRST,
      expiresInSeconds: null,
      refreshToken: null,
      refreshExpiresInSeconds: null,
    });
    expect(await notExpiring.get(SHOP)).toBe("access-0");
    await expect(notExpiring.replace(SHOP, "access-0")).rejects.toMatchObject({ code: "reconnect" });
    await expect(notExpiring.get("nobody.myshopify.com")).rejects.toMatchObject({ code: "owner" });
  });

  test("an access token is not renewed with an expired refresh token", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(NINETY_DAYS_SECONDS * 1_000);
    await expect(tokens.get(SHOP)).rejects.toMatchObject({ code: "reconnect" });
    expect(endpoint.requests).toEqual([]);
  });

  test("an access token that was granted during a renewal is used in place of the renewed one", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(HOUR);
    endpoint.server.removeAllListeners("request");
    endpoint.server.on("request", async (_request, response) => {
      await tokens.save(SHOP, { ...FIRST, accessToken: "granted-anew" });
      response.end(JSON.stringify({ access_token: "too late", refresh_token: "r", expires_in: 3_600, scope: "a" }));
    });
    expect(await tokens.get(SHOP)).toBe("granted-anew");
    expect(await tokens.get(SHOP)).toBe("granted-anew");
  });

  test("an access token is removed after an uninstall, unless the owner granted it later", async () => {
    const { tokens, clock } = await withToken();
    await tokens.remove(SHOP, clock.now() - 1);
    expect(await tokens.get(SHOP)).toBe("access-0");
    await tokens.remove(SHOP, clock.now());
    await expect(tokens.get(SHOP)).rejects.toMatchObject({ code: "owner" });
  });
});
