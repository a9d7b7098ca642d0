import type { Payment, Refund } from "@tillkit/core";
import type { Sandbox } from "@tillkit/sandbox";
import type { CheckoutServer } from "@tillkit/server";
import type { ManualClock } from "@tillkit/testkit";
import { waitForLoopback } from "../../waiting/loopback.ts";
import type { OpenStore } from "./test-stores.ts";

/** The first seconds advance in small steps, because most happens then. */
const SMALL_STEP_MS = 500;
const SMALL_STEPS_UNTIL_MS = 30_000;
const STEP_MS = 2_000;
/** The step within hours is shorter than a call's time limit, so that calls get their answers. A day of outage needs no answers. */
const HOUR_STEP_MS = 10_000;
const DAY_STEP_MS = 60 * 60_000;
const DAY_MS = 24 * 3_600_000;

/** A shop, the checkout server and the service on one clock. */
export type MatrixFixture = {
  readonly clock: ManualClock;
  readonly sandbox: Sandbox;
  readonly server: CheckoutServer;
  readonly store: Awaited<ReturnType<OpenStore>>;
  find(paymentId: string): Promise<Payment | null>;
  refunds(paymentId: string): Promise<readonly Refund[]>;
};

/** Advances the time until the check succeeds. Returns false if it does not succeed within `ms`. */
export async function advanceUntil(
  fixture: MatrixFixture,
  ms: number,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const start = fixture.clock.now();
  for (let passed = 0; passed < ms; passed = fixture.clock.now() - start) {
    if (await check()) return true;
    await advance(fixture, passed < SMALL_STEPS_UNTIL_MS ? SMALL_STEP_MS : STEP_MS);
  }
  return await check();
}

/** Advances the time by hours. */
export async function advanceHours(fixture: MatrixFixture, ms: number): Promise<void> {
  const step = ms < DAY_MS ? HOUR_STEP_MS : DAY_STEP_MS;
  for (let passed = 0; passed < ms; passed += step) await advance(fixture, step);
}

/** Advances the time until the work is done. */
export async function advanceWhile<Answer>(fixture: MatrixFixture, work: Promise<Answer>): Promise<Answer> {
  let isDone = false;
  const settled = work.finally(() => {
    isDone = true;
  });
  settled.catch(() => undefined);
  while (!isDone) await advance(fixture, SMALL_STEP_MS);
  return await settled;
}

async function advance({ clock, sandbox }: MatrixFixture, ms: number): Promise<void> {
  await clock.advance(ms);
  // The sandbox uses the same clock; advancing it by 0 makes it perform what is due.
  await sandbox.control.advanceClock(0);
  await waitForLoopback();
}
