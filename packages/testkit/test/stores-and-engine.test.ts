import { money, type StoreAdapter } from "@tillkit/core";
import type { CallbackStore, WriteFault, WriteOnlyStore } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";
import { KINDS, openEngineHarness } from "./engine-harness.ts";

const ORDER_INPUT = { total: money(5_000, "XOF"), title: "Two baskets", language: "fr" } as const;
const FAULTS: readonly WriteFault[] = [
  "unavailable",
  "lost-before-effect",
  "lost-after-effect",
  "error-after-effect",
  { lateMs: 60_000 },
];

for (const kind of KINDS) {
  describe(`the engine and the ${kind} store`, () => {
    it("an order is paid once by its payment", async () => {
      const { store, service, start, confirm } = openEngineHarness(kind);
      const placed = await store.placeOrder(ORDER_INPUT);
      const payment = await start(placed);
      expect((await confirm(payment)).status).toBe("waiting");
      service.pay(payment);
      expect((await confirm(payment)).status).toBe("paid");
      expect((await confirm(payment)).status).toBe("paid");
      expect(store.probe.effects(placed.ref.orderId)).toMatchObject([
        { paymentId: payment.id, total: ORDER_INPUT.total },
      ]);
    });

    for (const fault of FAULTS) {
      const name = typeof fault === "string" ? fault : "late";
      it(`an order is paid once although the write is ${name} and the process is killed meanwhile`, async () => {
        const { store, service, clock, start, confirm, killAndRestart, run, find } = openEngineHarness(kind);
        const placed = await store.placeOrder(ORDER_INPUT);
        const payment = await start(placed);
        service.pay(payment);
        store.failNextWrite(fault);
        void confirm(payment);
        await clock.advance(1_000);
        killAndRestart();
        await run(400);
        expect((await find(payment.id)).state).toBe("recorded");
        expect(store.probe.effects(placed.ref.orderId)).toMatchObject([{ paymentId: payment.id }]);
      });
    }

    it("an order is paid once whenever the process is killed", async () => {
      const results = new Set<string>();
      for (let killAt = 0; killAt <= 2_000; killAt += 50) {
        const { store, service, clock, start, confirm, killAndRestart, run, find } = openEngineHarness(kind);
        const { ref, attempt } = await store.placeOrder(ORDER_INPUT);
        const payment = await start({ ref, attempt });
        service.pay(payment);
        store.setLatency(200);
        void confirm(payment);
        await clock.advance(killAt);
        killAndRestart();
        // No other signal comes: the jobs that the dead process left must be enough.
        await run(250);
        results.add(`${(await find(payment.id)).state}, paid ${store.probe.effects(ref.orderId).length} times`);
      }
      expect([...results]).toEqual(["recorded, paid 1 times"]);
    });

    // #region ten-signals
    it("an order is paid once when ten signals come at the same time over a slow connection", async () => {
      const { store, service, clock, start, confirm, run, find } = openEngineHarness(kind);
      const placed = await store.placeOrder(ORDER_INPUT);
      const payment = await start(placed);
      service.pay(payment);
      store.setLatency(3_000);
      const signals = Array.from({ length: 10 }, () => confirm(payment));
      await clock.advance(20_000);
      await Promise.all(signals);
      await run(60);
      expect((await find(payment.id)).state).toBe("recorded");
      expect(store.probe.effects(placed.ref.orderId)).toHaveLength(1);
    });
    // #endregion ten-signals

    it("a payment of an order that was changed meanwhile is held and does not pay the order", async () => {
      const { store, service, start, confirm, run, find } = openEngineHarness(kind);
      const placed = await store.placeOrder(ORDER_INPUT);
      const payment = await start(placed);
      await store.editTotal(placed.ref.orderId, money(9_000, "XOF"));
      service.pay(payment);
      expect((await confirm(payment)).status).toBe("held");
      await run(10);
      expect((await find(payment.id)).state).toBe("review");
      expect(await store.probe.holds(placed.ref.orderId)).toHaveLength(1);
      expect(store.probe.effects(placed.ref.orderId)).toEqual([]);
    });

    it("a payment of an order that was cancelled meanwhile is held", async () => {
      const { store, service, start, confirm, run } = openEngineHarness(kind);
      const placed = await store.placeOrder(ORDER_INPUT);
      const payment = await start(placed);
      store.cancelOrder(placed.ref.orderId);
      service.pay(payment);
      expect((await confirm(payment)).status).toBe("held");
      await run(10);
      expect(await store.probe.holds(placed.ref.orderId)).toHaveLength(1);
      expect(store.probe.effects(placed.ref.orderId)).toEqual([]);
    });

    for (const falsified of [{ wireAmount: 1 }, { currency: "USD" }, { currency: undefined }, { reference: "other" }]) {
      it(`an order is not paid when the service reports ${JSON.stringify(falsified)}`, async () => {
        const { store, service, start, confirm, run, find } = openEngineHarness(kind);
        const placed = await store.placeOrder(ORDER_INPUT);
        const payment = await start(placed);
        service.pay(payment);
        service.falsify(payment, falsified as object);
        expect((await confirm(payment)).status).toBe("held");
        await run(300);
        expect((await find(payment.id)).state).toBe("review");
        expect(store.probe.effects(placed.ref.orderId)).toEqual([]);
        expect(await store.probe.holds(placed.ref.orderId)).toHaveLength(1);
      });
    }

    it("an order with two payments is paid once, and the owner sees the second payment", async () => {
      const { store, service, clock, start, confirm, run, find } = openEngineHarness(kind);
      const placed = await store.placeOrder(ORDER_INPUT);
      const first = await start(placed);
      // The first session expires too soon to be used again, so the second start opens a new session.
      await clock.advance(55 * 60_000);
      const second = await start(placed);
      expect(second.id).not.toBe(first.id);
      for (const payment of [second, first]) service.pay(payment);
      expect((await confirm(first)).status).toBe("paid");
      expect((await confirm(second)).status).toBe("duplicate");
      await run(10);
      expect((await find(second.id)).state).toBe("duplicate");
      expect(store.probe.effects(placed.ref.orderId)).toMatchObject([{ paymentId: first.id }]);
      expect(await store.probe.notes(placed.ref.orderId)).toHaveLength(1);
    });
  });
}

