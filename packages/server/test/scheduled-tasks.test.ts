import { silentLog } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createTaskScheduler } from "@tillkit/runtime";
import { createManualClock } from "@tillkit/testkit";
import { afterEach, describe, expect, test } from "vitest";
import type { CheckoutServerOptions } from "../src/index.ts";
import { createPruneTask } from "../src/privacy/prune-task.ts";
import { type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";

const DAY_MS = 86_400_000;

let merchant: MerchantFixture;
afterEach(() => merchant?.close());

/** The stored request of an order that was paid `days` ago, after the server has run the pruning. */
async function requestAfterPruning(
  days: number,
  retention?: CheckoutServerOptions["retention"],
): Promise<string | undefined> {
  merchant = await openMerchant({ options: retention === undefined ? {} : { retention } });
  const { paymentId, returnPath } = await merchant.startPayment();
  merchant.service.newest().status = "completed";
  await merchant.get(returnPath);
  await merchant.clock.advance(days * DAY_MS);
  // Scheduled jobs of a payment delay its pruning, so they are finished first.
  for (const { id } of (await merchant.ledger.listJobs({ limit: 99 })).rows) {
    await merchant.ledger.commit({ finished: [id], timeline: [] });
  }
  merchant.checkout.startTimer();
  await merchant.clock.advance(10 * 60_000);
  return (await merchant.ledger.find({ id: paymentId }))?.request;
}

describe("the retention of personal data", () => {
  test("an order's request is stored for 90 days and removed after that", async () => {
    expect(await requestAfterPruning(89)).toContain("Awa Diop");
    await merchant.close();
    expect(await requestAfterPruning(91)).toBe("");
  });

  test("the retention option changes or turns off the removal of an order's request", async () => {
    expect(await requestAfterPruning(8, { days: 7 })).toBe("");
    await merchant.close();
    expect(await requestAfterPruning(91, "off")).toContain("Awa Diop");
  });
});

test("pruning that fails one day is done the next day", async () => {
  const clock = createManualClock();
  const ledger = createMemoryLedger();
  let calls = 0;
  ledger.prune = async ({ limit }) => {
    calls += 1;
    if (calls === 1) throw new Error("disk full");
    // The first batch is full, so a second batch follows.
    return { payments: calls === 2 ? limit : 3, deliveries: 0 };
  };
  const logged: string[] = [];
  const log = {
    ...silentLog,
    info: (message: string, fields = {}) => logged.push(`${message} ${JSON.stringify(fields)}`),
  };
  const scheduler = createTaskScheduler([createPruneTask(ledger, 90, clock, log)], clock, log);
  for (const waitMs of [0, 2 * 60_000, DAY_MS]) {
    await clock.advance(waitMs);
    scheduler.startDue();
    await clock.advance(1_000);
  }
  expect(logged).toEqual(['retention.pruned {"payments":503,"deliveries":0,"olderThanDays":90}']);
  await scheduler.close();
});

test("a scheduled task that fails every five seconds is logged once a minute", async () => {
  const clock = createManualClock();
  const logged: string[] = [];
  const log = { ...silentLog, error: (message: string) => logged.push(message) };
  const run = () => Promise.reject(new Error("disk full"));
  const scheduler = createTaskScheduler([{ name: "alerts", firstDelayMs: 5_000, intervalMs: 5_000, run }], clock, log);
  for (let second = 0; second < 119; second += 1) {
    scheduler.startDue();
    await clock.advance(1_000);
  }
  expect(logged).toEqual(["scheduled_task.failed", "scheduled_task.failed"]);
  await scheduler.close();
});
