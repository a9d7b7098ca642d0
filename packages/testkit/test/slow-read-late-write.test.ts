import { money } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { openEngineHarness } from "./engine-harness.ts";

const ORDER_INPUT = { total: money(5_000, "XOF"), title: "Two baskets", language: "fr" } as const;

describe("a read-then-write store with slow reads and a very late write", () => {
  it.each([1_000, 3_000, 4_500])(
    "stock is taken once after a crash when reads took %i ms and the last write took effect at the end of its lifetime",
    async (slowMs) => {
      // A write of this store takes effect within 120 seconds.
      for (let lateMs = 115_000; lateMs < 120_000; lateMs += 200) {
        const { store, service, start, confirm, killAndRestart, run, clock } = openEngineHarness("read-then-write");
        const placed = await store.placeOrder(ORDER_INPUT);
        const payment = await start(placed);
        service.pay(payment);
        store.setLatency(slowMs);
        store.failNextWrite({ lateMs });
        void confirm(payment);
        // Time for the reads before the write, so that the write is in flight when the process dies.
        await clock.advance(2 * slowMs + 100);
        store.setLatency(500);
        killAndRestart();
        await run(200);
        expect(store.probe.effects(placed.ref.orderId)).toHaveLength(1);
      }
    },
  );
});
