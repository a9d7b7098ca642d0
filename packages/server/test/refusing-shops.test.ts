import { createEngine, silentLog } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createManualClock, createSeededRandom } from "@tillkit/testkit";
import { expect, test } from "vitest";
import type { ChannelMessage } from "../src/alerts/channels.ts";
import { sendAlerts } from "../src/alerts/send-alerts.ts";
import { serverLimits } from "../src/limits.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MONTH = 30 * 24 * HOUR;

/** A server without shops, on whose ledger a store refuses and answers. */
function openAlerts() {
  const manualClock = createManualClock(Date.UTC(2026, 2, 1, 10));
  const ahead = { ms: 0 };
  const clock = { ...manualClock, now: () => manualClock.now() + ahead.ms };
  const ledger = createMemoryLedger();
  const unused = () => Promise.reject(new Error("Not used."));
  const engine = createEngine({
    ...{ ledger, clock, random: createSeededRandom(1), log: silentLog, store: unused },
    tenants: { credentialFor: unused, service: unused, endpoint: unused },
    referenceKeys: ["a key of the tests, long enough to sign with"],
    returnUrls: () => ({ success: "https://pay.example/s", cancel: "https://pay.example/c" }),
  });
  const messages: ChannelMessage[] = [];
  const failures = { left: 0 };
  const send = async (message: ChannelMessage) => {
    failures.left -= 1;
    if (failures.left >= 0) throw new Error("The mail server is down.");
    messages.push(message);
  };
  const options = { engine, ledger, channels: [{ name: "email", send }], language: "en" } as const;
  const addresses = { publicUrl: "https://pay.example", operatorsUrl: null, everyMs: serverLimits.alertIntervalMs };
  /** Looks for alerts once a minute; the store refuses a probe every ten minutes. */
  async function refuseFor(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += MINUTE) {
      if (passed % (10 * MINUTE) === 0) await engine.storeBlocks.refused("shop", "read");
      await pass();
    }
  }
  async function pass(ms = MINUTE): Promise<void> {
    for (let passed = 0; passed < ms; passed += MINUTE) {
      await clock.advance(MINUTE);
      await sendAlerts({ ...options, ...addresses });
    }
  }
  return { ledger, clock, ahead, engine, messages, failures, storeBlocks: engine.storeBlocks, refuseFor, pass };
}

test("a shop that refuses us is alerted when that begins, a day later, and when it answers again, each time once", async () => {
  const { messages, storeBlocks, refuseFor, pass } = openAlerts();
  await refuseFor(23 * HOUR);
  expect(messages.map(({ added }) => added)).toEqual([{ refusing: 1 }]);
  expect(messages[0]?.text).toContain("1 shop refuses this server");
  await refuseFor(2 * HOUR);
  expect(messages.map(({ added }) => added)).toEqual([{ refusing: 1 }, { refusing: 1 }]);
  await storeBlocks.answered("shop", "read");
  await pass(HOUR);
  expect(messages.map(({ added }) => added).slice(2)).toEqual([{ answering: 1 }]);
  await pass(26 * HOUR);
  expect(messages).toHaveLength(3);
  await refuseFor(HOUR);
  expect(messages.map(({ added }) => added).slice(3)).toEqual([{ refusing: 1 }]);
});

test("a shop that refused us for half a minute, as during an update of its plug-in, is not alerted", async () => {
  const { messages, clock, storeBlocks, pass } = openAlerts();
  await storeBlocks.refused("shop", "read");
  await clock.advance(MINUTE / 2);
  await storeBlocks.answered("shop", "read");
  await pass(HOUR);
  expect(messages).toEqual([]);
});

test("the end of a refusal is alerted also when the mail server was down when it came", async () => {
  const { messages, failures, storeBlocks, refuseFor, pass } = openAlerts();
  await refuseFor(HOUR);
  await storeBlocks.answered("shop", "read");
  failures.left = 3;
  await pass(2 * HOUR);
  expect(messages.map(({ added }) => added)).toEqual([{ refusing: 1 }, { answering: 1 }]);
});

test("a job that waits for a shop that refuses us adds no alert of its own", async () => {
  const { ledger, clock, messages, refuseFor } = openAlerts();
  await ledger.commit({
    jobs: [{ kind: "confirm", storeId: "shop", paymentId: null, payload: "", dueAt: clock.now() }],
    timeline: [],
  });
  const error = { code: "reconnect", message: "The plug-in is off." };
  for (let attempt = 0; attempt <= serverLimits.failingAfterAttempts; attempt += 1) {
    const [job] = await ledger.claim({ worker: "w", now: clock.now(), leaseMs: MINUTE, limit: 1 });
    const waitMs = attempt < serverLimits.failingAfterAttempts ? 0 : 24 * HOUR;
    await ledger.commit({ retried: [{ id: job?.id ?? "", dueAt: clock.now() + waitMs, error }], timeline: [] });
  }
  await refuseFor(HOUR);
  expect(messages.map(({ added }) => added)).toEqual([{ refusing: 1 }]);
});

test("a shop that nobody has tried for an hour, because none of its payments may move any more, is not alerted each day", async () => {
  const { messages, refuseFor, pass } = openAlerts();
  await refuseFor(HOUR);
  await pass(50 * HOUR);
  expect(messages.map(({ added }) => added)).toEqual([{ refusing: 1 }]);
});

test("a shop that began to refuse us while the clock was a month ahead is alerted after the clock was set back", async () => {
  const { messages, ahead, storeBlocks, refuseFor } = openAlerts();
  ahead.ms = MONTH;
  await storeBlocks.refused("shop", "read");
  ahead.ms = 0;
  await refuseFor(15 * MINUTE);
  expect(messages.map(({ added }) => added)).toEqual([{ refusing: 1 }]);
});

test("a shop that does not answer is alerted although an outage of it was alerted while the clock was a month ahead", async () => {
  const { messages, ahead, engine, pass } = openAlerts();
  const { circuitBreakers } = engine;
  const failAll = () => {
    for (const payment of ["p1", "p2", "p3"]) circuitBreakers.record("store:shop", payment, false);
  };
  ahead.ms = MONTH;
  failAll();
  await pass();
  circuitBreakers.record("store:shop", "p1", true);
  ahead.ms = 0;
  await pass(HOUR);
  failAll();
  await pass(HOUR);
  expect(messages.map(({ added }) => added)).toEqual([{ outage: 1 }, { outage: 1 }]);
});
