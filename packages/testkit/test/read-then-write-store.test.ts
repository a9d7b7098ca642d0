import { money, type Receipt } from "@tillkit/core";
import { createManualClock, createReadThenWriteStore, type PlacedOrder } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";

const ORDER_INPUT = { total: money(5_000, "XOF"), title: "Two baskets", language: "fr" } as const;

describe("the read-then-write store", () => {
  it("the read-then-write store takes stock twice when two writes arrive at the same time", async () => {
    const { store } = openStore();
    const { ref } = await store.placeOrder(ORDER_INPUT);
    await Promise.all(
      ["payment-1", "payment-2"].map((transaction_id) =>
        store.rest.putOrder(ref.orderId, { set_paid: true, transaction_id }),
      ),
    );
    expect(store.probe.effects(ref.orderId)).toHaveLength(2);
  });

  it("the read-then-write store overwrites the transaction of a paid order without taking stock again", async () => {
    const { store } = openStore();
    const { ref } = await store.placeOrder(ORDER_INPUT);
    for (const transaction_id of ["payment-1", "payment-2"]) {
      await store.rest.putOrder(ref.orderId, { set_paid: true, transaction_id });
    }
    expect(store.probe.effects(ref.orderId)).toHaveLength(1);
    expect(store.probe.paidBy(ref.orderId)).toBe("payment-2");
  });

  it("the read-then-write store answers 200 and does nothing for a payment of an order on hold, cancelled or in the trash", async () => {
    const { store } = openStore();
    const { ref } = await store.placeOrder(ORDER_INPUT);
    for (const status of ["on-hold", "cancelled", "trash"] as const) {
      await store.rest.putOrder(ref.orderId, { status });
      const answer = await store.rest.putOrder(ref.orderId, { set_paid: true, transaction_id: "payment-1" });
      expect(answer).toMatchObject({ status, date_paid: null, transaction_id: "" });
    }
    expect(store.probe.effects(ref.orderId)).toEqual([]);
  });

  it("the read-then-write store returns totals as decimal strings with two decimals in every currency", async () => {
    const { store } = openStore();
    const francs = await store.placeOrder(ORDER_INPUT);
    const dollars = await store.placeOrder({ ...ORDER_INPUT, total: money(1_990, "USD") });
    expect(await store.rest.getOrder(francs.ref.orderId)).toMatchObject({ total: "5000.00", currency: "XOF" });
    expect(await store.rest.getOrder(dollars.ref.orderId)).toMatchObject({ total: "19.90", currency: "USD" });
  });

  it("the adapter rejects an amount that is not exact in its currency", async () => {
    const { store } = openStore();
    const { ref } = await store.placeOrder(ORDER_INPUT);
    store.editOrder(ref.orderId, { total: "5000.50" });
    await expect(store.adapter.findOrder(ref, "")).rejects.toMatchObject({ code: "amount_invalid" });
    store.editOrder(ref.orderId, { total: "50.00", currency: "GBP" });
    await expect(store.adapter.findOrder(ref, "")).rejects.toMatchObject({ code: "currency_not_supported" });
  });

  it("the read-then-write store takes stock twice when a write is repeated while an earlier write is in flight", async () => {
    const { store, clock } = openStore();
    const placed = await store.placeOrder(ORDER_INPUT);
    store.failNextWrite({ lateMs: 40_000 });
    const first = store.adapter.markPaid(receipt(placed));
    const firstIsUnanswered = expect(first).rejects.toMatchObject({ code: "unknown" });
    // The second write starts just before the first write takes effect, and finds the order unpaid.
    await clock.advance(39_985);
    await firstIsUnanswered;
    store.setLatency(10);
    const second = store.adapter.markPaid(receipt(placed));
    await clock.advance(100);
    await second;
    expect(store.probe.effects(placed.ref.orderId)).toHaveLength(2);
  });

  it("the read-then-write store performs a write that it answers with 500", async () => {
    const { store } = openStore();
    const placed = await store.placeOrder(ORDER_INPUT);
    store.failNextWrite("error-after-effect");
    await expect(store.adapter.markPaid(receipt(placed))).rejects.toMatchObject({ code: "unknown" });
    expect(store.probe.effects(placed.ref.orderId)).toHaveLength(1);
    expect(await store.adapter.markPaid(receipt(placed))).toMatchObject({ outcome: "already" });
  });

  it("the adapter pays an order that was held for review, and never an order in the trash", async () => {
    const { store } = openStore();
    const held = await store.placeOrder(ORDER_INPUT);
    await store.adapter.holdForReview(held.ref, "", {
      code: "amount_differs",
      expected: { minor: 5_000, currency: "XOF" },
      found: { minor: 4_000, currency: "XOF" },
    });
    expect(store.probe.status(held.ref.orderId)).toBe("on-hold");
    expect(await store.adapter.markPaid(receipt(held))).toMatchObject({ outcome: "recorded" });
    const trashed = await store.placeOrder(ORDER_INPUT);
    store.trash(trashed.ref.orderId);
    expect(await store.adapter.markPaid(receipt(trashed))).toMatchObject({ outcome: "not-payable" });
  });
});

function openStore() {
  const clock = createManualClock();
  return { clock, store: createReadThenWriteStore({ clock }) };
}

function receipt({ ref, attempt }: PlacedOrder): Receipt {
  return {
    paymentId: "payment-1",
    ref,
    attempt,
    sessionId: "cs_1",
    transactionId: null,
    paid: ORDER_INPUT.total,
    total: ORDER_INPUT.total,
    environment: "test",
    fence: 1,
  };
}
