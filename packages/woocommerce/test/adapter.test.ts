import { type OrderRef, type Receipt, type StoreAdapter, systemClock } from "@tillkit/core";
import { createFakeWooCommerce } from "@tillkit/woocommerce/fake";
import nock from "nock";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ToldRefund } from "../src/adapter/record-refund.ts";
import { createWooShop, type WooShopOptions } from "../src/adapter/woo-shop.ts";
import { createWooCommerceAdapter } from "../src/adapter/woocommerce-adapter.ts";

const STORE_ID = "boutique";
const TOTAL = { minor: 5_000, currency: "XOF" } as const;
const RECEIPT: Omit<Receipt, "ref"> = {
  paymentId: "4b0e9a52-6a0e-4f6e-9d6b-0c8f4f0f9b11",
  attempt: "",
  sessionId: "cs_01",
  transactionId: "tx_01",
  paid: TOTAL,
  total: TOTAL,
  environment: "test",
  fence: 1,
};
const REFUND: Omit<ToldRefund, "ref"> = {
  paymentId: RECEIPT.paymentId,
  key: "refund-key",
  refundId: "rf_01",
  attempt: "",
  amount: { minor: 100, currency: "XOF" },
  status: "completed",
};

describe("what the hosted page calls an order", () => {
  it.each([
    ["Panier", "fr", "Commande 1042 · Panier"],
    ["Bread &amp; butter &#8211; 500&nbsp;g", "en", "Order 1042 · Bread & butter – 500\u00a0g"],
    ["", "en", "Order 1042"],
  ])("its number and what is in it: %s", async (itemName, language, title) => {
    const { fake, adapter } = await openShop();
    const { id } = fake.shop.placeOrder({ total: "5000", itemName, meta: { _tillkit_language: language } });
    expect(await adapter.findOrder(refOf(id), "")).toMatchObject({ title, language });
  });

  it("the shop's own language, where the order does not say", async () => {
    const { fake, adapter } = await openShop({ language: "en" });
    const { id } = fake.shop.placeOrder({ total: "5000", meta: { _tillkit_language: "de" } });
    expect(await adapter.findOrder(refOf(id), "")).toMatchObject({ language: "en" });
  });
});

describe("an order in money that the service cannot take", () => {
  it.each([
    ["5000.50", "XOF", "amount_invalid"],
    ["10.00", "GBP", "currency_not_supported"],
    ["-10.00", "XOF", "amount_invalid"],
  ])("%s %s is %s, and never rounded", async (total, currency, code) => {
    const { fake, adapter } = await openShop();
    const { id } = fake.shop.placeOrder({ total, currency });
    await expect(adapter.findOrder(refOf(id), "")).rejects.toMatchObject({ code });
  });
});

describe("an owner who wants a note only", () => {
  it("gets one, and the order stays as it was", async () => {
    const { fake, adapter } = await openShop({ onMismatch: "note" });
    const { id } = fake.shop.placeOrder({ total: "5000" });
    await adapter.holdForReview(refOf(id), "", { code: "total_changed", expected: "5000 XOF", found: "6000 XOF" });
    expect(fake.shop.order(id)?.status).toBe("pending");
    expect(fake.shop.notes(id)).toHaveLength(1);
  });
});

describe("an order whose shopper acted", () => {
  it("is kept from being cancelled for want of payment, until the money can no longer come", async () => {
    const { fake, adapter } = await openShop();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    await adapter.markPending?.(refOf(id), "", 1_764_000_000_999);
    expect(fake.shop.order(id)?.meta._tillkit_open_until).toBe("1764000000");
  });
});

describe("orders that nobody paid", () => {
  it("are found on every page, the newest first, without those of other payment methods", async () => {
    const { fake, adapter } = await openShop();
    const ours = Array.from({ length: 230 }, () => fake.shop.placeOrder({ total: "1" }).id);
    fake.shop.placeOrder({ total: "1", paymentMethod: "bacs", status: "on-hold" });
    fake.shop.placeOrder({ total: "1", status: "processing" });
    const listed: string[] = [];
    for await (const { ref } of adapter.listUnsettled?.(Date.now() - 60_000) ?? []) listed.push(ref.orderId);
    expect(listed).toEqual(ours.map(String).reverse());
  });
});

describe("an order that is deleted while our word about it is on its way", () => {
  it.each<[string, (adapter: StoreAdapter, ref: OrderRef) => Promise<unknown> | undefined]>([
    ["is not marked paid", (adapter, ref) => adapter.markPaid({ ...RECEIPT, ref })],
    ["is not refunded", (adapter, ref) => adapter.recordRefund?.({ ...REFUND, ref })],
  ])("%s: it is gone, which is no reason to try again", async (what, tell) => {
    const { fake, adapter } = await openShop({ settleBy: "rest" });
    const { id } = fake.shop.placeOrder({ total: "5000", meta: { _tillkit_payment_id: RECEIPT.paymentId } });
    if (what === "is not refunded") fake.shop.edit(id, { status: "processing" });
    fake.faults.failNextWrite({ lateMs: 100 });
    const told = tell(adapter, refOf(id));
    await vi.waitFor(() => expect(fake.faults.held).toBe(1), { interval: 5 });
    fake.shop.remove(id);
    expect(await told).toMatchObject({ outcome: "gone" });
  });

  it("is not noted, and nobody is told of a failure", async () => {
    const { fake, adapter } = await openShop();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    fake.faults.failNextWrite({ lateMs: 100 });
    const told = adapter.addNote?.(refOf(id), "key", "Look.");
    await vi.waitFor(() => expect(fake.faults.held).toBe(1), { interval: 5 });
    fake.shop.remove(id);
    await expect(told).resolves.toBeUndefined();
  });
});

describe("a refund that was made in the service's dashboard", () => {
  it("is found among a great many others, and not recorded twice", async () => {
    const { fake, adapter } = await openShop();
    const { id } = fake.shop.placeOrder({ total: "5000", meta: { _tillkit_payment_id: RECEIPT.paymentId } });
    fake.shop.edit(id, { status: "processing" });
    const refund = { ...REFUND, ref: refOf(id) };
    expect(await adapter.recordRefund?.(refund)).toMatchObject({ outcome: "recorded" });
    for (let more = 0; more < 12; more += 1) fake.shop.addRefund(id, { amount: "1.00", reason: "", meta: {} });
    expect(await adapter.recordRefund?.(refund)).toMatchObject({ outcome: "already" });
    expect(fake.shop.refunds(id)).toHaveLength(13);
  });
});

describe("a cache in front of the shop", () => {
  it("that answers with somebody else's order is not believed", async () => {
    const { fake, adapter } = await openShop();
    const other = { id: 7, order_key: "k", status: "pending", currency: "XOF", total: "1", date_paid_gmt: null };
    nock(fake.url)
      .get(/orders\/1042/)
      .reply(200, { ...other, payment_method: "tillkit" });
    onTestFinished(() => nock.cleanAll());
    await expect(adapter.findOrder(refOf(1_042), "")).rejects.toMatchObject({ code: "unavailable" });
  });
});

async function openShop(more: Partial<WooShopOptions> = {}) {
  const fake = await createFakeWooCommerce();
  onTestFinished(fake.close);
  const options = { ...fake, storeId: STORE_ID, linkSecret: "a link secret of the tests", clock: systemClock };
  return { fake, adapter: createWooCommerceAdapter(createWooShop({ ...options, environment: "test", ...more })) };
}

function refOf(id: number) {
  return { storeId: STORE_ID, orderId: String(id) };
}
