import { type Money, money, type Receipt, type StoreAdapter } from "@tillkit/core";
import { balanceOf, type ShopOrder } from "@tillkit/testkit/shopify";
import { afterEach, describe, expect, test } from "vitest";
import { type AppWorld, GATEWAY, openAppWorld } from "./world.ts";

const worlds: AppWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

const xof = (minor: number) => money(minor, "XOF");

async function open(total: Money = xof(5_000)) {
  const world = await openAppWorld({ mode: "order" });
  worlds.push(world);
  const order = world.shop.placeOrder({ total, gateway: GATEWAY, test: true });
  return { world, order, adapter: await world.adapter() };
}

function receiptOf(order: ShopOrder, change: Partial<Receipt> = {}): Receipt {
  return {
    paymentId: "payment-1",
    ref: { storeId: "acme.myshopify.com", orderId: order.id.replace(/.*\//, "") },
    attempt: "",
    sessionId: "cs_1",
    transactionId: "txn_1",
    paid: order.total,
    total: order.total,
    environment: "test",
    fence: 1,
    ...change,
  };
}

const booked = (order: ShopOrder) =>
  order.transactions.filter(({ status }) => status === "SUCCESS").map(({ kind, amount }) => [kind, amount.minor]);
const calls = ({ shop }: AppWorld, field: string) => shop.record.callsOf(field).length;

describe("money for an order of Shopify", () => {
  test("captures the waiting sale, in the currency that the buyer saw", async () => {
    const { world, order, adapter } = await open(money(1_999, "EUR"));
    expect(await adapter.markPaid(receiptOf(order))).toEqual({ outcome: "recorded", evidence: "read-back" });
    expect(booked(order)).toEqual([["CAPTURE", 1_999]]);
    expect(balanceOf(order).outstanding.minor).toBe(0);
    expect([calls(world, "orderCreateManualPayment"), calls(world, "orderMarkAsPaid")]).toEqual([0, 0]);
  });

  test("is a manual payment where the sale cannot be captured: the order was made dearer", async () => {
    const { world, order, adapter } = await open();
    world.shop.editOrder(order.id, xof(7_000));
    expect(await adapter.markPaid(receiptOf(order))).toMatchObject({ outcome: "recorded" });
    expect(booked(order)).toEqual([["SALE", 7_000]]);
    expect(calls(world, "orderMarkAsPaid")).toBe(0);
  });

  test("is booked as it is where the owner accepted less: the rest stays owed", async () => {
    const { world, order, adapter } = await open();
    world.shop.editOrder(order.id, xof(7_000));
    await adapter.markPaid(receiptOf(order, { paid: xof(6_000) }));
    expect(booked(order)).toEqual([["SALE", 6_000]]);
    expect(balanceOf(order).outstanding.minor).toBe(1_000);
    expect(calls(world, "orderMarkAsPaid")).toBe(0);
  });

  test("books no more than what is outstanding, whatever the owner accepted", async () => {
    const { order, adapter } = await open();
    await adapter.markPaid(receiptOf(order, { paid: xof(9_000) }));
    expect(booked(order)).toEqual([["CAPTURE", 5_000]]);
  });

  test("of an order that was edited since it was judged books nothing", async () => {
    const { world, order, adapter } = await open();
    const receipt = receiptOf(order);
    world.shop.editOrder(order.id, xof(4_000));
    expect(await adapter.markPaid(receipt)).toMatchObject({ outcome: "not-payable" });
    expect(booked(order)).toEqual([]);
    expect(order.metafields.has("$app:tillkit.payment")).toBe(false);
  });

  test.each([
    ["another mode", { environment: "live" as const }, "not-payable"],
    ["another shop", { ref: { storeId: "other.myshopify.com", orderId: "5000001001" } }, "gone"],
    ["an order that is not there", { ref: { storeId: "acme.myshopify.com", orderId: "4" } }, "gone"],
  ])("for %s books nothing", async (_what, change, outcome) => {
    const { order, adapter } = await open();
    expect(await adapter.markPaid(receiptOf(order, change))).toMatchObject({ outcome });
    expect(booked(order)).toEqual([]);
  });

  test("of a process that died after it wrote the payment's id is booked by the next one", async () => {
    const { world, order, adapter } = await open();
    world.simulator.faults.add({ on: "orderCapture", reset: true });
    await expect(adapter.markPaid(receiptOf(order))).rejects.toMatchObject({ code: "unknown" });
    expect(order.metafields.get("$app:tillkit.payment")?.value).toBe("payment-1");
    expect(await adapter.findOrder(receiptOf(order).ref, "")).toMatchObject({ paidBy: null, payable: true });
    expect(await adapter.markPaid(receiptOf(order))).toMatchObject({ outcome: "recorded" });
    expect(booked(order)).toEqual([["CAPTURE", 5_000]]);
  });

  test("that Shopify books under another payment's id is another payment's", async () => {
    const { order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    expect(await adapter.markPaid(receiptOf(order, { paymentId: "payment-2" }))).toMatchObject({
      outcome: "other-payment",
    });
    expect(booked(order)).toEqual([["CAPTURE", 5_000]]);
  });
});

describe("an order of Shopify", () => {
  const found = (adapter: StoreAdapter, order: ShopOrder) => adapter.findOrder(receiptOf(order).ref, "");

  test("with another payment method is not ours to take money for", async () => {
    const { world, adapter } = await open();
    const cash = world.shop.placeOrder({ total: xof(5_000), gateway: "Cash on delivery", test: true });
    expect(await found(adapter, cash)).toMatchObject({ payable: false, paidBy: null });
  });

  test("is ours whatever the case of the method's name", async () => {
    const { world, adapter } = await open();
    const order = world.shop.placeOrder({ total: xof(5_000), gateway: " MOBILE Money", test: true });
    expect(await found(adapter, order)).toMatchObject({ payable: true });
  });

  test("that is partly paid otherwise asks for the rest", async () => {
    const { world, order, adapter } = await open();
    world.shop.payOrderOutside(order.id, xof(2_000));
    const view = await found(adapter, order);
    expect(view?.paidBy === "outside" || view?.total.minor === 3_000).toBe(true);
  });

  test("that was made dearer after it was paid stays paid by its payment", async () => {
    const { world, order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    world.shop.editOrder(order.id, xof(8_000));
    expect(await found(adapter, order)).toMatchObject({ paidBy: "payment-1", payable: false });
  });

  test("leads its buyer to its own page for every outcome", async () => {
    const { order, adapter } = await open();
    expect(await adapter.shopperUrl(receiptOf(order).ref, "", "paid")).toContain(order.checkoutToken);
  });

  test("that needs a look is tagged, and shown on the owner's page", async () => {
    const { world, order, adapter } = await open();
    const finding = { code: "total_changed", expected: "5000 XOF", found: "4000 XOF" } as const;
    await adapter.holdForReview(receiptOf(order).ref, "", finding);
    expect(order.tags).toContain("tillkit-review");
    const { text } = await world.shop.install();
    expect(text).toContain(receiptOf(order).ref.orderId);
  });
});

describe("a refund that was made at the service", () => {
  const refund = (order: ShopOrder, change: object = {}) => ({
    paymentId: "payment-1",
    refundId: "re_1",
    key: "service:re_1",
    ref: receiptOf(order).ref,
    attempt: "",
    amount: xof(2_000),
    status: "completed" as const,
    ...change,
  });

  test("is noted on the order once, and its webhook gives nothing back again", async () => {
    const { world, order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    const record = adapter.recordRefund?.bind(adapter);
    expect(await record?.(refund(order))).toMatchObject({ outcome: "recorded" });
    expect(await record?.(refund(order))).toMatchObject({ outcome: "already" });
    expect(order.refunds).toMatchObject([{ note: "Tillkit refund re_1", amount: xof(2_000) }]);
    await world.simulator.webhooks.settled();
    await world.app.work();
    expect(order.refunds).toHaveLength(1);
  });

  test("of a second payment leaves the order as it is", async () => {
    const { order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    await adapter.recordRefund?.(refund(order, { paymentId: "payment-2", key: "rule:payment-2" }));
    expect(order.refunds).toEqual([]);
  });

  test("that the owner noted in the shop by hand already is not asked of Shopify again and again", async () => {
    const { world, order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    world.shop.refundOrder(order.id, xof(4_000));
    expect(await adapter.recordRefund?.(refund(order))).toMatchObject({ outcome: "not-payable" });
    expect(order.refunds.map(({ amount }) => amount.minor)).toEqual([4_000]);
    expect(calls(world, "refundCreate")).toBe(0);
  });
});

describe("what the owner decided in the shop", () => {
  test("stands, whatever is written of a hold, a note or another payment's refund", async () => {
    const { world, order, adapter } = await open();
    world.shop.cancelOrder(order.id);
    const before = structuredClone({ ...order, tags: [], updatedAt: 0 });
    const { ref } = receiptOf(order);
    await adapter.holdForReview(ref, "", { code: "order_not_payable", expected: "an open order", found: "cancelled" });
    await adapter.addNote?.(ref, "duplicate:payment-1", "This order was paid twice.");
    const back = {
      paymentId: "payment-1",
      refundId: "re_1",
      key: "service:re_1",
      ref,
      attempt: "",
      amount: xof(5_000),
    };
    await adapter.recordRefund?.({ ...back, status: "completed" });
    await adapter.recordRefund?.({ ...back, status: "failed" });
    expect({ ...order, tags: [], updatedAt: 0 }).toEqual(before);
    expect(await adapter.markPaid(receiptOf(order))).toMatchObject({ outcome: "not-payable" });
    expect({ ...order, tags: [], updatedAt: 0 }).toEqual(before);
  });
});
