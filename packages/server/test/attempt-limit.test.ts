import { createManualClock } from "@tillkit/testkit";
import { expect, test } from "vitest";
import { createAttemptLimit } from "../src/http/attempt-limit.ts";

test("the addresses of one IPv6 network of 64 bits have their attempts together", () => {
  const attempts = createAttemptLimit(createManualClock(0), { maxAttempts: 2, windowMs: 1_000 });
  attempts.record("2001:db8:0:7::1");
  attempts.record("2001:db8:0:7:ffff:ffff:ffff:fffe");
  expect(attempts.isAllowed("2001:db8:0:7:1234::9")).toBe(false);
  expect(attempts.isAllowed("2001:db8:0:8::1")).toBe(true);
  expect(attempts.isAllowed("2001:db8::7")).toBe(true);
});

test("an address may try again in the next window, and other addresses are not affected", async () => {
  const clock = createManualClock(0);
  const attempts = createAttemptLimit(clock, { maxAttempts: 1, windowMs: 1_000 });
  attempts.record("::ffff:198.51.100.7");
  expect([attempts.isAllowed("::ffff:198.51.100.7"), attempts.isAllowed("::ffff:198.51.100.8")]).toEqual([false, true]);
  await clock.advance(1_000);
  expect(attempts.isAllowed("::ffff:198.51.100.7")).toBe(true);
});
