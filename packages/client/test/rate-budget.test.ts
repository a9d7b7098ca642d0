import { createBudget, createServiceClient, type Transport } from "@tillkit/client";
import { describe, expect, test } from "vitest";
import { responds, SESSION, startFaultServer } from "./fault-server.ts";
import { createManualClock } from "./manual-clock.ts";
import { createSkippingClock } from "./skipping-clock.ts";
import { TEST_KEY, testClient } from "./test-client.ts";

/** A live key may make 60 calls a minute. A fifth of them is reserved for the creation of checkout sessions. */
const RESERVE = 12;
const READS_A_MINUTE = 48;
const LIVE_KEY = TEST_KEY.replace("_test_", "_live_");

/** A service that responds at once with these headers. */
function serviceWith(headers: Record<string, string> = {}): Transport & { readonly sent: string[] } {
  const sent: string[] = [];
  const transport: Transport = async ({ method, url }) => {
    sent.push(`${method} ${new URL(url).pathname}`);
    return { status: 200, headers, body: new TextEncoder().encode(JSON.stringify(SESSION)) };
  };
  return Object.assign(transport, { sent });
}

function liveClient(transport: Transport, clock = createManualClock()) {
  const client = createServiceClient({ apiKey: LIVE_KEY, baseUrl: "https://api.example", transport, clock });
  return { client, clock, read: () => client.checkoutSessions.read(SESSION.id) };
}

async function repeat(times: number, call: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done += 1) await call();
}

describe("the budget of an API key", () => {
  test("the budget limits reads to the stricter of the documented limits and reserves a fifth for checkout sessions", async () => {
    const service = serviceWith();
    const { client, clock, read } = liveClient(service);
    await repeat(READS_A_MINUTE, read);
    await expect(read()).rejects.toMatchObject({ code: "rate_limit_exceeded", status: undefined, retryable: true });
    expect(service.sent).toHaveLength(READS_A_MINUTE);

    await repeat(RESERVE, () => client.checkoutSessions.create({ amount: 1000 }));
    await expect(client.checkoutSessions.create({ amount: 1000 })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });

    // The budget counts calls in slots of a second, so a call counts for up to 61 seconds.
    await clock.advance(62_000);
    await repeat(READS_A_MINUTE, read);
    expect(service.sent).toHaveLength(2 * READS_A_MINUTE + RESERVE);
  });

  test("the creation of a session is sent before reads that have waited longer", async () => {
    const service = serviceWith();
    const { client, clock, read } = liveClient(service);
    await repeat(READS_A_MINUTE, read);
    await repeat(RESERVE, () => client.checkoutSessions.create({ amount: 1000 }));
    await clock.advance(50_000);
    const queued = [read(), read(), client.checkoutSessions.create({ amount: 1000 })];
    await clock.advance(14_000);
    await Promise.all(queued);
    expect(service.sent.slice(READS_A_MINUTE + RESERVE)).toEqual([
      "POST /v1/checkout-sessions",
      `GET /v1/checkout-sessions/${SESSION.id}`,
      `GET /v1/checkout-sessions/${SESSION.id}`,
    ]);
  });

  test("the budget takes over a higher limit from the response to a read", async () => {
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

  test("the budget counts the calls of other processes that the service reports", async () => {
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

  test("the limit that a write reports applies to writes only", async () => {
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

  test("a window of years that a response reports holds back no call", async () => {
    const service = serviceWith({
      "x-ratelimit-limit": "1",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-window-seconds": "999999999",
    });
    const { client, clock, read } = liveClient(service);
    await read();
    await clock.advance(62_000);
    await expect(read()).resolves.toBeDefined();
    await expect(client.checkoutSessions.create({ amount: 1000 })).resolves.toBeDefined();
    expect(service.sent).toHaveLength(3);
  });

  test("clients that share a budget share its calls", async () => {
    const service = serviceWith();
    const clock = createManualClock();
    const budget = createBudget({ environment: "live", clock });
    const options = { apiKey: LIVE_KEY, baseUrl: "https://api.example", transport: service, clock, budget };
    const [first, second] = [createServiceClient(options), createServiceClient(options)];
    await repeat(READS_A_MINUTE / 2, () => first.checkoutSessions.read(SESSION.id));
    await repeat(READS_A_MINUTE / 2, () => second.checkoutSessions.read(SESSION.id));
    await expect(first.checkoutSessions.read(SESSION.id)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  });

  test("a call that is aborted while it waits does not hold back other calls", async () => {
    const service = serviceWith();
    const { client, clock, read } = liveClient(service);
    await repeat(READS_A_MINUTE, read);
    await clock.advance(50_000);
    const caller = new AbortController();
    const aborted = client.checkoutSessions.read(SESSION.id, { signal: caller.signal });
    const other = read();
    caller.abort();
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
    await clock.advance(14_000);
    await other;
    await repeat(READS_A_MINUTE - 1, read);
    await expect(read()).rejects.toMatchObject({ code: "rate_limit_exceeded" });
    expect(service.sent).toHaveLength(2 * READS_A_MINUTE);
  });

  test("the budget can be turned off, and is off for a sandbox on this machine", async () => {
    const options = { apiKey: LIVE_KEY, transport: serviceWith(), clock: createSkippingClock() };
    // A hundred reads exceed the budget of a minute.
    const off = createServiceClient({ ...options, baseUrl: "https://api.example", budget: "off" });
    await repeat(100, () => off.checkoutSessions.read(SESSION.id));
    const local = createServiceClient({ ...options, baseUrl: "http://127.0.0.1:4000" });
    await repeat(100, () => local.checkoutSessions.read(SESSION.id));
  });
});

test("every response reports its rate limit, and the client keeps the last rate limit", async () => {
  const headers = { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "7", "x-ratelimit-window-seconds": "60" };
  const service = await startFaultServer(responds(200, SESSION, headers), responds(200, SESSION));
  const { client } = testClient(service.baseUrl);
  expect(client.rateLimit()).toBeNull();
  const limited = await client.checkoutSessions.read(SESSION.id);
  expect(limited.rateLimit).toEqual({ limit: 120, remaining: 7, windowSeconds: 60 });
  expect((await client.checkoutSessions.read(SESSION.id)).rateLimit).toBeNull();
  expect(client.rateLimit()).toEqual(limited.rateLimit);
});
