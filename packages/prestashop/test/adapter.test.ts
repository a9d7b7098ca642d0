import { money, type OrderRef, type Receipt, type StoreAdapter } from "@tillkit/core";
import type { DecisionReason } from "@tillkit/php-bridge";
import { describe, expect, it, onTestFinished } from "vitest";
import { arrival, KNOWN_KEYS, openModule, STORE_ID } from "./adapter-fixture.ts";

const TOTAL = money(5_000, "XOF");
const MINUTE = 60_000;

describe("an order of PrestaShop", () => {
  it("is marked paid in one call where the checkout server knows its key, and is not read before", async () => {
    const { shop, adapter, ref } = await placedOrder(KNOWN_KEYS);
    expect(await adapter.markPaid(receipt(ref))).toEqual({ outcome: "recorded", evidence: "read-back" });
    expect(shop.calls).toEqual(["mark-paid"]);
  });

  it("with the number of a known order and another key is gone: the shop was restored, or is a copy", async () => {
    const { adapter, order, ref } = await placedOrder(KNOWN_KEYS);
    order.key = "key-of-the-copy";
    expect(await adapter.findOrder(ref, "")).toBeNull();
    expect((await adapter.markPaid(receipt(ref))).outcome).toBe("gone");
    expect(order.timesPaid).toBe(0);
  });

  it("whose lock another act holds is not written, and the call is tried again", async () => {
    const { shop, adapter, clock, order, ref } = await placedOrder();
    const release = shop.holdLock(order.id);
    const busy = adapter.markPaid(receipt(ref));
    await Promise.all([
      expect(busy).rejects.toMatchObject({ code: "unavailable" }),
      arrivalOf(shop.calls, "mark-paid").then(() => clock.advance(10_000)),
    ]);
    expect(order.paymentId).toBeNull();
    release();
    expect((await adapter.markPaid(receipt(ref))).outcome).toBe("recorded");
  });

  it("is finished by the next call after a call that died with its payment claimed, with one payment row", async () => {
    const { shop, adapter, order, ref } = await placedOrder();
    shop.failNextCall("dies-after-claim");
    const paid = receipt(ref);
    await expect(adapter.markPaid(paid)).rejects.toMatchObject({ code: "unknown" });
    expect([order.paymentId, order.state]).toEqual([paid.paymentId, "waiting"]);
    expect((await adapter.markPaid({ ...receipt(ref), paymentId: "another" })).outcome).toBe("other-payment");
    expect((await adapter.markPaid({ ...paid, fence: 2, unanswered: true })).outcome).toBe("recorded");
    expect([order.rows.length, order.timesPaid, order.state]).toEqual([1, 1, "paid"]);
  });

  it("is paid by the next payment when the first, whose call died with its claim, was refunded before it was recorded", async () => {
    const { shop, adapter, order, ref } = await placedOrder();
    shop.failNextCall("dies-after-claim");
    await expect(adapter.markPaid(receipt(ref))).rejects.toMatchObject({ code: "unknown" });
    const next = { ...receipt(ref), paymentId: "another", transactionId: "tx_2", fence: 2, returned: ["4b0e"] };
    expect((await adapter.markPaid(next)).outcome).toBe("recorded");
    expect([order.paymentId, order.rows, order.timesPaid]).toEqual(["another", ["tx_2"], 1]);
  });

  it("is not written by an older process than the last writer", async () => {
    const { adapter, order, ref } = await placedOrder();
    order.fence = { value: 7, at: order.changed };
    await expect(adapter.markPaid(receipt(ref))).rejects.toMatchObject({ code: "unavailable" });
    expect(order.timesPaid).toBe(0);
    expect((await adapter.markPaid({ ...receipt(ref), fence: 8 })).outcome).toBe("recorded");
  });

  it("is paid although the clock of its shop is sixteen minutes off", async () => {
    const { shop, adapter, ref } = await placedOrder();
    shop.state.clockOffsetMs = -16 * MINUTE;
    expect((await adapter.findOrder(ref, ""))?.total).toEqual(TOTAL);
    expect((await adapter.markPaid(receipt(ref))).outcome).toBe("recorded");
  });

  it("that its owner set to paid names the person, and takes the payment that was accepted for it", async () => {
    const { adapter, order, ref } = await placedOrder();
    Object.assign(order, { hasBeenPaid: true, state: "shipped", markedBy: { by: "Employee #7", at: 1_764_000_000 } });
    const found = await adapter.findOrder(ref, "");
    expect([found?.paidBy, found?.markedPaid]).toEqual(["owner", { by: "Employee #7", at: 1_764_000_000_000 }]);
    expect((await adapter.markPaid(receipt(ref))).outcome).toBe("other-payment");
    expect((await adapter.markPaid({ ...receipt(ref), alreadyPaid: true })).outcome).toBe("recorded");
    expect([order.state, order.timesPaid]).toEqual(["shipped", 0]);
  });

  it("that was cancelled cannot be paid any more, and its state says why", async () => {
    const { adapter, order, ref } = await placedOrder();
    order.state = "cancelled";
    const why = { kind: "order_state", state: "cancelled" };
    expect(await adapter.markPaid(receipt(ref))).toEqual({ outcome: "not-payable", why });
  });

  it("shows its owner why money waits for a decision, and a duplicate that nobody refunded in time", async () => {
    const reasons: DecisionReason[] = ["held"];
    const readMoney = async () => ({ reasons, lost: [], refunded: [] });
    const { adapter, order, ref } = await placedOrder({ readMoney });
    await adapter.holdForReview(ref, "", { code: "amount_differs", expected: TOTAL, found: money(4_999, "XOF") });
    expect([order.state, order.reasons]).toEqual(["review", ["held"]]);
    reasons.unshift("duplicate");
    await adapter.addNote?.(ref, "duplicate:1", "Paid twice.");
    expect(order.reasons).toEqual(["duplicate", "held"]);
  });

  it("that lacks what the shopper did not enter is found, and its address on another site is not followed", async () => {
    const { shop, adapter, order, ref } = await placedOrder();
    expect((await adapter.findOrder(ref, ""))?.customer).toEqual({ name: "Awa Diop", phone: "+221770000000" });
    order.returnUrl = "https://another.example/thanks";
    expect(await adapter.shopperUrl(ref, "", "paid")).toBe(`${shop.url}/`);
    expect(await adapter.shopperUrl(ref, "", "cancelled")).toBe(`${shop.url}/retry`);
  });

  it("whose refund the shop refuses gets a note, and the money stays where it is", async () => {
    const { adapter, order, ref } = await placedOrder();
    const paid = receipt(ref);
    await adapter.markPaid(paid);
    order.total = money(5_000, "EUR");
    const refund = { ...paid, refundId: "re_1", key: "k1", amount: TOTAL, status: "completed" } as const;
    expect((await adapter.recordRefund?.(refund))?.outcome).toBe("not-payable");
    expect(order.notes.map(({ text }) => text)).toEqual([expect.stringContaining("PrestaShop refused to record")]);
    expect(order.attention).toBe("refund_not_recorded");
  });

  it("whose refund failed after it was shown is marked, so that its owner sees that the money did not go back", async () => {
    const { adapter, order, ref } = await placedOrder();
    await adapter.markPaid(receipt(ref));
    const refund = { ...receipt(ref), refundId: "re_1", key: "k1", amount: TOTAL, status: "failed" } as const;
    await adapter.recordRefund?.(refund);
    expect([order.attention, order.notes.length]).toEqual(["refund_failed", 1]);
  });
});

