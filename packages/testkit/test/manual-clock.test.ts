import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";

describe("the manual clock", () => {
  it("the manual clock wakes sleepers in order of time, each at its own time", async () => {
    const clock = createManualClock(1_000);
    const awakened: string[] = [];
    const sleep = async (name: string, ms: number) => {
      await clock.sleep(ms);
      awakened.push(`${name}@${clock.now()}`);
    };
    const sleepers = Promise.all([sleep("late", 30), sleep("early", 10), sleep("middle", 20), sleep("also early", 10)]);
    await clock.advance(25);
    expect(awakened).toEqual(["early@1010", "also early@1010", "middle@1020"]);
    expect(clock.now()).toBe(1_025);
    expect(clock.nextWakeAt()).toBe(1_030);
    await clock.advance(5);
    await sleepers;
    expect(awakened.at(-1)).toBe("late@1030");
    expect(clock.nextWakeAt()).toBeNull();
  });

  it("the manual clock returns whole milliseconds after a wait with a fraction", async () => {
    const clock = createManualClock(1_000);
    const wokenAt = clock.sleep(10.25).then(() => clock.now());
    await clock.advance(20);
    expect(await wokenAt).toBe(1_011);
  });

  it("the manual clock runs all work of one sleeper, also a further sleep, before the next sleeper wakes", async () => {
    const clock = createManualClock(0);
    const seen: string[] = [];
    const chain = async () => {
      for (let round = 1; round <= 3; round += 1) {
        await clock.sleep(10);
        // Work that takes many microtasks.
        for (let task = 0; task < 50; task += 1) await Promise.resolve();
        seen.push(`chain ${clock.now()}`);
      }
    };
    const other = async () => {
      await clock.sleep(25);
      seen.push(`other ${clock.now()}`);
    };
    const all = Promise.all([chain(), other()]);
    await clock.advance(100);
    await all;
    expect(seen).toEqual(["chain 10", "chain 20", "other 25", "chain 30"]);
  });

  it("the manual clock does not wake a sleeper whose wait was aborted", async () => {
    const clock = createManualClock();
    const abortController = new AbortController();
    const asleep = clock.sleep(10, abortController.signal);
    abortController.abort("enough");
    await expect(asleep).rejects.toBe("enough");
    expect(clock.nextWakeAt()).toBeNull();
    await expect(clock.sleep(10, abortController.signal)).rejects.toBe("enough");
    await expect(clock.sleep(0, abortController.signal)).rejects.toBe("enough");
  });

  it("a sleep of zero milliseconds ends without advancing the manual clock", async () => {
    const clock = createManualClock(5);
    await clock.sleep(0);
    await clock.sleep(-1);
    expect(clock.now()).toBe(5);
  });
});
