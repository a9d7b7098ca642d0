import { type Money, money, type Receipt, type StoreAdapter } from "@tillkit/core";
import { balanceOf, type ShopOrder } from "@tillkit/shopify-simulator";
import { afterEach, describe, expect, test } from "vitest";
import { type AppFixture, GATEWAY, openAppFixture } from "./app-fixture.ts";

const fixtures: AppFixture[] = [];
afterEach(async () => {
  await Promise.all(fixtures.splice(0).map((fixture) => fixture.close()));
});

const xof = (minor: number) => money(minor, "XOF");

async function open(total: Money = xof(5_000)) {
  const fixture = await openAppFixture({ mode: "order" });
  fixtures.push(fixture);
  const order = fixture.shop.placeOrder({ total, gateway: GATEWAY, test: true });
  return { fixture, order, adapter: await fixture.adapter() };
}

/** The receipt of a payment of the order's total; `change` replaces some of its fields. */
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

/** The kind and the amount of each payment on the order: `["CAPTURE", 1999]`. */
const recordedPayments = (order: ShopOrder) =>
  order.transactions.filter(({ status }) => status === "SUCCESS").map(({ kind, amount }) => [kind, amount.minor]);
const timesCalled = ({ shop }: AppFixture, field: string) => shop.record.callsOf(field).length;