describe("the shop of PrestaShop", () => {
  it("lists its unsettled orders over several pages, and the orders of other payment modules never", async () => {
    const { shop, adapter } = await placedOrder();
    for (const _ of [1, 2, 3, 4]) shop.place({ total: TOTAL, title: "Coffee", language: "fr" });
    Object.assign(shop.orders.get("1043") ?? {}, { module: "ps_wirepayment" });
    Object.assign(shop.orders.get("1044") ?? {}, { state: "shipped", hasBeenPaid: true });
    const ids: string[] = [];
    for await (const { ref } of adapter.listUnsettled?.(0) ?? []) ids.push(ref.orderId);
    expect(ids).toEqual(["1042", "1045", "1046"]);
  });

  it("whose module is not installed refuses payments until it is", async () => {
    const { shop, adapter, ref } = await placedOrder();
    shop.state.isInstalled = false;
    await expect(adapter.assertReachable?.()).rejects.toMatchObject({ code: "reconnect" });
    await expect(adapter.markPaid(receipt(ref))).rejects.toMatchObject({ code: "reconnect" });
    shop.state.isInstalled = true;
    await adapter.assertReachable?.();
    expect((await adapter.markPaid(receipt(ref))).outcome).toBe("recorded");
  });

  it("that is configured by another host name than its own answers with a redirect, which nobody follows", async () => {
    const { shop, connect, ref } = await placedOrder();
    const misnamed = connect(shop.url.replace("127.0.0.1", "localhost"));
    await expect(misnamed.findOrder(ref, "")).rejects.toThrow("set url to the address it redirects to");
    expect(shop.calls).toEqual([]);
  });
});

async function placedOrder(options: Parameters<typeof openModule>[0] = {}) {
  const module = await openModule(options);
  onTestFinished(module.shop.close);
  const order = module.shop.place({ total: TOTAL, title: "Coffee", language: "fr" });
  const adapter: StoreAdapter = module.connect();
  return { ...module, adapter, order, ref: { storeId: STORE_ID, orderId: order.id } };
}

function receipt(ref: OrderRef): Receipt {
  const what = { paymentId: "4b0e", sessionId: "cs_1", transactionId: "tx_1", attempt: "", fence: 1 } as const;
  return { ref, ...what, paid: TOTAL, total: TOTAL, environment: "test" };
}

async function arrivalOf(calls: readonly string[], purpose: string): Promise<void> {
  while (!calls.includes(purpose)) await arrival();
  await arrival();
}
