import { createManualClock } from "@tillkit/testkit";
import { expect, test } from "vitest";
import { runtimeLimits } from "../src/limits.ts";
import { createDeliveryPriority } from "../src/timer/work-timer.ts";

/** A delivery that is under way until `finish` is called. */
function createDelivery() {
  let finish = () => {};
  const received = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { receive: () => received, finish: () => finish() };
}

async function isOver(waiting: Promise<void>): Promise<boolean> {
  let isResolved = false;
  void waiting.then(() => {
    isResolved = true;
  });
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return isResolved;
}

test("jobs start at once while no delivery is under way", async () => {
  expect(await isOver(createDeliveryPriority(createManualClock()).yieldToDeliveries())).toBe(true);
});

test("jobs wait for the last of the deliveries under way", async () => {
  const priority = createDeliveryPriority(createManualClock());
  const [first, second] = [createDelivery(), createDelivery()];
  const deliveries = [priority.receive(first.receive), priority.receive(second.receive)];
  const waiting = priority.yieldToDeliveries();
  first.finish();
  expect(await isOver(waiting)).toBe(false);
  second.finish();
  expect(await isOver(waiting)).toBe(true);
  await Promise.all(deliveries);
});

test("a flood of deliveries delays jobs by no more than the limit", async () => {
  const clock = createManualClock();
  const priority = createDeliveryPriority(clock);
  const flood = createDelivery();
  void priority.receive(flood.receive);
  const waiting = priority.yieldToDeliveries();
  expect(await isOver(waiting)).toBe(false);
  await clock.advance(runtimeLimits.deliveryPriorityMs);
  expect(await isOver(waiting)).toBe(true);
});

test("jobs do not wait for a delivery that failed", async () => {
  const priority = createDeliveryPriority(createManualClock());
  await expect(priority.receive(() => Promise.reject(new Error("disk full")))).rejects.toThrow("disk full");
  expect(await isOver(priority.yieldToDeliveries())).toBe(true);
});
