import { type Clock, money } from "@tillkit/core";
import { createReadThenWriteStore, type SimulatableStore, type WrapPort } from "@tillkit/testkit";
import { type CheckoutHarness, createCheckoutHarness } from "@tillkit/testkit/checkout-harness";
import { runSimulation, simulate } from "@tillkit/testkit/simulator";
import { afterEach, describe, expect, it } from "vitest";

const ORDER_INPUT = { total: money(5_000, "XOF"), title: "Two baskets", language: "en" } as const;

/** A store as its author would open it, whose REST API waits for real time. */
function openOwnStore({ clock }: { readonly clock: Clock }): SimulatableStore & { readonly requests: () => number } {
  // A request must not wait for the simulated clock, so the shop's own deadlines never end.
  const sleep = (ms: number) => (ms > 0 ? new Promise<void>(() => {}) : Promise.resolve());
  const shop = createReadThenWriteStore({ clock: { now: () => clock.now(), sleep } });
  let requests = 0;
  const inRealTime: WrapPort = (port) => {
    const methods = Object.entries(port).map(([name, method]) => [
      name,
      async (...given: unknown[]) => {
        requests += 1;
        await new Promise((resolve) => setImmediate(resolve));
        return await method(...given);
      },
    ]);
    return Object.fromEntries(methods);
  };
  return {
    storeId: shop.storeId,
    requests: () => requests,
    connect: (wrap) =>
      shop.connect((port) =>
        wrap(inRealTime(port), { reads: ["getOrder", "listUnpaid", "listNotes", "listRefunds"] as never }),
      ),
    placeOrder: shop.placeOrder,
    editTotal: (placed, total) => shop.editTotal(placed.ref.orderId, total),
    makeUnpayable: async ({ ref }) => shop.cancelOrder(ref.orderId),
    probe: {
      paidBy: async ({ ref }) => shop.probe.paidBy(ref.orderId),
      timesPaid: async ({ ref }) => shop.probe.effects(ref.orderId).length,
      holds: ({ ref }) => shop.probe.holds(ref.orderId),
      notes: ({ ref }) => shop.probe.notes(ref.orderId),
    },
  };
}

const openHarnesses: CheckoutHarness<SimulatableStore>[] = [];
afterEach(async () => {
  for (const harness of openHarnesses.splice(0)) await harness.close();
});

describe("a store that the author of an adapter supplies", () => {
  it("an order of an author's own store is paid over HTTP, after its process was killed", async () => {
    const harness = await createCheckoutHarness({ store: openOwnStore });
    openHarnesses.push(harness);
    const placed = await harness.store.placeOrder(ORDER_INPUT);
    const { id, session } = await harness.startCheckout(placed);
    harness.killAndRestart();
    await harness.sandbox.control.paySession(session?.id ?? "", { method: "card", outcome: "completed" });
    await harness.runUntil(async () => (await harness.payment(id)).state === "recorded");
    expect(await harness.store.probe.paidBy(placed)).toBe(id);
    expect(await harness.store.probe.timesPaid(placed)).toBe(1);
    expect(harness.store.requests()).toBeGreaterThan(0);
  });

  it("histories of faults violate no invariant in an author's own store", async () => {
    expect(await simulate(openOwnStore, { seeds: 30 })).toEqual([]);
  });

  it("the same seed gives the same history, although the shop answers in real time", async () => {
    const run = async () => (await runSimulation({ seed: 4, store: openOwnStore })).history();
    const first = await run();
    expect(first.length).toBeGreaterThan(5);
    expect(await run()).toEqual(first);
  });

  it("a shop that waits for the simulated clock ends the simulation with the reason", async () => {
    const waiting = ({ clock }: { readonly clock: Clock }): SimulatableStore => {
      const store = openOwnStore({ clock });
      return { ...store, placeOrder: async (input) => clock.sleep(1_000).then(() => store.placeOrder(input)) };
    };
    await expect(simulate(waiting, { seeds: 1 })).rejects.toThrow("waits for the simulated clock");
  });
});
