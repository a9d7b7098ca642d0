import { expect, test } from "vitest";
import { createSendBy } from "../src/transport/send-by.ts";
import { responds, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

const REFUND = { transaction_id: "txn_8QW3ER5TYU7KPA", amount: 5_000 };

test("a call after its last moment sends nothing and says so", async () => {
  const service = await startFaultServer(responds(200, {}));
  const { client, clock } = testClient(service.baseUrl);
  const call = client.refunds.create(REFUND, { idempotencyKey: "refund:1", sendBy: clock.now() });
  await expect(call).rejects.toMatchObject({ code: "not_sent", mayHaveSucceeded: false, retryable: false });
  expect(service.received).toEqual([]);
});

test("no attempt is repeated after the last moment, and the doubt of an earlier attempt stays", async () => {
  const service = await startFaultServer(responds(503, { error: { code: "service_unavailable", message: "Busy." } }));
  const { client, clock } = testClient(service.baseUrl);
  const sendBy = clock.now() + 300;
  const call = client.refunds.create(REFUND, { idempotencyKey: "refund:1", sendBy });
  await expect(call).rejects.toMatchObject({ code: "service_unavailable", mayHaveSucceeded: true });
  expect(service.received.length).toBeLessThanOrEqual(3);
  expect(clock.now()).toBeLessThan(sendBy);
});

test("a call before its last moment is sent", async () => {
  const service = await startFaultServer(responds(200, {}));
  const { client, clock } = testClient(service.baseUrl);
  const options = { idempotencyKey: "refund:1", sendBy: clock.now() + 60_000 };
  await client.refunds.create(REFUND, options).catch(() => undefined);
  expect(service.received).toHaveLength(1);
});

test("a process that slept for more than a day sends nothing, although a clock ahead had dated the last moment", () => {
  let [now, monotonic] = [Date.parse("2026-06-01T08:00:00.000Z"), 0];
  const sendBy = createSendBy(now + 80 * DAY_MS, { now: () => now, monotonicNow: () => monotonic });
  expect(sendBy.isOver()).toBe(false);
  [now, monotonic] = [now + DAY_MS, monotonic + DAY_MS];
  expect(sendBy.isOver()).toBe(true);
});

test("a machine that was suspended while its clock was set back sends nothing, because nobody knows how long it slept", () => {
  let now = Date.parse("2026-06-04T08:00:00.000Z");
  const sendBy = createSendBy(now + DAY_MS, { now: () => now, monotonicNow: () => 0 });
  now -= 900;
  expect(sendBy.isOver()).toBe(false);
  now -= 2 * DAY_MS;
  expect(sendBy.isOver()).toBe(true);
});

const DAY_MS = 24 * 3_600_000;
