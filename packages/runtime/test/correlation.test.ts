import { expect, test } from "vitest";
import { createCorrelation } from "../src/index.ts";

test("two servers of one process keep their own ids while one runs inside a request of the other", async () => {
  const [outer, inner] = [createCorrelation(), createCorrelation()];
  await outer.run({ request: "r1" }, async () => {
    await inner.run({ round: "t1" }, async () => {
      await Promise.resolve();
      expect(outer.current()).toEqual({ request: "r1" });
      expect(inner.current()).toEqual({ round: "t1" });
    });
    expect(outer.run({ paymentId: "p1" }, outer.current)).toEqual({ request: "r1", paymentId: "p1" });
    expect(inner.current()).toEqual({});
  });
  expect(outer.current()).toEqual({});
});

test("three hundred servers that a process opened before do not slow it down tenfold", async () => {
  const first = createCorrelation();
  const before = await first.run({}, cpuOfTurns);
  for (let server = 0; server < 300; server += 1) createCorrelation().run({ request: "r1" }, () => {});
  const after = await first.run({}, cpuOfTurns);
  expect(after).toBeLessThan(10 * before);
});

/** The lowest processor time of ten thousand turns of the event loop, in microseconds; a run that is interrupted takes longer. */
async function cpuOfTurns(): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const start = process.cpuUsage();
    for (let turn = 0; turn < 10_000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const { user, system } = process.cpuUsage(start);
    times.push(user + system);
  }
  return Math.min(...times);
}
