import { createMemoryLedger, type Log, type Records, silentLog } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, test } from "vitest";
import { createErrands, type Errand, type ErrandEnd } from "../src/index.ts";

const SECOND = 1_000;
const SHOP = "acme.example";
/** When the manual clock begins. */
const START = createManualClock().now();

type State = { readonly step: number };

function openErrands(
  work: (errand: Errand<State>) => Promise<ErrandEnd<State>>,
  { records = createMemoryLedger().records, log = silentLog }: { records?: Records; log?: Log } = {},
) {
  const clock = createManualClock();
  return { clock, records, errands: createErrands<State>({ kind: "errand", records, clock, log, work }) };
}

const done = async ({ state }: Errand<State>): Promise<ErrandEnd<State>> => ({ say: "done", state });

describe("an errand of a platform", () => {
  test("is added once and done once, however often it is asked for", async () => {
    const seen: string[] = [];
    const { errands } = openErrands(async (errand) => {
      seen.push(errand.key);
      return await done(errand);
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => errands.add(SHOP, "refund-1", { step: 0 })));
    expect(answers.filter((answer) => answer === "added")).toHaveLength(1);
    expect(await errands.runDue()).toBe(1);
    expect(await errands.runDue()).toBe(0);
    expect(await errands.add(SHOP, "refund-1", { step: 7 })).toBe("known");
    expect(await errands.runDue()).toBe(0);
    expect(seen).toEqual(["refund-1"]);
    expect(await errands.find(SHOP, "refund-1")).toMatchObject({ state: { step: 0 }, tries: 1, dueAt: null });
  });

  test("goes on exactly when it said, with what it learned so far", async () => {
    const at: number[] = [];
    const { errands, clock } = openErrands(async ({ state }) => {
      at.push(clock.now());
      return state.step === 2
        ? { say: "done", state }
        : { say: "later", state: { step: state.step + 1 }, dueAt: clock.now() + 30 * SECOND };
    });
    const start = clock.now();
    await errands.add(SHOP, "tell", { step: 0 });
    for (let second = 0; second < 90; second += 1) {
      await errands.runDue();
      await clock.advance(SECOND);
    }
    expect(at.map((time) => (time - start) / SECOND)).toEqual([0, 30, 60]);
  });

  test("goes on at once when it said so in the very moment it fell due", async () => {
    const { errands } = openErrands(async ({ state }) =>
      state.step === 2 ? { say: "done", state } : { say: "later", state: { step: state.step + 1 }, dueAt: START },
    );
    await errands.add(SHOP, "tell", { step: 0 });
    for (let round = 0; round < 3; round += 1) await errands.runDue();
    expect(await errands.find(SHOP, "tell")).toMatchObject({ state: { step: 2 }, tries: 3, dueAt: null });
  });

  test("is done by one of several processes", async () => {
    const { records } = createMemoryLedger();
    let runs = 0;
    const count = async (errand: Errand<State>) => {
      runs += 1;
      return await done(errand);
    };
    const processes = [1, 2, 3].map(() => openErrands(count, { records }).errands);
    for (let index = 0; index < 30; index += 1) await processes[0]?.add(SHOP, `n${index}`, { step: 0 });
    await Promise.all(processes.map((errands) => errands.runDue()));
    await Promise.all(processes.map((errands) => errands.runDue()));
    expect(runs).toBe(30);
  });

  test("of a process that died while it did it is done again by another, once its time was over", async () => {
    const { records } = createMemoryLedger();
    const dying = openErrands(() => new Promise<never>(() => undefined), { records });
    await dying.errands.add(SHOP, "tell", { step: 0 });
    void dying.errands.runDue();
    await new Promise((resolve) => setImmediate(resolve));
    let runs = 0;
    const heir = openErrands(
      async (errand) => {
        runs += 1;
        return await done(errand);
      },
      { records },
    );
    await heir.errands.runDue();
    expect(runs).toBe(0);
    await heir.clock.advance(91 * SECOND);
    await heir.errands.runDue();
    await heir.errands.runDue();
    expect(runs).toBe(1);
  });

  test("that throws is tried again later and later, and says why in the log", async () => {
    const lines: string[] = [];
    const log = { ...silentLog, warn: (message: string) => lines.push(message) };
    let fails = 3;
    const { errands, clock } = openErrands(
      async (errand) => {
        fails -= 1;
        if (fails >= 0) throw new Error("The shop is asleep.");
        return await done(errand);
      },
      { log },
    );
    await errands.add(SHOP, "tell", { step: 0 });
    const times: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      if ((await errands.runDue()) > 0) times.push(second);
      await clock.advance(SECOND);
    }
    expect(times).toEqual([0, 5, 15, 35]);
    expect(lines).toEqual(["errand.failed", "errand.failed", "errand.failed"]);
  });

  test("that waits for a person is shown, and goes on when she says so", async () => {
    let helps = false;
    const { errands } = openErrands(async (errand) =>
      helps ? await done(errand) : { say: "parked", state: errand.state, why: "Install the app again." },
    );
    await errands.add(SHOP, "tell", { step: 0 });
    await errands.runDue();
    expect(await errands.parked(SHOP)).toMatchObject([{ key: "tell", why: "Install the app again." }]);
    expect(await errands.parked("another.example")).toEqual([]);
    expect(await errands.runDue()).toBe(0);
    helps = true;
    await errands.replay(SHOP, "tell");
    expect(await errands.runDue()).toBe(1);
    expect(await errands.parked(SHOP)).toEqual([]);
  });

  test("is forgotten once it was done long ago, and not before", async () => {
    const { errands, clock, records } = openErrands(done);
    await errands.add(SHOP, "old", { step: 0 });
    await errands.runDue();
    await clock.advance(60 * SECOND);
    await errands.add(SHOP, "new", { step: 0 });
    expect(await errands.forget(clock.now())).toBe(1);
    expect(await errands.find(SHOP, "old")).toBeNull();
    expect(await errands.find(SHOP, "new")).not.toBeNull();
    await errands.runDue();
    expect(await records.list({ kind: "errand-due", limit: 10 })).toEqual([]);
  });

  test("a thousand that waited for an outage to end are never more than twenty at once", async () => {
    let underWay = 0;
    let most = 0;
    const { errands } = openErrands(async (errand) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return await done(errand);
    });
    for (let index = 0; index < 1_000; index += 1) await errands.add(SHOP, `n${index}`, { step: 0 });
    let total = 0;
    while (total < 1_000) total += await errands.runDue();
    expect(total).toBe(1_000);
    expect(most).toBe(20);
  });
});
