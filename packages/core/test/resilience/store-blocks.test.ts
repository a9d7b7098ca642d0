import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";
import { createMemoryLedger } from "../../src/memory.ts";
import { createStoreBlocks, type StoreBlocks } from "../../src/resilience/store-blocks.ts";
import { listStoreBlocks } from "../../src/resilience/stored-blocks.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function openBlocks() {
  const clock = createManualClock(Date.UTC(2026, 2, 1, 10));
  const ledger = createMemoryLedger();
  const log: string[] = [];
  const write = (message: string) => void log.push(message);
  const host = { clock, log: { info: write, warn: write, error: write } };
  const startProcess = (records?: typeof ledger.records) => createStoreBlocks(records, host);
  const list = (endedSince = 0) => listStoreBlocks(ledger.records, { now: clock.now(), endedSince });
  return { clock, records: ledger.records, log, list, startProcess };
}

/** Refuses each probe for this time. @returns the waits between the probes, in seconds */
async function refuseFor(blocks: StoreBlocks, { clock }: ReturnType<typeof openBlocks>, ms: number): Promise<number[]> {
  const waits: number[] = [];
  const end = clock.now() + ms;
  for (let last = clock.now(); clock.now() < end; ) {
    const answer = await blocks.ask("shop", "read", "p1");
    if (answer === "call") throw new Error("The store is not known to refuse us.");
    if (answer === "probe") {
      waits.push((clock.now() - last) / SECOND);
      last = clock.now();
      await blocks.refused("shop", "read");
    } else await clock.advance(Math.max(1, answer.askAgainAt - clock.now()));
  }
  return waits;
}

