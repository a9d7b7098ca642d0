import { type Log, type Records, silentLog } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, test } from "vitest";
import { createOutbox, type OutboxTask, type TaskResult } from "../src/index.ts";

const SECOND = 1_000;
const SHOP = "acme.example";
/** When the manual clock begins. */
const START = createManualClock().now();

type State = { readonly step: number };

function openOutbox(
  work: (task: OutboxTask<State>) => Promise<TaskResult<State>>,
  { records = createMemoryLedger().records, log = silentLog }: { records?: Records; log?: Log } = {},
) {
  const clock = createManualClock();
  return { clock, records, outbox: createOutbox<State>({ kind: "task", records, clock, log, run: work }) };
}

const done = async ({ state }: OutboxTask<State>): Promise<TaskResult<State>> => ({ status: "done", state });

describe("an outbox task", () => {
  test("a task that is added twenty times is stored once and done once", async () => {
    const seen: string[] = [];
    const { outbox } = openOutbox(async (task) => {
      seen.push(task.key);
      return await done(task);
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => outbox.add(SHOP, "refund-1", { step: 0 })));
    expect(answers.filter((answer) => answer === "added")).toHaveLength(1);
    expect(await outbox.runDue()).toBe(1);
    expect(await outbox.runDue()).toBe(0);
    expect(await outbox.add(SHOP, "refund-1", { step: 7 })).toBe("exists");
    expect(await outbox.runDue()).toBe(0);
    expect(seen).toEqual(["refund-1"]);
    expect(await outbox.find(SHOP, "refund-1")).toMatchObject({ state: { step: 0 }, attempts: 1, dueAt: null });
  });

  test("a task runs again at its due time with its latest state", async () => {
    const at: number[] = [];
    const { outbox, clock } = openOutbox(async ({ state }) => {
      at.push(clock.now());
      return state.step === 2
        ? { status: "done", state }
        : { status: "later", state: { step: state.step + 1 }, dueAt: clock.now() + 30 * SECOND };
    });
    const start = clock.now();
    await outbox.add(SHOP, "notify", { step: 0 });
    for (let second = 0; second < 90; second += 1) {
      await outbox.runDue();
      await clock.advance(SECOND);
    }
    expect(at.map((time) => (time - start) / SECOND)).toEqual([0, 30, 60]);
  });

  test.each([
    ["its first run", { leftBy: "addition", waitsMs: 0 }],
    ["a later run", { leftBy: "schedule", waitsMs: 30 * SECOND }],
    ["the end of a killed process's lease", { leftBy: "kill", waitsMs: 15 * SECOND }],
  ])("a task that waits for %s is not kept waiting by a clock that was weeks ahead", async (_, { leftBy, waitsMs }) => {
    const ahead = createManualClock(START + 30 * 86_400 * SECOND);
    const { records } = createMemoryLedger();
    const before = createOutbox<State>({
      ...{ kind: "task", records, clock: ahead, log: silentLog },
      run: ({ state }) =>
        leftBy === "kill"
          ? new Promise(() => undefined)
          : Promise.resolve({ status: "later", state, dueAt: ahead.now() + 30 * SECOND }),
    });
    await before.add(SHOP, "refund-1", { step: 0 });
    if (leftBy !== "addition") void before.runDue();
    await ahead.advance(0);
    const { outbox, clock } = openOutbox(done, { records });
    expect(await outbox.runDue()).toBe(0);
    await clock.advance(Math.max(0, waitsMs - 1));
    expect(await outbox.runDue()).toBe(waitsMs === 0 ? 1 : 0);
    await clock.advance(1);
    expect(await outbox.runDue()).toBe(waitsMs === 0 ? 0 : 1);
  });

  test("a task is not kept waiting by the clock of this process after it was set back", async () => {
    let aheadMs = 80 * 3_600 * SECOND;
    const { clock, records } = openOutbox(done);
    const outbox = createOutbox<State>({
      ...{ kind: "task", records, log: silentLog },
      clock: { ...clock, now: () => clock.now() + aheadMs },
      run: async ({ state, attempts }) =>
        attempts === 1
          ? { status: "later", state, dueAt: clock.now() + aheadMs + 30 * SECOND }
          : { status: "done", state },
    });
    await outbox.add(SHOP, "refund-1", { step: 0 });
    expect(await outbox.runDue()).toBe(1);
    aheadMs = 0;
    expect(await outbox.runDue()).toBe(0);
    await clock.advance(30 * SECOND);
    expect(await outbox.runDue()).toBe(1);
  });

  test("a task that is due again at the same moment runs in the next round", async () => {
    const { outbox } = openOutbox(async ({ state }) =>
      state.step === 2 ? { status: "done", state } : { status: "later", state: { step: state.step + 1 }, dueAt: START },
    );
    await outbox.add(SHOP, "notify", { step: 0 });
    for (let round = 0; round < 3; round += 1) await outbox.runDue();
    expect(await outbox.find(SHOP, "notify")).toMatchObject({ state: { step: 2 }, attempts: 3, dueAt: null });
  });

  test("each task runs in one of several processes", async () => {
    const { records } = createMemoryLedger();
    let runs = 0;
    const count = async (task: OutboxTask<State>) => {
      runs += 1;
      return await done(task);
    };
    const processes = [1, 2, 3].map(() => openOutbox(count, { records }).outbox);
    for (let index = 0; index < 30; index += 1) await processes[0]?.add(SHOP, `n${index}`, { step: 0 });
    await Promise.all(processes.map((outbox) => outbox.runDue()));
    await Promise.all(processes.map((outbox) => outbox.runDue()));
    expect(runs).toBe(30);
  });

  test("another process runs the task of a dead process once its lease is over", async () => {
    const { records } = createMemoryLedger();
    // The task of this process never ends.
    const dying = openOutbox(() => new Promise<never>(() => undefined), { records });
    await dying.outbox.add(SHOP, "notify", { step: 0 });
    void dying.outbox.runDue();
    await new Promise((resolve) => setImmediate(resolve));
    let runs = 0;
    const successor = openOutbox(
      async (task) => {
        runs += 1;
        return await done(task);
      },
      { records },
    );
    await successor.outbox.runDue();
    expect(runs).toBe(0);
    const longerThanLease = 91 * SECOND;
    await successor.clock.advance(longerThanLease);
    await successor.outbox.runDue();
    await successor.outbox.runDue();
    expect(runs).toBe(1);
  });

  test("a task that takes longer than its lease runs in one process, and its state is stored at the end", async () => {
    const { records } = createMemoryLedger();
    const slow = openOutbox(
      async ({ state }) => {
        await slow.clock.sleep(60 * SECOND);
        return { status: "done", state: { step: state.step + 1 } };
      },
      { records },
    );
    let runs = 0;
    const other = openOutbox(
      async (task) => {
        runs += 1;
        return await done(task);
      },
      { records },
    );
    await slow.outbox.add(SHOP, "notify", { step: 0 });
    const running = slow.outbox.runDue();
    for (let second = 0; second < 60; second += 1) {
      await slow.clock.advance(SECOND);
      await other.clock.advance(SECOND);
      await other.outbox.runDue();
    }
    await running;
    expect(runs).toBe(0);
    expect(await slow.outbox.find(SHOP, "notify")).toMatchObject({ state: { step: 1 }, attempts: 1, dueAt: null });
    expect(await records.list({ kind: "task-due", limit: 10 })).toEqual([]);
  });

  test("a task that throws is tried again with growing delays, and each failure is logged", async () => {
    const lines: string[] = [];
    const log = { ...silentLog, warn: (message: string) => lines.push(message) };
    let failuresLeft = 3;
    const { outbox, clock } = openOutbox(
      async (task) => {
        failuresLeft -= 1;
        if (failuresLeft >= 0) throw new Error("The shop is asleep.");
        return await done(task);
      },
      { log },
    );
    await outbox.add(SHOP, "notify", { step: 0 });
    const times: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      if ((await outbox.runDue()) > 0) times.push(second);
      await clock.advance(SECOND);
    }
    expect(times).toEqual([0, 5, 15, 35]);
    expect(lines).toEqual(["outbox.task_failed", "outbox.task_failed", "outbox.task_failed"]);
  });

  test("a dead task is listed and runs again when a person retries it", async () => {
    let isInstalled = false;
    const { outbox } = openOutbox(async (task) =>
      isInstalled ? await done(task) : { status: "dead", state: task.state, reason: "Install the app again." },
    );
    await outbox.add(SHOP, "notify", { step: 0 });
    await outbox.runDue();
    expect(await outbox.listDead(SHOP)).toMatchObject([{ key: "notify", reason: "Install the app again." }]);
    expect(await outbox.listDead("another.example")).toEqual([]);
    expect(await outbox.runDue()).toBe(0);
    isInstalled = true;
    await outbox.retryDead(SHOP, "notify");
    expect(await outbox.runDue()).toBe(1);
    expect(await outbox.listDead(SHOP)).toEqual([]);
  });

  test("only tasks that were done before the given time are removed", async () => {
    const { outbox, clock, records } = openOutbox(done);
    await outbox.add(SHOP, "old", { step: 0 });
    await outbox.runDue();
    await clock.advance(60 * SECOND);
    await outbox.add(SHOP, "new", { step: 0 });
    expect(await outbox.removeDone(clock.now())).toBe(1);
    expect(await outbox.find(SHOP, "old")).toBeNull();
    expect(await outbox.find(SHOP, "new")).not.toBeNull();
    await outbox.runDue();
    expect(await records.list({ kind: "task-due", limit: 10 })).toEqual([]);
  });

  test("of a thousand tasks no more than twenty run at once", async () => {
    let underWay = 0;
    let most = 0;
    const { outbox } = openOutbox(async (task) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return await done(task);
    });
    for (let index = 0; index < 1_000; index += 1) await outbox.add(SHOP, `n${index}`, { step: 0 });
    let total = 0;
    while (total < 1_000) total += await outbox.runDue();
    expect(total).toBe(1_000);
    expect(most).toBe(20);
  });
});
