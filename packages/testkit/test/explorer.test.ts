import { createReadThenWriteStore, type SimulatableStore, type WrapPort } from "@tillkit/testkit";
import {
  explore,
  exploreStore,
  formatDeviations,
  parseDeviations,
  replay,
  type Scenario,
} from "@tillkit/testkit/explorer";
import { describe, expect, it } from "vitest";

const PAID_TWICE_SIGNALLED: Scenario = {
  name: "webhook-and-return",
  store: "read-then-write",
  before: [{ do: "start" }, { do: "pay" }],
  acts: [{ do: "deliver" }, { do: "return", via: 1 }],
};

describe("the search of schedules", () => {
  it("tries each order of two processes, and finds nothing in the engine", async () => {
    const { schedules, states, isComplete, found } = await explore(PAID_TWICE_SIGNALLED, {
      bound: { preemptions: 1, faults: 0 },
    });
    expect({ isComplete, found }).toEqual({ isComplete: true, found: [] });
    expect(states).toBeGreaterThan(schedules);
    expect(schedules).toBeGreaterThan(20);
  });

  it("tells what a process that dies leaves to the other one", async () => {
    const { story, violations } = await replay(PAID_TWICE_SIGNALLED, parseDeviations("1.3"));
    expect(story.some((line) => line.includes("✗ crash"))).toBe(true);
    expect(story.some((line) => line.includes("verified → recorded"))).toBe(true);
    expect(violations).toEqual([]);
  });

  it("reads the schedules that it prints, and refuses every other text", () => {
    for (const text of ["-", "3.1", "12.3,30.1"]) expect(formatDeviations(parseDeviations(text))).toBe(text);
    for (const text of ["", "3", "3.x", "3.1;4.1"]) expect(() => parseDeviations(text)).toThrow(/is no deviation/);
  });

  it("refuses a schedule that the code no longer has", async () => {
    await expect(replay(PAID_TWICE_SIGNALLED, parseDeviations("0.900"))).rejects.toThrow(/has no option 900/);
  });

  it("reports a shop whose shipments are never counted", async () => {
    expect(await exploreStore(openBlindStore, { maxMs: 0 })).toEqual([
      expect.stringContaining("No order was paid without any fault"),
    ]);
  });
});

function openBlindStore({ clock }: { readonly clock: { now(): number } }): SimulatableStore {
  const atOnce = { now: () => clock.now(), sleep: async () => {} };
  const store = createReadThenWriteStore({ clock: { ...atOnce, setTimer: () => () => {} } });
  return {
    storeId: store.storeId,
    connect: (wrap: WrapPort) => store.connect(wrap),
    placeOrder: store.placeOrder,
    probe: {
      paidBy: async ({ ref }) => store.probe.paidBy(ref.orderId),
      timesPaid: async () => 0,
      holds: async ({ ref }) => store.probe.holds(ref.orderId),
    },
  };
}