describe("a late write to the read-then-write store", () => {
  it("stock is taken once when a late write takes effect within the lifetime of a request", async () => {
    expect(await timesPaid((adapter) => adapter)).toEqual([1]);
  });

  it("stock is taken twice when the next writer does not wait for the lifetime of a request", async () => {
    const impatient = (adapter: StoreAdapter): StoreAdapter => ({
      ...adapter,
      writes: { kind: "read-then-write", settleAfterMs: 20_000 },
    });
    expect(await timesPaid(impatient)).toContain(2);
  });

  /** How often stock was taken, for each moment at which the late write may take effect, without repetitions. */
  async function timesPaid(adapt: (adapter: StoreAdapter) => StoreAdapter): Promise<number[]> {
    const counts = new Set<number>();
    for (let lateMs = 16_000; lateMs <= 116_000; lateMs += 1_000) {
      const { store, service, start, confirm, killAndRestart, run } = openEngineHarness("read-then-write", adapt);
      const { ref, attempt } = await store.placeOrder(ORDER_INPUT);
      const payment = await start({ ref, attempt });
      service.pay(payment);
      store.setLatency(1_500);
      store.failNextWrite({ lateMs });
      void confirm(payment);
      await run(3);
      killAndRestart();
      await run(250);
      counts.add(store.probe.effects(ref.orderId).length);
    }
    return [...counts];
  }
});

describe("actions of the platform itself", () => {
  it("a cart becomes one order when the browser completes the cart while the webhook is processed", async () => {
    const { store, service, clock, start, confirm, run, find } = openEngineHarness("callback");
    const placed = await store.placeOrder(ORDER_INPUT);
    const payment = await start(placed);
    service.pay(payment);
    store.setLatency(1_000);
    // The platform completes the cart without the lease of our ledger.
    const completedAndConfirmed = Promise.all([
      (store as CallbackStore).completeCart(placed.ref.orderId),
      confirm(payment),
    ]);
    await clock.advance(30_000);
    await completedAndConfirmed;
    await run(30);
    expect((await find(payment.id)).state).toBe("recorded");
    expect(store.probe.effects(placed.ref.orderId)).toHaveLength(1);
  });

  it("an order that the browser completed alone is recorded", async () => {
    const { store, service, start, run, find } = openEngineHarness("callback");
    const placed = await store.placeOrder(ORDER_INPUT);
    const payment = await start(placed);
    service.pay(payment);
    expect(await (store as CallbackStore).completeCart(placed.ref.orderId)).not.toBeNull();
    await run(10);
    expect((await find(payment.id)).state).toBe("recorded");
    expect(store.probe.effects(placed.ref.orderId)).toHaveLength(1);
  });

  it("a checkout is paid once when both of its tabs were paid, and the shopper's next page is stored", async () => {
    const { store, service, start, confirm, run, find } = openEngineHarness("write-only");
    const firstTab = await store.placeOrder(ORDER_INPUT);
    const secondTab = await (store as WriteOnlyStore).openSecondTab(firstTab.ref.orderId);
    const first = await start(firstTab);
    const second = await start(secondTab);
    expect(second.id).not.toBe(first.id);
    service.pay(second);
    await confirm(second);
    service.pay(first);
    await confirm(first);
    await run(10);
    expect((await find(second.id)).state).toBe("recorded");
    const { ref, attempt } = secondTab;
    expect(await store.adapter.shopperUrl(ref, attempt, "paid")).toContain("/thank-you/");
    expect((await find(first.id)).state).toBe("duplicate");
    expect(store.probe.effects(firstTab.ref.orderId)).toMatchObject([
      { attempt: secondTab.attempt, paymentId: second.id },
    ]);
  });
});
