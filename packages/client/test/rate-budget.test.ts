import { createBudget, createServiceClient, type Transport } from "@tillkit/client";
import { describe, expect, test } from "vitest";
import { answers, SESSION, startFaultServer } from "./fault-server.ts";
import { createHurriedClock } from "./hurried-clock.ts";
import { createSteppedClock } from "./stepped-clock.ts";
import { TEST_KEY, testClient } from "./test-client.ts";

const LIVE_KEY = TEST_KEY.replace("_test_", "_live_");

/** A service that answers at once, with the headers a test wants. */
function serviceWith(headers: Record<string, string> = {}): Transport & { readonly sent: string[] } {
  const sent: string[] = [];
  const transport: Transport = async ({ method, url }) => {
    sent.push(`${method} ${new URL(url).pathname}`);
    return { status: 200, headers, body: new TextEncoder().encode(JSON.stringify(SESSION)) };
  };
  return Object.assign(transport, { sent });
}

function liveClient(transport: Transport, clock = createSteppedClock()) {
  const client = createServiceClient({ apiKey: LIVE_KEY, baseUrl: "https://api.example", transport, clock });
  return { client, clock, read: () => client.checkoutSessions.read(SESSION.id) };
}

async function repeat(times: number, call: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done += 1) await call();
}

describe("the budget of a credential", () => {
  test("keeps reads under the stricter statement, with a reserve for opening sessions", async () => {
    const service = serviceWith();
    const { client, clock, read } = liveClient(service);
    await repeat(48, read);
    await expect(read()).rejects.toMatchObject({ code: "rate_limit_exceeded", status: undefined, retryable: true });
    expect(service.sent).toHaveLength(48);

    await repeat(12, () => client.checkoutSessions.create({ amount: 1000 }));
    await expect(client.checkoutSessions.create({ amount: 1000 })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });

    await clock.advance(62_000);
    await repeat(48, read);
    expect(service.sent).toHaveLength(108);
  });

  test("lets a session open before reads that have waited longer", async () => {
    const service = serviceWith();
    const { client, clock, read } = liveClient(service);
    await repeat(48, read);
    await repeat(12, () => client.checkoutSessions.create({ amount: 1000 }));
    await clock.advance(50_000);
    const waiting = [read(), read(), client.checkoutSessions.create({ amount: 1000 })];
    await clock.advance(14_000);
    await Promise.all(waiting);
    expect(service.sent.slice(60)).toEqual([
      "POST /v1/checkout-sessions",
      `GET /v1/checkout-sessions/${SESSION.id}`,
      `GET /v1/checkout-sessions/${SESSION.id}`,
    ]);
  });

  test("learns a wider limit from an answer to a read", async () => {
    const service = serviceWith({
      "x-ratelimit-limit": "5000",
      "x-ratelimit-remaining": "4999",
      "x-ratelimit-window-seconds": "900",
    });
    const { client, read } = liveClient(service);
    await repeat(300, read);
    expect(service.sent).toHaveLength(300);
    expect(client.rateLimit()).toEqual({ limit: 5000, remaining: 4999, windowSeconds: 900 });
  });

  test("learns that others use the key as well", async () => {
    const service = serviceWith({
      "x-ratelimit-limit": "5000",
      "x-ratelimit-remaining": "1000",
      "x-ratelimit-window-seconds": "900",
    });
    const { read } = liveClient(service);
    await read();
    await expect(read()).rejects.toMatchObject({ code: "rate_limit_exceeded" });
    expect(service.sent).toHaveLength(1);
  });

  test("keeps what a write teaches for writes", async () => {
    const service = serviceWith({
      "x-ratelimit-limit": "5",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-window-seconds": "60",
    });
    const { client } = liveClient(service);
    await client.checkoutSessions.create({ amount: 1000 });
    await expect(client.checkoutSessions.create({ amount: 1000 })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    await client.checkoutSessions.read(SESSION.id);
    expect(service.sent).toHaveLength(2);
  });

  test("is one for all clients that share it", async () => {
    const service = serviceWith();
    const clock = createSteppedClock();
    const budget = createBudget({ environment: "live", clock });
    const options = { apiKey: LIVE_KEY, baseUrl: "https://api.example", transport: service, clock, budget };
    const [one, two] = [createServiceClient(options), createServiceClient(options)];
    await repeat(24, () => one.checkoutSessions.read(SESSION.id));
    await repeat(24, () => two.checkoutSessions.read(SESSION.id));
    await expect(one.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  });

  test("a caller that gives up does not hold back the others", async () => {
    const service = serviceWith();
    const { client, clock, read } = liveClient(service);
    await repeat(48, read);
    await clock.advance(50_000);
    const caller = new AbortController();
    const leaving = client.checkoutSessions.read(SESSION.id, { signal: caller.signal });
    const staying = read();
    caller.abort();
    await expect(leaving).rejects.toMatchObject({ code: "aborted" });
    await clock.advance(14_000);
    await staying;
    await repeat(47, read);
    await expect(read()).rejects.toMatchObject({ code: "rate_limit_exceeded" });
    expect(service.sent).toHaveLength(96);
  });

  test("can be turned off, and is off for a sandbox on this machine", async () => {
    const options = { apiKey: LIVE_KEY, transport: serviceWith(), clock: createHurriedClock() };
    const off = createServiceClient({ ...options, baseUrl: "https://api.example", budget: "off" });
    await repeat(100, () => off.checkoutSessions.read(SESSION.id));
    const local = createServiceClient({ ...options, baseUrl: "http://127.0.0.1:4000" });
    await repeat(100, () => local.checkoutSessions.read(SESSION.id));
  });
});

test("the state of the limits can be read from every reply", async () => {
  const headers = { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "7", "x-ratelimit-window-seconds": "60" };
  const service = await startFaultServer(answers(200, SESSION, headers), answers(200, SESSION));
  const { client } = testClient(service.baseUrl);
  expect(client.rateLimit()).toBeNull();
  const limited = await client.checkoutSessions.read(SESSION.id);
  expect(limited.rateLimit).toEqual({ limit: 120, remaining: 7, windowSeconds: 60 });
  expect((await client.checkoutSessions.read(SESSION.id)).rateLimit).toBeNull();
  expect(client.rateLimit()).toEqual(limited.rateLimit);
});
