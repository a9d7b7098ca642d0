import { describe, expect, it } from "vitest";
import { createRateLimits } from "../src/runtime/rate-limits.ts";
import { api, openSandbox, order } from "./open-sandbox.ts";

/** 60 requests per minute and 10,000 per day with a live key; twice as many with a test key. */
const PER_MINUTE_AND_DAY = "A";
/** 5,000 requests per 15 minutes, of which 120 per minute may write. The default. */
const PER_QUARTER_HOUR_AND_WRITES = "B";

describe("rate limits over HTTP", () => {
  it("the headers of a response describe the window with the fewest requests left", async () => {
    const sandbox = await openSandbox();
    const read = await api(sandbox, "GET /transactions");
    expect(read.headers.get("x-ratelimit-limit")).toBe("5000");
    expect(read.headers.get("x-ratelimit-remaining")).toBe("4999");
    expect(read.headers.get("x-ratelimit-window-seconds")).toBe("900");
    expect(read.headers.get("ratelimit-policy")).toBe('"default";q=5000;w=900');
    const written = await api(sandbox, "POST /checkout-sessions", { body: order });
    expect(written.headers.get("ratelimit-policy")).toBe('"write";q=120;w=60');
    expect(written.headers.get("ratelimit")).toMatch(/^"write";r=119;t=(59|60)$/);
  });

  it("a request over the limit of its key is 429 with Retry-After, and the key works again after the window has moved", async () => {
    const sandbox = await openSandbox({ settings: { ratePolicy: PER_MINUTE_AND_DAY } });
    const live = sandbox.keys.live.secret;
    for (let count = 0; count < 60; count++) await api(sandbox, "GET /webhooks", { key: live });
    const { status, json, headers } = await api(sandbox, "GET /webhooks", { key: live });
    expect(status).toBe(429);
    const seconds = Number(headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(50);
    expect(json.error).toEqual({
      code: "rate_limit_exceeded",
      message: "Too many requests",
      details: { retry_after_seconds: seconds, limit: 60 },
    });
    expect(headers.get("x-ratelimit-remaining")).toBe("0");
    const otherKey = sandbox.keys.test.secret;
    expect((await api(sandbox, "GET /webhooks", { key: otherKey })).status).toBe(200);
    await sandbox.control.advanceClock(60_000);
    expect((await api(sandbox, "GET /webhooks", { key: live })).status).toBe(200);
  });

  it("rate limits can be switched off", async () => {
    const sandbox = await openSandbox({ settings: { ratePolicy: "off" } });
    const { headers } = await api(sandbox, "GET /transactions");
    expect(headers.get("x-ratelimit-limit")).toBeNull();
  });
});

describe("the windows of a rate limit", () => {
  const request = { key: "k", environment: "test", policy: PER_QUARTER_HOUR_AND_WRITES, isWrite: true } as const;

  it("120 writes per minute are allowed, and each counts as one of 5,000 requests", () => {
    const limits = createRateLimits();
    for (let second = 0; second < 60; second++) {
      limits.count({ ...request, now: second * 1000 });
      limits.count({ ...request, now: second * 1000 });
    }
    const refused = limits.count({ ...request, now: 59_500 });
    expect(refused).toMatchObject({ remaining: 0, retryAfterSeconds: 1 });
    const read = limits.count({ ...request, isWrite: false, now: 59_500 });
    expect(read?.remaining).toBe(5000 - 120 - 1);
    expect(limits.count({ ...request, now: 60_000 })?.retryAfterSeconds).toBeNull();
  });

  it("a request over the limit does not count", () => {
    const limits = createRateLimits();
    for (let count = 0; count < 120; count++) limits.count({ ...request, now: 0 });
    for (let count = 0; count < 380; count++) limits.count({ ...request, now: 30_000 });
    // The window of a minute no longer holds the 120 writes, but would still hold the 380 refused writes.
    expect(limits.count({ ...request, now: 60_000 })?.remaining).toBe(119);
  });

  it("each key has its own limits", () => {
    const limits = createRateLimits();
    for (let count = 0; count < 120; count++) limits.count({ ...request, now: 0 });
    expect(limits.count({ ...request, now: 1 })?.retryAfterSeconds).not.toBeNull();
    expect(limits.count({ ...request, key: "other", now: 1 })?.retryAfterSeconds).toBeNull();
  });

  it("the policy per minute and day refuses a live key its 10,001st request of a day", () => {
    const limits = createRateLimits();
    const daily = { ...request, policy: PER_MINUTE_AND_DAY, environment: "live" } as const;
    // A request every two seconds stays within the limit per minute.
    for (let count = 0; count < 10_000; count++) limits.count({ ...daily, now: count * 2000 });
    expect(limits.count({ ...daily, now: 20_000_000 })).toMatchObject({
      window: { seconds: 86_400 },
      retryAfterSeconds: 86_400 - 20_000,
    });
  });
});
