import { money, type Receipt } from "@tillkit/core";
import { createCallbackStore, createManualClock, type PlacedOrder } from "@tillkit/testkit";
import { describe, expect, it } from "vitest";

const ORDER_INPUT = { total: money(5_000, "XOF"), title: "Two baskets", language: "fr" } as const;

describe("the callback store", () => {
  it("the callback store makes an order of a cart only when we authorize its payment", async () => {
    const { store, setVerdict } = openStore("wait");
    const { ref } = await store.placeOrder(ORDER_INPUT);
    expect(await store.completeCart(ref.orderId)).toBeNull();
    store.attachPayment(ref.orderId, "payment-1");
    for (const verdict of ["wait", "expired", "mismatch", "duplicate", "refunded"] as const) {
      setVerdict(verdict);
      expect(await store.completeCart(ref.orderId)).toBeNull();
    }
    expect(store.probe.effects(ref.orderId)).toEqual([]);
    setVerdict("paid");
    const number = await store.completeCart(ref.orderId);
    expect(number).not.toBeNull();
    expect(await store.completeCart(ref.orderId)).toBe(number);
    expect(store.probe.effects(ref.orderId)).toMatchObject([{ paymentId: "payment-1", total: ORDER_INPUT.total }]);
  });

  it("the callback store makes one order when browser and webhook complete the cart at the same time", async () => {
    const { store, authorizeCalls } = openStore("paid");
    const placed = await store.placeOrder(ORDER_INPUT);
    store.attachPayment(placed.ref.orderId, "payment-1");
    const [answer] = await Promise.all([
      store.adapter.markPaid(receipt(placed, "payment-1")),
      store.completeCart(placed.ref.orderId),
      store.completeCart(placed.ref.orderId),
    ]);
    expect(["recorded", "already"]).toContain(answer.outcome);
    expect(store.probe.effects(placed.ref.orderId)).toHaveLength(1);
    expect(authorizeCalls).toEqual(["payment-1"]);
  });

  it("the callback store can be read while it holds the cart's lock and calls us", async () => {
    const clock = createManualClock();
    const ordersDuringCallback: unknown[] = [];
    const store = createCallbackStore({
      clock,
      authorize: async () => {
        ordersDuringCallback.push(await store.adapter.findOrder(placed.ref, placed.attempt));
        return { status: "paid" };
      },
    });
    const placed = await store.placeOrder(ORDER_INPUT);
    store.attachPayment(placed.ref.orderId, "payment-1");
    await store.completeCart(placed.ref.orderId);
    expect(ordersDuringCallback).toMatchObject([{ payable: true, paidBy: null }]);
  });

  it("the callback store locks a cart for 30 seconds while it waits for our answer", async () => {
    const { store, clock } = openStore("paid", 60_000);
    const { ref } = await store.placeOrder(ORDER_INPUT);
    store.attachPayment(ref.orderId, "payment-1");
    const first = store.completeCart(ref.orderId);
    const second = store.completeCart(ref.orderId);
    await clock.advance(30_000);
    expect(await second).toBeNull();
    await clock.advance(30_000);
    expect(await first).not.toBeNull();
  });

  it("the callback store makes one order even when its lock expires before our answer", async () => {
    // A lock expires after 120 seconds.
    const { store, clock, authorizeCalls } = openStore("paid", 150_000);
    const { ref } = await store.placeOrder(ORDER_INPUT);
    store.attachPayment(ref.orderId, "payment-1");
    const first = store.completeCart(ref.orderId);
    await clock.advance(119_000);
    const second = store.completeCart(ref.orderId);
    await clock.advance(200_000);
    expect(authorizeCalls).toHaveLength(2);
    expect(await second).toBe(await first);
    expect(store.probe.effects(ref.orderId)).toHaveLength(1);
  });

  it("the callback store deletes the payment session of a changed cart, so that its payment does not pay the order", async () => {
    const { store } = openStore("paid");
    const old = await store.placeOrder(ORDER_INPUT);
    const changed = await store.editTotal(old.ref.orderId, money(6_000, "XOF"));
    expect(changed.ref).toEqual(old.ref);
    expect(changed.attempt).not.toBe(old.attempt);
    expect(await store.adapter.markPaid(receipt(old, "payment-1"))).toMatchObject({ outcome: "not-payable" });
    expect((await store.adapter.findOrder(old.ref, old.attempt))?.total).toEqual(money(6_000, "XOF"));
    expect(store.probe.effects(old.ref.orderId)).toEqual([]);
    const total = money(6_000, "XOF");
    const receiptForChanged = { ...receipt(changed, "payment-2"), paid: total, total };
    expect(await store.adapter.markPaid(receiptForChanged)).toMatchObject({ outcome: "recorded" });
  });

  it("the callback store rejects a cart that was sold out during the callback", async () => {
    const { store, clock } = openStore("paid", 5_000);
    const placed = await store.placeOrder(ORDER_INPUT);
    const answer = store.adapter.markPaid(receipt(placed, "payment-1"));
    await clock.advance(1_000);
    store.sellOut(placed.ref.orderId);
    await clock.advance(4_000);
    expect(await answer).toEqual({ outcome: "not-payable", why: { kind: "sold_out" } });
    expect(store.probe.status(placed.ref.orderId)).toBe("sold_out");
  });

  it("a write to the callback store may be retried after the verdict wait, and not after the verdict mismatch", async () => {
    const { store, setVerdict } = openStore("wait");
    const placed = await store.placeOrder(ORDER_INPUT);
    await expect(store.adapter.markPaid(receipt(placed, "payment-1"))).rejects.toMatchObject({ code: "unavailable" });
    setVerdict("mismatch");
    expect(await store.adapter.markPaid(receipt(placed, "payment-1"))).toMatchObject({ outcome: "not-payable" });
  });
});

/** `answerMs`: how long we take to answer the callback. */
function openStore(firstVerdict: "paid" | "wait", answerMs = 0) {
  const clock = createManualClock();
  const authorizeCalls: string[] = [];
  let verdict: "paid" | "wait" | "expired" | "mismatch" | "duplicate" | "refunded" = firstVerdict;
  const store = createCallbackStore({
    clock,
    authorize: async (paymentId) => {
      authorizeCalls.push(paymentId);
      await clock.sleep(answerMs);
      return { status: verdict };
    },
  });
  const setVerdict = (next: typeof verdict) => {
    verdict = next;
  };
  return { clock, store, authorizeCalls, setVerdict };
}

function receipt({ ref, attempt }: PlacedOrder, paymentId: string): Receipt {
  const { total } = ORDER_INPUT;
  const session = { sessionId: "cs_1", transactionId: null, environment: "test", fence: 1 } as const;
  return { paymentId, ref, attempt, paid: total, total, ...session };
}
