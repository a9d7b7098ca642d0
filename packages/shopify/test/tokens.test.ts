import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryLedger, type Records, silentLog } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAccessTokens } from "../src/shopify-api/access-tokens.ts";

const SHOP = "acme.myshopify.com";
const HOUR = 3_600_000;

/** Shopify's token endpoint. A refresh token stays valid until the pair that replaced it is used. */
type Platform = {
  readonly server: Server;
  requests: string[];
  answer: "new" | "lost" | "refused" | "down";
  given: number;
};

let platform: Platform;
let origin = "";
beforeEach(async () => {
  platform = { server: createServer(), requests: [], answer: "new", given: 0 };
  platform.server.on("request", async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8")) as { refresh_token: string };
    platform.requests.push(body.refresh_token);
    platform.given += 1;
    const { answer, given } = platform;
    if (answer === "lost") return response.destroy();
    if (answer === "down") return response.writeHead(503).end();
    if (answer === "refused") return response.writeHead(400).end('{"error":"invalid_grant"}');
    const life = { expires_in: 3_600, refresh_token_expires_in: 7_776_000 };
    return response.end(
      JSON.stringify({ access_token: `access-${given}`, refresh_token: `refresh-${given}`, scope: "a", ...life }),
    );
  });
  await new Promise<void>((resolve) => platform.server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(platform.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  platform.server.closeAllConnections();
  await new Promise((resolve) => platform.server.close(resolve));
});

const FIRST = {
  accessToken: "access-0",
  scope: "a",
  expiresInSeconds: 3_600,
  refreshToken: "refresh-0",
  refreshExpiresInSeconds: 7_776_000,
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
    await clock.advance(HOUR - 301_000);
    expect(await tokens.get(SHOP)).toBe("access-0");
    expect(platform.requests).toEqual([]);
  });

  test("an access token is renewed once for all callers, each time with the latest refresh token", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(HOUR - 299_000);
    const got = await Promise.all(Array.from({ length: 20 }, () => tokens.get(SHOP)));
    expect(new Set(got)).toEqual(new Set(["access-1"]));
    await clock.advance(HOUR);
    expect(await tokens.get(SHOP)).toBe("access-2");
    expect(platform.requests).toEqual(["refresh-0", "refresh-1"]);
  });

  test("an access token is renewed by one of several processes, and the others use its result", async () => {
    const { tokens, clock, secrets } = await withToken();
    const others = await Promise.all([1, 2].map(() => openTokens(secrets, clock)));
    await clock.advance(HOUR);
    const all = [tokens, ...others.map((other) => other.tokens)].map((each) => each.get(SHOP));
    const done = Promise.all(all);
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await clock.advance(250);
    }
    expect(new Set(await done)).toEqual(new Set(["access-1"]));
    expect(platform.requests).toEqual(["refresh-0"]);
  });

  test("a renewed access token is stored before it is used", async () => {
    const { tokens, clock, secrets } = await withToken();
    await clock.advance(HOUR);
    const token = await tokens.get(SHOP);
    const kept = await secrets.get(SHOP, "shopify-token", "offline");
    expect(kept?.value).toMatchObject({ accessToken: token, refreshToken: "refresh-1", renewingUntil: null });
  });

  test("a renewal whose answer was lost is repeated with the same refresh token", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(HOUR);
    platform.answer = "lost";
    await expect(tokens.get(SHOP)).rejects.toMatchObject({ code: "unavailable" });
    platform.answer = "new";
    expect(await tokens.get(SHOP)).toBe("access-2");
    expect(platform.requests).toEqual(["refresh-0", "refresh-0"]);
  });

  test("an access token is used until it expires while Shopify renews none", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(HOUR - 60_000);
    platform.answer = "down";
    expect(await tokens.get(SHOP)).toBe("access-0");
    await clock.advance(60_000);
    await expect(tokens.get(SHOP)).rejects.toMatchObject({ code: "unavailable" });
  });

  test("an access token is renewed by another process twenty seconds after the renewing process died", async () => {
    const { tokens, clock, secrets } = await withToken();
    await clock.advance(HOUR);
    const row = await secrets.get(SHOP, "shopify-token", "offline");
    const dying = { ...(row?.value as object), renewingUntil: clock.now() + 20_000 };
    await secrets.put(SHOP, "shopify-token", "offline", dying, row?.version ?? 0);
    await clock.advance(20_000);
    expect(await tokens.get(SHOP)).toBe("access-1");
  });

  test("a refused access token is replaced once for all callers", async () => {
    const { tokens } = await withToken();
    const got = await Promise.all(Array.from({ length: 5 }, () => tokens.replace(SHOP, "access-0")));
    expect(new Set(got)).toEqual(new Set(["access-1"]));
    expect(await tokens.replace(SHOP, "access-0")).toBe("access-1");
    expect(platform.requests).toHaveLength(1);
  });

  test("an access token that cannot be renewed fails with reconnect", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(HOUR);
    platform.answer = "refused";
    await expect(tokens.get(SHOP)).rejects.toMatchObject({ code: "reconnect" });
    const { tokens: forever } = await openTokens();
    await forever.save(SHOP, { ...FIRST, expiresInSeconds: null, refreshToken: null, refreshExpiresInSeconds: null });
    expect(await forever.get(SHOP)).toBe("access-0");
    await expect(forever.replace(SHOP, "access-0")).rejects.toMatchObject({ code: "reconnect" });
    await expect(forever.get("nobody.myshopify.com")).rejects.toMatchObject({ code: "reconnect" });
  });

  test("an access token is not renewed with an expired refresh token", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(7_776_000_000);
    await expect(tokens.get(SHOP)).rejects.toMatchObject({ code: "reconnect" });
    expect(platform.requests).toEqual([]);
  });

  test("an access token that was granted during a renewal is used in place of the renewed one", async () => {
    const { tokens, clock } = await withToken();
    await clock.advance(HOUR);
    platform.server.removeAllListeners("request");
    platform.server.on("request", async (_request, response) => {
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
    await expect(tokens.get(SHOP)).rejects.toMatchObject({ code: "reconnect" });
  });
});
