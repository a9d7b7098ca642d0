import { expect, it } from "vitest";
import { createScheduler } from "../src/runtime/scheduler.ts";

it("runDue waits for a run that is already in progress", async () => {
  let done = false;
  let finish = () => {};
  const scheduler = createScheduler(Date.now, async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    done = true;
    return Number.POSITIVE_INFINITY;
  });
  scheduler.scheduleAt(Date.now());
  const first = scheduler.runDue();
  const second = scheduler.runDue().then(() => done);
  finish();
  await first;
  expect(await second).toBe(true);
  await scheduler.close();
});
