import { createServiceClient, type ServiceClient, type Transport } from "@tillkit/client";
import { createManualClock, type ManualClock } from "@tillkit/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryLedger, createSharedBudget, type SharedBudget } from "../../src/index.ts";

const MINUTE = 60_000;
const SESSION = {
  id: "cs_1",
  checkout_url: "https://pay.example/cs_1",
  status: "open",
  amount: 1000,
  currency_code: "XOF",
};

let clock: ManualClock;
let sent: string[];
let headers: Record<string, string>;
let status: number;
beforeEach(() => {
  clock = createManualClock(Date.UTC(2026, 0, 6, 12));
  sent = [];
  headers = {};
  status = 200;
});

const transport: Transport = async ({ method }) => {
  sent.push(method);
  return { status, headers, body: new TextEncoder().encode(JSON.stringify(SESSION)) };
};

/** One process with the live key: 60 calls a minute until responses report a higher limit. */
function aProcess(ledger: SharedBudget): ServiceClient {
  const budget = createSharedBudget({ ledger, credentialId: "key", environment: "live", clock });
  const apiKey = `svc_sk_live_${"a".repeat(32)}`;
  return createServiceClient({ apiKey, baseUrl: "https://api.example", transport, clock, budget, deadlineMs: 5_000 });
}

async function read(client: ServiceClient, times: number): Promise<number> {
  let done = 0;
  for (; done < times; done += 1) {
    const answer = await client.checkoutSessions.read("cs_1").catch(() => null);
    if (answer === null) break;
  }
  return done;
}

const openCheckout = (client: ServiceClient) => client.checkoutSessions.create({ amount: 1000 });

describe("processes that share an API key and a ledger", () => {
  it("three processes that share a key make no more calls than one may make, and leave a reserve for checkouts", async () => {
    const ledger = createMemoryLedger();
    const [one, two, three] = [aProcess(ledger), aProcess(ledger), aProcess(ledger)];
    expect((await read(one, 30)) + (await read(two, 30)) + (await read(three, 30))).toBe(48);
    for (const client of [one, two, three]) for (let call = 0; call < 4; call += 1) await openCheckout(client);
    await expect(openCheckout(one)).rejects.toMatchObject({
      code: "rate_limit_exceeded",
      status: undefined,
      retryable: true,
    });
    expect(sent).toHaveLength(60);
    await clock.advance(MINUTE + 2_000);
    expect(await read(two, 48)).toBe(48);
  });

  it("a call waits for room in the window when its deadline allows it", async () => {
    const ledger = createMemoryLedger();
    const [one, two] = [aProcess(ledger), aProcess(ledger)];
    await read(one, 48);
    await clock.advance(57_000);
    const waiting = read(two, 1);
    await clock.advance(2_999);
    expect(sent).toHaveLength(48);
    await clock.advance(1);
    expect(await waiting).toBe(1);
  });

  it("a caller that aborts its call stops waiting at once", async () => {
    const ledger = createMemoryLedger();
    const [one, two] = [aProcess(ledger), aProcess(ledger)];
    await read(one, 48);
    await clock.advance(57_000);
    const caller = new AbortController();
    const aborted = two.checkoutSessions.read("cs_1", { signal: caller.signal });
    await clock.advance(0);
    caller.abort();
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
  });

  it("processes use wider limits once a response reports them", async () => {
    const ledger = createMemoryLedger();
    const [one, two] = [aProcess(ledger), aProcess(ledger)];
    headers = { "x-ratelimit-limit": "200", "x-ratelimit-remaining": "199", "x-ratelimit-window-seconds": "900" };
    expect((await read(one, 100)) + (await read(two, 100))).toBe(160);
  });

  it("processes take calls of other users of the key into account", async () => {
    const client = aProcess(createMemoryLedger());
    headers = { "x-ratelimit-limit": "200", "x-ratelimit-remaining": "40", "x-ratelimit-window-seconds": "900" };
    expect(await read(client, 9)).toBe(1);
  });

  it("no process sends a call while the service asks to wait", async () => {
    const client = aProcess(createMemoryLedger());
    status = 429;
    headers = { "retry-after": "30" };
    await expect(openCheckout(client)).rejects.toMatchObject({ code: "rate_limit_exceeded", retryAfterMs: 30_000 });
    status = 200;
    headers = {};
    await expect(openCheckout(client)).rejects.toMatchObject({ code: "rate_limit_exceeded", status: undefined });
    expect(sent).toHaveLength(1);
    await clock.advance(30_000);
    await openCheckout(client);
    expect(sent).toHaveLength(2);
  });
});

describe("a ledger that cannot count calls", () => {
  it("a ledger that cannot count calls blocks no payment", async () => {
    const broken: SharedBudget = { spend: () => Promise.reject(new Error("The disk is full.")) };
    expect(await read(aProcess(broken), 60)).toBe(48);
  });

  it("a call does not wait for a slow ledger, which is tried again later", async () => {
    let calls = 0;
    const slow: SharedBudget = {
      spend() {
        calls += 1;
        return new Promise(() => {});
      },
    };
    const client = aProcess(slow);
    const first = read(client, 1);
    await clock.advance(1_000);
    expect(await first).toBe(1);
    expect(await read(client, 5)).toBe(5);
    expect(calls).toBe(1);
    await clock.advance(10_000);
    void read(client, 1);
    await clock.advance(1_000);
    expect(calls).toBe(2);
  });
});
