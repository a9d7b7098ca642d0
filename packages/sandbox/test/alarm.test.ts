import { expect, it } from "vitest";
import { createAlarm } from "../src/service/alarm.ts";

it("Whoever asks while due work is under way waits until it is done", async () => {
  let done = false;
  let finish = () => {};
  const alarm = createAlarm(Date.now, async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    done = true;
    return Number.POSITIVE_INFINITY;
  });
  alarm.expect(Date.now());
  const first = alarm.catchUp();
  const second = alarm.catchUp().then(() => done);
  finish();
  await first;
  expect(await second).toBe(true);
  await alarm.close();
});