describe("a store that refuses us", () => {
  it("a store that refuses us is probed every 20 seconds for twelve minutes, then after a tenth of the time, at most a quarter of an hour", async () => {
    const world = openBlocks();
    const blocks = world.startProcess(world.records);
    await blocks.refused("shop", "read");
    const waits = await refuseFor(blocks, world, 24 * HOUR);
    expect(waits.slice(0, 37)).toEqual(Array(37).fill(20));
    expect(waits[37]).toBe(74);
    expect(Math.max(...waits)).toBe(900);
    expect(waits.at(-1)).toBe(900);
  });

  it("a refusal, or a probe, that a process noted whose clock was a month ahead keeps nobody from trying the store", async () => {
    const world = openBlocks();
    const clock = createManualClock(world.clock.now() + 30 * 24 * HOUR);
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const ahead = createStoreBlocks(world.records, { clock, log });
    await ahead.refused("shop", "read");
    const blocks = world.startProcess(world.records);
    expect(await blocks.ask("shop", "read", "p1")).toBe("probe");
    await ahead.refused("shop", "read");
    await clock.advance(20 * SECOND);
    // It dies in its probe.
    expect(await ahead.ask("shop", "read", "p2")).toBe("probe");
    expect(await world.startProcess(world.records).ask("shop", "read", "p1")).toBe("probe");
  });

  it("one payment at a time probes the store for all processes, and the others ask again a second later", async () => {
    const world = openBlocks();
    const [first, second] = [world.startProcess(world.records), world.startProcess(world.records)];
    await first.refused("shop", "read");
    await world.clock.advance(20 * SECOND);
    const asks = [first, second].flatMap((blocks) => ["p1", "p2"].map((id) => blocks.ask("shop", "read", id)));
    const answers = await Promise.all(asks);
    expect(answers.filter((answer) => answer === "probe")).toHaveLength(1);
    const others = answers.filter((answer) => answer !== "probe");
    expect(others).toEqual(Array(3).fill({ askAgainAt: world.clock.now() + SECOND, isProbed: true }));
  });

  it("the payment that probes makes its other calls without asking, until one of them is refused", async () => {
    const world = openBlocks();
    const blocks = world.startProcess(world.records);
    await blocks.refused("shop", "read");
    await blocks.refused("shop", "pay");
    await world.clock.advance(20 * SECOND);
    expect(await blocks.ask("shop", "read", "p1")).toBe("probe");
    expect(await blocks.ask("shop", "pay", "p1")).toBe("call");
    await blocks.refused("shop", "pay");
    expect(await blocks.ask("shop", "pay", "p1")).toMatchObject({ askAgainAt: expect.any(Number) });
  });

  it("a process that dies during its probe holds the others back for 20 seconds at most", async () => {
    const world = openBlocks();
    const dying = world.startProcess(world.records);
    await dying.refused("shop", "read");
    await world.clock.advance(20 * SECOND);
    expect(await dying.ask("shop", "read", "p1")).toBe("probe");
    const survivor = world.startProcess(world.records);
    expect(await survivor.ask("shop", "read", "p2")).not.toBe("probe");
    await world.clock.advance(20 * SECOND);
    expect(await survivor.ask("shop", "read", "p2")).toBe("probe");
  });

  it("a process that starts during a block knows it before its first call", async () => {
    const world = openBlocks();
    await world.startProcess(world.records).refused("shop", "read");
    const started = world.startProcess(world.records);
    expect(await started.ask("shop", "read", "p1")).toMatchObject({ askAgainAt: expect.any(Number) });
    expect(started.isKnown("shop")).toBe(true);
    expect(await started.ask("another shop", "read", "p1")).toBe("call");
  });

  it("a store that refuses what is written besides payments takes payments", async () => {
    const world = openBlocks();
    const blocks = world.startProcess(world.records);
    await blocks.refused("shop", "write");
    expect(await blocks.ask("shop", "read", "p1")).toBe("call");
    expect(await blocks.ask("shop", "pay", "p1")).toBe("call");
    expect(await blocks.ask("shop", "write", "p1")).not.toBe("call");
  });

  it("after three hours a sign of life leads to a probe within 45 seconds, and many signs to one probe in five seconds", async () => {
    const world = openBlocks();
    const blocks = world.startProcess(world.records);
    await blocks.refused("shop", "read");
    await refuseFor(blocks, world, 3 * HOUR);
    const waiting = await blocks.ask("shop", "read", "p1");
    const another = world.startProcess(world.records);
    await world.clock.advance(5 * SECOND);
    await another.gaveSign("shop");
    expect(waiting).toMatchObject({ askAgainAt: expect.any(Number) });
    if (typeof waiting === "string") throw new Error("Nobody waits.");
    await world.clock.advance(waiting.askAgainAt - world.clock.now());
    expect(await blocks.ask("shop", "read", "p1")).toBe("probe");
    await blocks.refused("shop", "read");
    await blocks.gaveSign("shop");
    expect(await blocks.ask("shop", "read", "p1")).toEqual({
      askAgainAt: world.clock.now() + 5 * SECOND,
      isProbed: false,
    });
  });

  it("the block ends with the first answer, which brings the probe of what is still refused", async () => {
    const world = openBlocks();
    const blocks = world.startProcess(world.records);
    await blocks.refused("shop", "read");
    await refuseFor(blocks, world, HOUR);
    await blocks.refused("shop", "pay");
    await world.clock.advance(6 * SECOND);
    await blocks.answered("shop", "read");
    expect(await blocks.ask("shop", "pay", "p1")).toBe("probe");
    await blocks.answered("shop", "pay");
    expect(await blocks.ask("shop", "pay", "p2")).toBe("call");
    expect(blocks.isKnown("shop")).toBe(false);
    expect(world.log).toEqual(["store.refuses", "store.answers_again"]);
  });

  it("a block is listed while it lasts and after its end, and not once nobody has tried the store for an hour", async () => {
    const world = openBlocks();
    const blocks = world.startProcess(world.records);
    const since = world.clock.now();
    await blocks.refused("shop", "read");
    await blocks.refused("forgotten", "read");
    await blocks.refused("left", "read");
    await blocks.forget("left");
    expect((await world.list()).map(({ storeId }) => storeId)).toEqual(["forgotten", "shop"]);
    await refuseFor(blocks, world, 2 * HOUR);
    expect(await world.list()).toMatchObject([{ storeId: "shop", since, endedAt: null }]);
    await blocks.answered("shop", "read");
    expect(await world.list()).toMatchObject([{ storeId: "shop", since, endedAt: world.clock.now() }]);
    expect(await world.list(world.clock.now())).toEqual([]);
  });

  it("a clock that was hours ahead when the store refused us delays the next probe by a quarter of an hour at most", async () => {
    const world = openBlocks();
    const ahead = createManualClock(world.clock.now() + 5 * HOUR);
    const silent = { info() {}, warn() {}, error() {} };
    await createStoreBlocks(world.records, { clock: ahead, log: silent }).refused("shop", "read");
    const blocks = world.startProcess(world.records);
    await refuseFor(blocks, world, 16 * MINUTE);
    expect((await world.list())[0]?.refusals.read?.at).toBeGreaterThan(world.clock.now() - 2 * MINUTE);
  });

  it("without records the processes probe by themselves, and the block ends as well", async () => {
    const world = openBlocks();
    const blocks = world.startProcess();
    await blocks.refused("shop", "read");
    await world.clock.advance(20 * SECOND);
    expect(await blocks.ask("shop", "read", "p1")).toBe("probe");
    await blocks.answered("shop", "read");
    expect(await blocks.ask("shop", "read", "p2")).toBe("call");
  });
});
