import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { type Answer, expectRefusal } from "../answer.ts";
import { endpoints, unknownParams } from "../operations.ts";
import { minute, type Service, second, startService } from "../service.ts";
import { order } from "../steps.ts";

const limitOf = (answer: Answer) => Number(answer.headers.get("X-RateLimit-Limit"));
const remainingOf = (answer: Answer) => Number(answer.headers.get("X-RateLimit-Remaining"));

// In the headers RateLimit and RateLimit-Policy, q is the quota, w the window in seconds, r the number of requests
// left, and t the seconds until the window allows more requests.

/** Sends `count` requests over one connection without waiting for answers. Returns how many were refused. */
function countRefused(
  service: Service,
  key: string,
  count: number,
  operation: "write" | "read" = "read",
): Promise<number> {
  const { hostname, port } = new URL(service.baseUrl());
  const body = operation === "write" ? JSON.stringify(order) : "";
  const request = [
    operation === "write" ? "POST /checkout-sessions HTTP/1.1" : "GET /webhooks HTTP/1.1",
    `Host: ${hostname}`,
    `X-API-Key: ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request.repeat(count)));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      if (statuses.length < count) return;
      socket.destroy();
      resolve(statuses.filter((status) => status === "429").length);
    });
    socket.on("error", reject);
  });
}

describe("Rate limits, policy B", () => {
  const service = startService();

  it("rate policy B is the default of the sandbox", async () => {
    expect((await service.control("GET /settings")).text("ratePolicy")).toBe("B");
  });

  it("120 writes a minute pass, the next gives 429 rate_limit_exceeded Too many requests", async () => {
    const shop = await service.merchant();
    expect(await countRefused(service, shop.keys.test.secret, 120, "write")).toBe(0);
    const answer = await shop.call("POST /checkout-sessions", { body: order });
    expectRefusal(answer, 429, "rate_limit_exceeded", "Too many requests");
    expect(answer.number("error.details.limit")).toBe(120);
    await service.advance(minute + second);
    expect((await shop.call("POST /checkout-sessions", { body: order })).status).toBe(201);
  });

  it("a 429 carries Retry-After, the X-RateLimit and the RateLimit headers", async () => {
    const shop = await service.merchant();
    await countRefused(service, shop.keys.test.secret, 120, "write");
    await service.advance(20 * second);
    const answer = await shop.call("POST /checkout-sessions", { body: order });
    const seconds = Number(answer.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(41);
    expect(answer.number("error.details.retry_after_seconds")).toBe(seconds);
    expect([limitOf(answer), remainingOf(answer)]).toEqual([120, 0]);
    expect(answer.headers.get("X-RateLimit-Window-Seconds")).toBe("60");
    expect(answer.headers.get("RateLimit-Policy")).toMatch(/"[\w-]+";q=120;w=60\b/);
    expect(answer.headers.get("RateLimit")).toMatch(/"[\w-]+";r=0;t=\d+\b/);
  });

  it("a limited request passes after Retry-After seconds", async () => {
    const shop = await service.merchant();
    await countRefused(service, shop.keys.test.secret, 120, "write");
    const answer = await shop.call("POST /checkout-sessions", { body: order });
    await service.advance(Number(answer.headers.get("Retry-After")) * second);
    expect((await shop.call("POST /checkout-sessions", { body: order })).status).toBe(201);
  });

  it.each(endpoints.map(({ operation, write }) => [operation, write ? 120 : 5000] as const))(
    "%s counts against the limit of %d",
    async (operation, limit) => {
      const shop = await service.merchant();
      const answer = await shop.call(operation, { params: unknownParams(operation) });
      expect([limitOf(answer), remainingOf(answer)]).toEqual([limit, limit - 1]);
      expect(answer.headers.get("X-RateLimit-Window-Seconds")).toBe(limit === 120 ? "60" : "900");
    },
  );

  it("successful answers also carry the rate-limit headers, of the window with the fewest requests left", async () => {
    const shop = await service.merchant();
    const read = await shop.call("GET /transactions");
    expect([limitOf(read), remainingOf(read)]).toEqual([5000, 4999]);
    const write = await shop.call("POST /checkout-sessions", { body: order });
    expect([limitOf(write), remainingOf(write)]).toEqual([120, 119]);
    expect(write.headers.get("RateLimit")).toMatch(/"[\w-]+";r=\d+;t=\d+\b/);
    expect(write.headers.get("RateLimit-Policy")).toMatch(/"[\w-]+";q=\d+;w=\d+\b/);
    expect(write.headers.has("Retry-After")).toBe(false);
  });

  it("reads pass while writes are refused", async () => {
    const shop = await service.merchant();
    expect(await countRefused(service, shop.keys.test.secret, 125, "write")).toBe(5);
    expect((await shop.call("GET /transactions")).status).toBe(200);
  });

  it("each API key has its own rate limit", async () => {
    const [mine, theirs] = [await service.merchant(), await service.merchant()];
    await countRefused(service, mine.keys.test.secret, 121, "write");
    for (const call of [mine.live, theirs.call]) {
      expect((await call("POST /checkout-sessions", { body: order })).status).toBe(201);
    }
  });

  it("the rate-limit window slides", async () => {
    const shop = await service.merchant();
    await countRefused(service, shop.keys.test.secret, 60, "write");
    await service.advance(40 * second);
    await countRefused(service, shop.keys.test.secret, 60, "write");
    await service.advance(21 * second);
    expect(await countRefused(service, shop.keys.test.secret, 70, "write")).toBe(10);
  });

  it("refused requests do not count against the rate limit", async () => {
    const shop = await service.merchant();
    await countRefused(service, shop.keys.test.secret, 120, "write");
    await service.advance(30 * second);
    expect(await countRefused(service, shop.keys.test.secret, 40, "write")).toBe(40);
    await service.advance(31 * second);
    expect(await countRefused(service, shop.keys.test.secret, 120, "write")).toBe(0);
  });

  it("replays and requests with an invalid body count against the rate limit", async () => {
    const shop = await service.merchant();
    for (let count = 0; count < 60; count += 1) {
      await shop.call("POST /checkout-sessions", { body: order, idempotencyKey: "key" });
      await shop.call("POST /checkout-sessions", { body: {} });
    }
    expectRefusal(await shop.call("POST /checkout-sessions", { body: order }), 429, "rate_limit_exceeded");
  });

  it("5,000 requests in 15 minutes pass, the next gives 429", async () => {
    const shop = await service.merchant();
    expect(await countRefused(service, shop.keys.test.secret, 5000)).toBe(0);
    const answer = await shop.call("GET /webhooks");
    expectRefusal(answer, 429, "rate_limit_exceeded", "Too many requests");
    expect(answer.number("error.details.limit")).toBe(5000);
    await service.advance(15 * minute + second);
    expect((await shop.call("GET /webhooks")).status).toBe(200);
  });

  it("policy B applies to live keys too", async () => {
    const shop = await service.merchant();
    expect(limitOf(await shop.live("GET /transactions"))).toBe(5000);
    expect(await countRefused(service, shop.keys.live.secret, 121, "write")).toBe(1);
  });
});

describe("Rate limits, policy A", () => {
  const service = startService({ settings: { ratePolicy: "A" } });

  it("policy A permits a test key 120 requests of any kind a minute", async () => {
    const shop = await service.merchant();
    expect(await countRefused(service, shop.keys.test.secret, 100)).toBe(0);
    expect(await countRefused(service, shop.keys.test.secret, 25, "write")).toBe(5);
    await service.advance(minute + second);
    expect((await shop.call("GET /webhooks")).status).toBe(200);
  });

  it("policy A permits a live key 60 requests a minute", async () => {
    const shop = await service.merchant();
    expect(await countRefused(service, shop.keys.live.secret, 65)).toBe(5);
  });

  it.each([
    ["live", 10_000, 50],
    ["test", 20_000, 100],
  ] as const)("policy A permits a %s key %d requests a day", async (environment, dayLimit, perMinute) => {
    const shop = await service.merchant();
    // The limit of a minute is higher than `perMinute`, so only the limit of the day can refuse a request.
    for (let passed = 0; passed < dayLimit; passed += perMinute) {
      expect(await countRefused(service, shop.keys[environment].secret, perMinute)).toBe(0);
      await service.advance(minute + second);
    }
    const answer = await service.call("GET /webhooks", { key: shop.keys[environment].secret });
    expectRefusal(answer, 429, "rate_limit_exceeded", "Too many requests");
    expect(answer.number("error.details.limit")).toBe(dayLimit);
    expect(answer.headers.get("X-RateLimit-Window-Seconds")).toBe("86400");
  });
});

describe("Rate limits, policy off", () => {
  const service = startService({ settings: { ratePolicy: "off" } });

  it("no request is refused when rate limits are off", async () => {
    expect(await countRefused(service, service.keys().test.secret, 200, "write")).toBe(0);
  });
});
