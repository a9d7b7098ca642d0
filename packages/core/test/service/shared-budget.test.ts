import { createServiceClient, type ServiceClient, type Transport } from "@tillkit/client";
import { createManualClock, type ManualClock } from "@tillkit/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createSharedBudget } from "../../src/hosts.ts";
import type { SharedBudget } from "../../src/ledger.ts";
import { createMemoryLedger } from "../../src/memory.ts";

const MINUTE = 60_000;
const CALLS_A_MINUTE = 60;
/** 20 % of every limit are reserved for opening checkouts. */
const RESERVE = 12;
const READS_A_MINUTE = CALLS_A_MINUTE - RESERVE;
/** How long a call of these clients may take, with the time that it waits for room. */
const DEADLINE_MS = 5_000;
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

/**
 * The client of one process with the live key, which may make CALLS_A_MINUTE until responses report another limit. `ledger` counts
 * the calls of all processes.
 */
function openProcess(ledger: SharedBudget): ServiceClient {
  const budget = createSharedBudget({ ledger, credentialId: "key", environment: "live", clock });
  const apiKey = `svc_sk_live_${"a".repeat(32)}`;
  return createServiceClient({
    apiKey,
    baseUrl: "https://api.example",
    transport,
    clock,
    budget,
    deadlineMs: DEADLINE_MS,
  });
}

/** Reads the session this many times or until a call is refused. Returns how many reads were answered. */
async function read(client: ServiceClient, times: number): Promise<number> {
  let answered = 0;
  for (; answered < times; answered += 1) {
    const answer = await client.checkoutSessions.read("cs_1").catch(() => null);
    if (answer === null) break;
  }
  return answered;
}

const openCheckout = (client: ServiceClient) => client.checkoutSessions.create({ amount: 1000 });

describe("processes that share an API key and a ledger", () => {
  it("three processes that share a key make no more calls than one process may make, and leave a reserve for checkouts", async () => {
    const ledger = createMemoryLedger();
    const [first, second, third] = [openProcess(ledger), openProcess(ledger), openProcess(ledger)];
    expect((await read(first, 30)) + (await read(second, 30)) + (await read(third, 30))).toBe(READS_A_MINUTE);
    for (let opened = 0; opened < RESERVE; opened += 3)
      for (const client of [first, second, third]) await openCheckout(client);
    await expect(openCheckout(first)).rejects.toMatchObject({
      code: "rate_limit_exceeded",
      status: undefined,
      retryable: true,
    });
    expect(sent).toHaveLength(CALLS_A_MINUTE);
    // Each process also counts its own calls, in slots of a second. A slot expires a minute after its end.
    await clock.advance(MINUTE + 1_000);
    expect(await read(second, READS_A_MINUTE)).toBe(READS_A_MINUTE);
  });

  it("a call waits for room in the window when its deadline allows the wait", async () => {
    const ledger = createMemoryLedger();
    const [first, second] = [openProcess(ledger), openProcess(ledger)];
    await read(first, READS_A_MINUTE);
    await clock.advance(MINUTE - 3_000);
    const waiting = read(second, 1);
    await clock.advance(2_999);
    expect(sent).toHaveLength(READS_A_MINUTE);
    await clock.advance(1);
    expect(await waiting).toBe(1);
  });

  it("a caller that aborts its call stops waiting at once", async () => {
    const ledger = createMemoryLedger();
    const [first, second] = [openProcess(ledger), openProcess(ledger)];
    await read(first, READS_A_MINUTE);
    await clock.advance(MINUTE - 3_000);
    const caller = new AbortController();
    const aborted = second.checkoutSessions.read("cs_1", { signal: caller.signal });
    await clock.advance(0);
    caller.abort();
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
  });

  it("processes use wider limits once a response reports them", async () => {
    const ledger = createMemoryLedger();
    const [first, second] = [openProcess(ledger), openProcess(ledger)];
    headers = { "x-ratelimit-limit": "200", "x-ratelimit-remaining": "199", "x-ratelimit-window-seconds": "900" };
    expect((await read(first, 100)) + (await read(second, 100))).toBe(160); // 200 less the reserve
  });

  it("processes take calls of other users of the key into account", async () => {
    const client = openProcess(createMemoryLedger());
    headers = { "x-ratelimit-limit": "200", "x-ratelimit-remaining": "40", "x-ratelimit-window-seconds": "900" };
    // The response to the first read reports that 40 of 200 calls are left, which is exactly the reserve.
    expect(await read(client, 9)).toBe(1);
  });

  it("no process sends a call while the service asks to wait", async () => {
    const client = openProcess(createMemoryLedger());
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
  it("each process counts its own calls while the ledger cannot count calls", async () => {
    const broken: SharedBudget = { spend: () => Promise.reject(new Error("The disk is full.")) };
    expect(await read(openProcess(broken), CALLS_A_MINUTE)).toBe(READS_A_MINUTE);
  });

  it("a call waits at most a second for a slow ledger, which is asked again ten seconds later", async () => {
    let calls = 0;
    const slow: SharedBudget = {
      spend() {
        calls += 1;
        return new Promise(() => {});
      },
    };
    const client = openProcess(slow);
    const reading = read(client, 1);
    await clock.advance(1_000);
    expect(await reading).toBe(1);
    expect(await read(client, 5)).toBe(5);
    expect(calls).toBe(1);
    await clock.advance(10_000);
    void read(client, 1);
    await clock.advance(1_000);
    expect(calls).toBe(2);
  });
});
