import { createSandbox, type FaultRequest, type Sandbox } from "@tillkit/sandbox";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createFastClock, createSkippingClock } from "./clocks.ts";
import { createMerchant, type Merchant } from "./merchant.ts";
import { createWatchedClient, type TransportName, transports, type WatchedClient } from "./watched-client.ts";
import { type Write, writes } from "./writes.ts";

type FaultKind = Omit<FaultRequest, "method" | "path">;
type NamedCases<Value> = readonly (readonly [string, Value])[];

/** Faults after which the client's retry succeeds. `replayed`: the first attempt had already taken effect. */
const retriedFaults: NamedCases<{ faults: readonly FaultKind[]; replayed: boolean }> = [
  ["the service answers 500", { faults: [{ status: 500 }], replayed: false }],
  ["the service answers 503 twice", { faults: [{ status: 503, times: 2 }], replayed: false }],
  ["a gateway answers 502 and then 504", { faults: [{ status: 502 }, { status: 504 }], replayed: false }],
  ["the service asks to wait a second", { faults: [{ status: 429, retryAfterSeconds: 1 }], replayed: false }],
  ["the connection breaks on the way there", { faults: [{ reset: true }], replayed: false }],
  ["the answer is slow", { faults: [{ delayMs: 30 }], replayed: false }],
  ["it takes effect and is answered with 500", { faults: [{ when: "after", status: 500 }], replayed: true }],
  ["it takes effect and is answered with 503", { faults: [{ when: "after", status: 503 }], replayed: true }],
  ["it takes effect and is answered with 429", { faults: [{ when: "after", status: 429 }], replayed: true }],
  ["the connection breaks on the way back", { faults: [{ when: "after", reset: true }], replayed: true }],
  ["the answer is cut in the middle", { faults: [{ cutBody: true }], replayed: true }],
  [
    "everything goes wrong one after the other",
    {
      faults: [{ reset: true }, { status: 503 }, { when: "after", reset: true }, { status: 429 }, { cutBody: true }],
      replayed: true,
    },
  ],
];

/** Faults that the client reports. The same call under the same key then succeeds. */
const reportedFaults: NamedCases<{ fault: FaultKind; error: object; made: 0 | 1 }> = [
  ["answered with 409", { fault: { status: 409 }, error: { code: "conflict", status: 409 }, made: 0 }],
  [
    "answered with 409 after it took effect",
    { fault: { when: "after", status: 409 }, error: { code: "conflict", status: 409 }, made: 1 },
  ],
  [
    "to be retried in an hour",
    {
      fault: { status: 429, retryAfterSeconds: 3600 },
      error: { code: "rate_limit_exceeded", retryAfterMs: 3_600_000, message: expect.stringContaining("3600 s") },
      made: 0,
    },
  ],
  [
    "to be retried in an hour after it took effect",
    {
      fault: { when: "after", status: 503, retryAfterSeconds: 3600 },
      error: { code: "service_unavailable", retryAfterMs: 3_600_000, message: expect.stringContaining("3600 s") },
      made: 1,
    },
  ],
];

/** Ten minutes on the fast clock are half a minute in real time, which is enough on a busy machine. */
const deadlineMs = 600_000;
const transportNames = Object.keys(transports) as TransportName[];
let sandbox: Sandbox;
let merchant: Merchant;
let watched: WatchedClient;
let caseNumber = 0;
let countBefore = 0;

beforeAll(async () => {
  sandbox = await createSandbox({ settings: { ratePolicy: "off", holdCardFunds: true } });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control.clearFaults();
  caseNumber += 1;
});
afterEach(() => {
  expect(sandbox.control.listFaults()).toEqual([]);
  watched.expectNothingPrivateRecorded();
});

describe.each(transportNames)("over %s,", (transport) => {
  describe.each(Object.entries<Write>(writes))("%s", (_, write) => {
    const call = () => ({ idempotencyKey: `order-${caseNumber}`, deadlineMs });
    const send = () => write.send(watched.client, merchant, call());
    const countMade = async () => (await write.count(merchant)) - countBefore;
    const addFault = (fault: FaultKind) => sandbox.control.addFault({ ...fault, method: "POST", path: write.path });

    beforeAll(async () => {
      merchant = await createMerchant(sandbox);
    });
    beforeEach(async () => {
      countBefore = await write.count(merchant);
      watched = createWatchedClient(transport, sandbox.baseUrl, merchant.key, createSkippingClock());
    });

    test.each(retriedFaults)("the write is made once although %s", async (_, { faults, replayed }) => {
      for (const fault of faults) await addFault(fault);
      const reply = await send();
      expect(reply).toMatchObject({ status: 201, replayed });
      expect(reply.raw).toHaveProperty(write.requiredField);
      expect(await countMade()).toBe(1);
      expect((await send()).raw).toEqual(reply.raw);
      expect(await countMade()).toBe(1);
    });

    test.each(reportedFaults)(
      "a write that is %s is reported at once, and is made once when it is repeated",
      async (_, expected) => {
        await addFault(expected.fault);
        await expect(send().catch(printAndThrow)).rejects.toMatchObject(expected.error);
        expect(watched.sent()).toBe(1);
        expect(await countMade()).toBe(expected.made);

        expect(await send()).toMatchObject({ status: 201, replayed: expected.made === 1 });
        expect(await countMade()).toBe(1);
      },
    );

    test("a write whose answer lacks the required field fails, and its repetition returns the field", async () => {
      await addFault({ patch: { [write.requiredField]: null, id: null, transaction_id: null, transactionId: null } });
      await expect(send().catch(printAndThrow)).rejects.toMatchObject({ code: "response_unusable" });
      expect(await countMade()).toBe(1);
      expect((await send()).raw).toHaveProperty(write.requiredField);
      expect(await countMade()).toBe(1);
    });

    test("a write whose caller gave up continues at the service, and the next call waits for it and gets its answer", async () => {
      await addFault({ delayMs: 150 });
      watched = createWatchedClient(transport, sandbox.baseUrl, merchant.key, createFastClock());
      const caller = new AbortController();
      const abandoned = write.send(watched.client, merchant, { ...call(), signal: caller.signal });
      await expect.poll(() => sandbox.control.listFaults(), { interval: 5 }).toEqual([]);
      caller.abort();
      await expect(abandoned.catch(printAndThrow)).rejects.toMatchObject({ code: "aborted" });

      expect(await send()).toMatchObject({ status: 201, replayed: true });
      expect(codesAnswered()).toContain("idempotency_in_progress");
      expect(await countMade()).toBe(1);
    });

    test("a write that two callers send at once is made once, and both get its answer", async () => {
      await addFault({ delayMs: 50 });
      watched = createWatchedClient(transport, sandbox.baseUrl, merchant.key, createFastClock());
      const [first, second] = await Promise.all([send(), send()]);
      expect(first.raw).toEqual(second.raw);
      expect([first.replayed, second.replayed].sort()).toEqual([false, true]);
      expect(await countMade()).toBe(1);
    });
  });
});

/** The service's answers to the requests under this test's key. */
function codesAnswered(): readonly (string | null)[] {
  const requests = sandbox.control
    .listRequests()
    .filter((request) => request.idempotency_key === `order-${caseNumber}`);
  return requests.map((request) => request.error_code);
}

function printAndThrow(error: unknown): never {
  throw watched.recordAndReturn(error);
}
