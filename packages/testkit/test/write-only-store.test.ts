import { money, type Receipt } from "@tillkit/core";
import { createMemoryLedger } from "@tillkit/core/memory";
import { createManualClock, createWriteOnlyStore, type PlacedOrder } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";

const ORDER_INPUT = { total: money(1_999, "USD"), title: "Two baskets", language: "fr" } as const;
const DAY_MS = 86_400_000;

describe("the write-only store", () => {
  it("the write-only store returns the shopper's next page only once", async () => {
    const { store } = openStore();
    const placed = await store.placeOrder(ORDER_INPUT);
    const first = await store.adapter.markPaid(receipt(placed));
    expect(first).toMatchObject({ outcome: "recorded", evidence: "acknowledged" });
    expect(await store.adapter.markPaid(receipt(placed))).toEqual({ outcome: "already", evidence: "acknowledged" });
    expect(await store.adapter.shopperUrl(placed.ref, placed.attempt, "paid")).toContain("/thank-you/");
  });

  it("the write-only store pays one tab of a group and refuses the other tab, although the first answer was lost", async () => {
    const { store } = openStore();
    const first = await store.placeOrder(ORDER_INPUT);
    const second = await store.openSecondTab(first.ref.orderId);
    store.failNextWrite("lost-after-effect");
    await expect(store.adapter.markPaid(receipt(first))).rejects.toMatchObject({ code: "unknown" });
    expect(await store.adapter.markPaid(receipt(second, "payment-2"))).toMatchObject({ outcome: "other-payment" });
    expect(await store.adapter.markPaid(receipt(first))).toMatchObject({ outcome: "already" });
    expect(store.probe.effects(first.ref.orderId)).toMatchObject([{ paymentId: "payment-1" }]);
    expect(await store.mutations.resolve(second.attempt, "payment-2")).toEqual({ userError: "GROUP_RESOLVED" });
  });

  it("the adapter of the write-only store distinguishes two payments of one session, but the shop does not", async () => {
    const { store } = openStore();
    const placed = await store.placeOrder(ORDER_INPUT);
    await store.adapter.markPaid(receipt(placed));
    expect(await store.mutations.resolve(placed.attempt, "payment-2")).toMatchObject({ state: "RESOLVED" });
    expect(await store.adapter.markPaid(receipt(placed, "payment-2"))).toMatchObject({ outcome: "other-payment" });
    expect(store.probe.paidBy(placed.ref.orderId)).toBe("payment-1");
  });

  it("another payment can pay the order after the write-only store refused the first payment", async () => {
    const { store } = openStore();
    const old = await store.placeOrder(ORDER_INPUT);
    const changed = await store.editTotal(old.ref.orderId, money(2_999, "USD"));
    expect(await store.adapter.markPaid(receipt(old))).toMatchObject({ outcome: "not-payable" });
    expect((await store.adapter.findOrder(old.ref, old.attempt))?.payable).toBe(false);
    expect(await store.adapter.markPaid(receipt(changed, "payment-2"))).toMatchObject({ outcome: "recorded" });
    expect(store.probe.effects(old.ref.orderId)).toMatchObject([
      { attempt: changed.attempt, total: money(2_999, "USD") },
    ]);
  });

  it("another payment can pay the order after the store was down, but not while an earlier request may take effect", async () => {
    const { store } = openStore();
    const [idle, busy] = [await store.placeOrder(ORDER_INPUT), await store.placeOrder(ORDER_INPUT)];
    store.failNextWrite("unavailable");
    await expect(store.adapter.markPaid(receipt(idle))).rejects.toMatchObject({ code: "unavailable" });
    expect(await store.adapter.markPaid(receipt(idle, "payment-2"))).toMatchObject({ outcome: "recorded" });

    store.failNextWrite("lost-before-effect");
    await expect(store.adapter.markPaid(receipt(busy))).rejects.toMatchObject({ code: "unknown" });
    store.failNextWrite("unavailable");
    await expect(store.adapter.markPaid(receipt(busy))).rejects.toMatchObject({ code: "unavailable" });
    expect(await store.adapter.markPaid(receipt(busy, "payment-2"))).toMatchObject({ outcome: "other-payment" });
  });

  it("a pending payment of the write-only store fails when its time expires", async () => {
    const { store, clock } = openStore();
    const placed = await store.placeOrder(ORDER_INPUT);
    await store.adapter.markPending?.(placed.ref, placed.attempt, clock.now() + DAY_MS);
    expect(store.probe.status(placed.ref.orderId)).toBe("pending");
    await clock.advance(DAY_MS);
    expect(await store.adapter.markPaid(receipt(placed))).toMatchObject({ outcome: "not-payable" });
    expect(store.probe.effects(placed.ref.orderId)).toEqual([]);
  });

  it("the write-only store finds an attempt only together with its own group", async () => {
    const { store } = openStore();
    const [one, other] = [await store.placeOrder(ORDER_INPUT), await store.placeOrder(ORDER_INPUT)];
    expect(await store.adapter.findOrder(one.ref, other.attempt)).toBeNull();
    expect(await store.adapter.markPaid(receipt({ ref: one.ref, attempt: other.attempt }))).toMatchObject({
      outcome: "gone",
    });
  });
});

function openStore() {
  const clock = createManualClock();
  return { clock, store: createWriteOnlyStore({ clock, records: createMemoryLedger().records }) };
}

function receipt({ ref, attempt }: PlacedOrder, paymentId = "payment-1"): Receipt {
  const { total } = ORDER_INPUT;
  const session = { sessionId: "cs_1", transactionId: null, environment: "test", fence: 1 } as const;
  return { paymentId, ref, attempt, paid: total, total, ...session };
}
