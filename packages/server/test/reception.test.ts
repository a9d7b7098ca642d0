import { createManualClock } from "@tillkit/testkit";
import { expect, test } from "vitest";
import { hostLimits } from "../src/limits.ts";
import { createReception } from "../src/webhooks/reception.ts";

/** A delivery that is being taken in until it is let go. */
function delivery() {
  let letGo = () => {};
  const kept = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { take: () => kept, letGo: () => letGo() };
}

async function quietness(quiet: Promise<void>): Promise<boolean> {
  let reached = false;
  void quiet.then(() => {
    reached = true;
  });
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return reached;
}

test("work goes on at once while nobody delivers anything", async () => {
  expect(await quietness(createReception(createManualClock()).quiet())).toBe(true);
});

test("work waits for the last of the deliveries that are being taken in", async () => {
  const reception = createReception(createManualClock());
  const [first, second] = [delivery(), delivery()];
  const taken = [reception.during(first.take), reception.during(second.take)];
  const quiet = reception.quiet();
  first.letGo();
  expect(await quietness(quiet)).toBe(false);
  second.letGo();
  expect(await quietness(quiet)).toBe(true);
  await Promise.all(taken);
});

test("work is not kept waiting for ever by a flood", async () => {
  const clock = createManualClock();
  const reception = createReception(clock);
  const flood = delivery();
  void reception.during(flood.take);
  const quiet = reception.quiet();
  expect(await quietness(quiet)).toBe(false);
  await clock.advance(hostLimits.workWaitsMs);
  expect(await quietness(quiet)).toBe(true);
});

test("a delivery that could not be kept is no longer waited for", async () => {
  const reception = createReception(createManualClock());
  await expect(reception.during(() => Promise.reject(new Error("disk full")))).rejects.toThrow("disk full");
  expect(await quietness(reception.quiet())).toBe(true);
});