describe("recording a payment on an order", () => {
  test("a payment captures the pending sale in the currency that the shopper saw", async () => {
    const { fixture, order, adapter } = await open(money(1_999, "EUR"));
    expect(await adapter.markPaid(receiptOf(order))).toEqual({ outcome: "recorded", evidence: "read-back" });
    expect(recordedPayments(order)).toEqual([["CAPTURE", 1_999]]);
    expect(balanceOf(order).outstanding.minor).toBe(0);
    expect([timesCalled(fixture, "orderCreateManualPayment"), timesCalled(fixture, "orderMarkAsPaid")]).toEqual([0, 0]);
  });

  test("a payment becomes a manual payment where the sale cannot be captured because the order became more expensive", async () => {
    const { fixture, order, adapter } = await open();
    fixture.shop.editOrder(order.id, xof(7_000));
    expect(await adapter.markPaid(receiptOf(order))).toMatchObject({ outcome: "recorded" });
    expect(recordedPayments(order)).toEqual([["SALE", 7_000]]);
    expect(timesCalled(fixture, "orderMarkAsPaid")).toBe(0);
  });

  test("a smaller payment that the owner accepted is recorded as it is, and the rest stays outstanding", async () => {
    const { fixture, order, adapter } = await open();
    fixture.shop.editOrder(order.id, xof(7_000));
    await adapter.markPaid(receiptOf(order, { paid: xof(6_000) }));
    expect(recordedPayments(order)).toEqual([["SALE", 6_000]]);
    expect(balanceOf(order).outstanding.minor).toBe(1_000);
    expect(timesCalled(fixture, "orderMarkAsPaid")).toBe(0);
  });

  test("a larger payment that the owner accepted records only the outstanding amount", async () => {
    const { order, adapter } = await open();
    await adapter.markPaid(receiptOf(order, { paid: xof(9_000) }));
    expect(recordedPayments(order)).toEqual([["CAPTURE", 5_000]]);
  });

  test("a payment of an order that was edited after its verification records nothing", async () => {
    const { fixture, order, adapter } = await open();
    const receipt = receiptOf(order);
    fixture.shop.editOrder(order.id, xof(4_000));
    expect(await adapter.markPaid(receipt)).toMatchObject({ outcome: "not-payable" });
    expect(recordedPayments(order)).toEqual([]);
    expect(order.metafields.has("$app:tillkit.payment")).toBe(false);
  });

  test.each([
    ["an order of another mode", { environment: "live" as const }, "not-payable"],
    ["an order of another shop", { ref: { storeId: "other.myshopify.com", orderId: "5000001001" } }, "gone"],
    ["an order that does not exist", { ref: { storeId: "acme.myshopify.com", orderId: "4" } }, "gone"],
  ])("a payment for %s records nothing", async (_orderDescription, change, outcome) => {
    const { order, adapter } = await open();
    expect(await adapter.markPaid(receiptOf(order, change))).toMatchObject({ outcome });
    expect(recordedPayments(order)).toEqual([]);
  });

  test("a payment whose id was written before its capture failed is recorded by the next attempt", async () => {
    const { fixture, order, adapter } = await open();
    fixture.simulator.faults.add({ on: "orderCapture", reset: true });
    await expect(adapter.markPaid(receiptOf(order))).rejects.toMatchObject({ code: "unknown" });
    expect(order.metafields.get("$app:tillkit.payment")?.value).toBe("payment-1");
    expect(await adapter.findOrder(receiptOf(order).ref, "")).toMatchObject({ paidBy: null, payable: true });
    expect(await adapter.markPaid(receiptOf(order))).toMatchObject({ outcome: "recorded" });
    expect(recordedPayments(order)).toEqual([["CAPTURE", 5_000]]);
  });

  test("the order names how the shopper paid, in the language of the shop and without a call of its own", async () => {
    const { fixture, order, adapter } = await open();
    await adapter.markPaid(receiptOf(order, { provider: "WAVE" }));
    expect(order.metafields.get("$app:tillkit.paid_with")?.value).toBe("Wave");
    expect(timesCalled(fixture, "metafieldsSet")).toBe(1);
    const other = await open();
    await other.adapter.markPaid(receiptOf(other.order));
    expect(other.order.metafields.has("$app:tillkit.paid_with")).toBe(false);
  });

  test("an order that shows another payment's id refuses a second payment", async () => {
    const { order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    expect(await adapter.markPaid(receiptOf(order, { paymentId: "payment-2" }))).toMatchObject({
      outcome: "other-payment",
    });
    expect(recordedPayments(order)).toEqual([["CAPTURE", 5_000]]);
  });
});

describe("reading an order", () => {
  const readOrder = (adapter: StoreAdapter, order: ShopOrder) => adapter.findOrder(receiptOf(order).ref, "");

  test("an order with another payment method is not payable", async () => {
    const { fixture, adapter } = await open();
    const cash = fixture.shop.placeOrder({ total: xof(5_000), gateway: "Cash on delivery", test: true });
    expect(await readOrder(adapter, cash)).toMatchObject({ payable: false, paidBy: null });
  });

  test("an order is payable whatever the case of the payment method's name", async () => {
    const { fixture, adapter } = await open();
    const order = fixture.shop.placeOrder({ total: xof(5_000), gateway: " MOBILE Money", test: true });
    expect(await readOrder(adapter, order)).toMatchObject({ payable: true });
  });

  test("an order that was partly paid outside counts as paid outside or asks for the rest", async () => {
    const { fixture, order, adapter } = await open();
    fixture.shop.payOrderOutside(order.id, xof(2_000));
    const found = await readOrder(adapter, order);
    expect(found?.paidBy === "outside" || found?.total.minor === 3_000).toBe(true);
  });

  test("an order that became more expensive after its payment stays paid by that payment", async () => {
    const { fixture, order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    fixture.shop.editOrder(order.id, xof(8_000));
    expect(await readOrder(adapter, order)).toMatchObject({ paidBy: "payment-1", payable: false });
  });

  test("a shopper who has paid is sent to the order's status page", async () => {
    const { order, adapter } = await open();
    expect(await adapter.shopperUrl(receiptOf(order).ref, "", "paid")).toContain(order.checkoutToken);
  });

  test("an order with a held payment is tagged and shown on the settings page", async () => {
    const { fixture, order, adapter } = await open();
    const finding = {
      code: "total_changed",
      expected: { minor: 5_000, currency: "XOF" },
      found: { minor: 4_000, currency: "XOF" },
    } as const;
    await adapter.holdForReview(receiptOf(order).ref, "", finding);
    expect(order.tags).toContain("tillkit-review");
    const { text } = await fixture.shop.install();
    expect(text).toContain(receiptOf(order).ref.orderId);
  });
});

describe("refunds made at the service", () => {
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

  test("a refund made at the service is recorded on the order once, and its webhook pays nothing again", async () => {
    const { fixture, order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    const record = adapter.recordRefund?.bind(adapter);
    expect(await record?.(refund(order))).toMatchObject({ outcome: "recorded" });
    expect(await record?.(refund(order))).toMatchObject({ outcome: "already" });
    expect(order.refunds).toMatchObject([{ note: "Tillkit refund re_1", amount: xof(2_000) }]);
    await fixture.simulator.webhooks.settled();
    await fixture.app.runDue();
    expect(order.refunds).toHaveLength(1);
  });

  test("a refund that a person confirmed before the service named it is not recorded again once its id is known", async () => {
    const { fixture, order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    const ours = { key: "tillkit:payment-1:1" };
    expect(await adapter.recordRefund?.(refund(order, { ...ours, refundId: "" }))).toMatchObject({
      outcome: "recorded",
    });
    // Shopify forgets an idempotency key after a day.
    await fixture.clock.advance(48 * 3_600_000);
    expect(await adapter.recordRefund?.(refund(order, { ...ours, refundId: "re_9" }))).toMatchObject({
      outcome: "already",
    });
    expect(order.refunds).toMatchObject([{ note: "Tillkit refund tillkit:payment-1:1", amount: xof(2_000) }]);
  });

  test("a refund of a duplicate payment does not change the order", async () => {
    const { order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    await adapter.recordRefund?.(refund(order, { paymentId: "payment-2", key: "rule:payment-2" }));
    expect(order.refunds).toEqual([]);
  });

  test("a refund that the owner recorded by hand is not sent to Shopify again", async () => {
    const { fixture, order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    fixture.shop.refundOrder(order.id, xof(4_000));
    expect(await adapter.recordRefund?.(refund(order))).toMatchObject({ outcome: "not-payable" });
    expect(order.refunds.map(({ amount }) => amount.minor)).toEqual([4_000]);
    expect(timesCalled(fixture, "refundCreate")).toBe(0);
  });
});

describe("a refund of more than the order shows", () => {
  test("the owner reads that a refund of more than the order ever showed is not recorded on it, and why", async () => {
    const { fixture, order, adapter } = await open();
    await adapter.markPaid(receiptOf(order, { paid: xof(6_000) }));
    const { ref, paymentId } = receiptOf(order);
    const refund = { paymentId, refundId: "re_1", key: "service:re_1", ref, attempt: "", amount: xof(6_000) };
    const answer = await adapter.recordRefund?.({ ...refund, status: "completed" });
    expect(answer).toEqual({ outcome: "not-payable", why: { kind: "refused_by_platform", code: null } });
    expect(order.refunds).toEqual([]);
    const { text } = await fixture.shop.install();
    expect(text).toMatch(/6.000.F.CFA was refunded\. On this order Shopify can record only 5.000.F.CFA more/);
  });

  test("an order that shows all its money as refunded asks its owner for nothing", async () => {
    const { fixture, order, adapter } = await open();
    await adapter.markPaid(receiptOf(order));
    fixture.shop.refundOrder(order.id, xof(5_000));
    const { ref, paymentId } = receiptOf(order);
    const refund = { paymentId, refundId: "re_1", key: "service:re_1", ref, attempt: "", amount: xof(5_000) };
    const answer = await adapter.recordRefund?.({ ...refund, status: "completed" });
    expect(answer).toEqual({ outcome: "not-payable", why: { kind: "refunded_already" } });
    expect((await fixture.shop.install()).text).not.toContain("can record only");
  });
});

describe("the owner's decision", () => {
  test("an order that the owner cancelled is not changed by a hold, a note or a refund of another payment", async () => {
    const { fixture, order, adapter } = await open();
    fixture.shop.cancelOrder(order.id);
    // A hold may add a tag, which also changes `updatedAt`.
    const withoutTags = () => structuredClone({ ...order, tags: [], updatedAt: 0 });
    const before = withoutTags();
    const { ref } = receiptOf(order);
    await adapter.holdForReview(ref, "", { code: "order_not_payable", why: null });
    await adapter.addNote?.(ref, "duplicate:payment-1", "This order was paid twice.");
    const refund = {
      paymentId: "payment-1",
      refundId: "re_1",
      key: "service:re_1",
      ref,
      attempt: "",
      amount: xof(5_000),
    };
    await adapter.recordRefund?.({ ...refund, status: "completed" });
    await adapter.recordRefund?.({ ...refund, status: "failed" });
    expect(withoutTags()).toEqual(before);
    expect(await adapter.markPaid(receiptOf(order))).toMatchObject({ outcome: "not-payable" });
    expect(withoutTags()).toEqual(before);
  });
});
