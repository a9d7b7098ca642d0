import { type OrderRef, type Receipt, type RefundToRecord, type StoreAdapter, systemClock } from "@tillkit/core";
import { createFakeWooCommerce } from "@tillkit/fake-woocommerce";
import { describe, expect, it, onTestFinished } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { createWooCommerceAdapter } from "../src/adapter/woocommerce-adapter.ts";
import { toOrder } from "../src/store/to-order.ts";
import { readWooOrder } from "../src/store/woo-order.ts";
import { createWooStore, type WooStoreOptions } from "../src/store/woo-store.ts";

const LINK_SECRET = "a link secret of the tests";

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
const REFUND: Omit<RefundToRecord, "ref"> = {
  paymentId: RECEIPT.paymentId,
  key: "refund-key",
  refundId: "rf_01",
  attempt: "",
  amount: { minor: 100, currency: "XOF" },
  status: "completed",
};

const REST_ORDER = {
  id: 1042,
  order_key: "wc_order_AbC123",
  status: "pending",
  currency: "XOF",
  total: "5000",
  date_paid_gmt: null,
  payment_method: "tillkit",
};

describe("what paid an order", () => {
  const paid = { ...REST_ORDER, status: "processing", date_paid_gmt: "2026-11-23T09:00:00" };
  const meta_data = [{ key: "_tillkit_payment_id", value: "payment-1" }];
  const paidBy = (order: object) =>
    toOrder(readWooOrder({ ...paid, ...order }, "1042"), refOf(1042), { environment: "test", language: "fr" }).paidBy;

  it.each(["tillkit", "tillkit_card", "tillkit_mobile_money"])(
    "an order with our payment under the method %s is paid by this payment",
    (payment_method) => {
      expect(paidBy({ payment_method, meta_data })).toBe("payment-1");
    },
  );

  it.each(["bacs", "tillkit_other"])(
    "an order under the method %s was paid outside, although it has our payment",
    (payment_method) => {
      expect(paidBy({ payment_method, meta_data })).toBe("outside");
    },
  );
});

describe("an order with the meta of another order", () => {
  it.each([
    ["pending", null, true],
    ["processing", "owner", false],
  ])(
    "a renewal that is %s and carries date, payment and transaction of its parent is not paid by that payment",
    async (status, payer, payable) => {
      const { fake, adapter } = await openShop();
      const meta = { _tillkit_payment_id: "parent-payment", _tillkit_payment_order: "1" };
      const { id } = fake.shop.placeOrder({ total: "5000", meta });
      fake.shop.edit(id, { status, datePaid: Date.UTC(2026, 0, 6), transactionId: "parent-transaction" });
      expect(await adapter.findOrder(refOf(id), "")).toMatchObject({ paidBy: payer, payable });
    },
  );
});

describe("what the hosted page gets", () => {
  it.each([
    ["Panier", "fr", "Commande 1042 · Panier"],
    ["Bread &amp; butter &#8211; 500&nbsp;g", "en", "Order 1042 · Bread & butter – 500\u00a0g"],
    ["Th&eacute; <em>vert</em><br>1&nbsp;kg", "fr", "Commande 1042 · Thé vert 1\u00a0kg"],
    ["", "en", "Order 1042"],
  ])("the hosted page shows the order number and the product names: %s", async (itemName, language, title) => {
    const { fake, adapter } = await openShop();
    const { id } = fake.shop.placeOrder({ total: "5000", itemName, meta: { _tillkit_language: language } });
    expect(await adapter.findOrder(refOf(id), "")).toMatchObject({ title, language });
  });

  it("the hosted page gets the number of the order, its items and what the shopper entered at the checkout", async () => {
    const { fake, adapter } = await openShop();
    const { id } = fake.shop.placeOrder({ total: "5000", itemName: "Café &amp; thé" });
    expect(await adapter.findOrder(refOf(id), "")).toMatchObject({
      number: String(id),
      description: "1 × Café & thé",
      customer: { name: "Awa Diop", email: "awa.diop@example.com", phone: "+221771234567" },
    });
  });

  it.each([
    [
      { first_name: null, last_name: "Diop", email: "", phone: 7 },
      { name: "Diop", email: "", phone: "" },
    ],
    ["none", {}],
    [undefined, {}],
  ])("an order is read although its billing address is %j", (billing, customer) => {
    const order = readWooOrder({ ...REST_ORDER, billing }, "1042");
    expect(toOrder(order, refOf(1042), { environment: "test", language: "fr" }).customer).toEqual(customer);
  });

  it.each([
    ["77 123 45 67", "SN", "+221771234567"],
    ["07 12 34 56 78", "CI", "+2250712345678"],
    ["221771234567", "SN", "+221771234567"],
    ["00221 77 123 45 67", "SN", "+221771234567"],
    ["+33 6 12 34 56 78", "SN", "+33 6 12 34 56 78"],
    ["06 12 34 56 78", "FR", "06 12 34 56 78"],
    ["77 123", "SN", "77 123"],
    ["", "SN", ""],
  ])("the phone number %s of a shopper in %s fills the hosted page as %s", (phone, country, shown) => {
    const order = readWooOrder({ ...REST_ORDER, billing: { phone, country } }, "1042");
    expect(toOrder(order, refOf(1042), { environment: "test", language: "fr" }).customer?.phone).toBe(shown);
  });

  it("the operators' pages link to the order in the back office of the shop", async () => {
    const { fake, adapter } = await openShop();
    expect(adapter.adminUrl?.(refOf(1042))).toBe(`${fake.url}/wp-admin/post.php?post=1042&action=edit`);
    expect(adapter.adminUrl?.({ storeId: STORE_ID, orderId: "1042&action=trash" })).toBeNull();
  });

  it("the pages for shoppers lead to the shop's front page and have its logo and colour", async () => {
    const { fake, adapter } = await openShop();
    expect(adapter.branding).toEqual({ homeUrl: `${fake.url}/` });
    const branded = await openShop({ branding: { logoUrl: "https://shop.example/logo.png", color: "#a63f22" } });
    expect(branded.adapter.branding).toEqual({
      homeUrl: `${branded.fake.url}/`,
      logoUrl: "https://shop.example/logo.png",
      color: "#a63f22",
    });
  });

  it("an order without a supported language uses the language of the shop", async () => {
    const { fake, adapter } = await openShop({ language: "en" });
    const { id } = fake.shop.placeOrder({ total: "5000", meta: { _tillkit_language: "de" } });
    expect(await adapter.findOrder(refOf(id), "")).toMatchObject({ language: "en" });
  });
});

describe("unsupported amounts", () => {
  it.each([
    ["5000.50", "XOF", "amount_invalid"],
    ["10.00", "GBP", "currency_not_supported"],
    ["-10.00", "XOF", "amount_invalid"],
  ])("an order of %s %s is rejected with %s and never rounded", async (total, currency, code) => {
    const { fake, adapter } = await openShop();
    const { id } = fake.shop.placeOrder({ total, currency });
    await expect(adapter.findOrder(refOf(id), "")).rejects.toMatchObject({ code });
  });
});

describe("the setting onMismatch", () => {
  it("with onMismatch note, a hold only adds a note and leaves the status of the order unchanged", async () => {
    const { fake, adapter } = await openShop({ onMismatch: "note" });
    const { id } = fake.shop.placeOrder({ total: "5000" });
    await adapter.holdForReview(refOf(id), "", {
      code: "total_changed",
      expected: { minor: 5_000, currency: "XOF" },
      found: { minor: 6_000, currency: "XOF" },
    });
    expect(fake.shop.order(id)?.status).toBe("pending");
    expect(fake.shop.notes(id)).toHaveLength(1);
  });
});

describe("pending payments", () => {
  it("a pending payment keeps WooCommerce from cancelling the unpaid order until the payment has expired", async () => {
    const { fake, adapter } = await openShop();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    await adapter.markPending?.(refOf(id), "", 1_764_000_000_999);
    expect(fake.shop.order(id)?.meta._tillkit_open_until).toBe("1764000000");
  });
});

describe("unpaid orders", () => {
  it("unpaid orders are listed from all pages, newest first, without those of other payment methods", async () => {
    const { fake, adapter } = await openShop();
    const ours = Array.from({ length: 230 }, () => fake.shop.placeOrder({ total: "1" }).id);
    fake.shop.placeOrder({ total: "1", paymentMethod: "bacs", status: "on-hold" });
    fake.shop.placeOrder({ total: "1", status: "processing" });
    const listed: string[] = [];
    for await (const { ref } of adapter.listUnsettled?.(Date.now() - 60_000) ?? []) listed.push(ref.orderId);
    expect(listed).toEqual(ours.map(String).reverse());
  });
});

describe("deleted orders", () => {
  it.each<[string, (adapter: StoreAdapter, ref: OrderRef) => Promise<unknown> | undefined]>([
    ["markPaid", (adapter, ref) => adapter.markPaid({ ...RECEIPT, ref })],
    ["recordRefund", (adapter, ref) => adapter.recordRefund?.({ ...REFUND, ref })],
  ])("%s answers gone without a retry for an order that is deleted during the write", async (method, write) => {
    const { fake, adapter } = await openShop({ writeOrdersBy: "rest" });
    const { id } = fake.shop.placeOrder({ total: "5000", meta: { _tillkit_payment_id: RECEIPT.paymentId } });
    if (method === "recordRefund") fake.shop.edit(id, { status: "processing" });
    fake.faults.failNextWrite({ lateMs: 100 });
    const answer = write(adapter, refOf(id));
    await waitFor(() => expect(fake.faults.heldWrites).toBe(1));
    fake.shop.remove(id);
    expect(await answer).toMatchObject({ outcome: "gone" });
  });

  it("addNote ignores an order that is deleted during the write", async () => {
    const { fake, adapter } = await openShop();
    const { id } = fake.shop.placeOrder({ total: "5000" });
    fake.faults.failNextWrite({ lateMs: 100 });
    const noteCall = adapter.addNote?.(refOf(id), "key", "Look.");
    await waitFor(() => expect(fake.faults.heldWrites).toBe(1));
    fake.shop.remove(id);
    await expect(noteCall).resolves.toBeUndefined();
  });
});

describe("a payment whose write was not answered", () => {
  it("an unanswered payment by REST, which cannot see whether stock and e-mails followed, is told to the owner once", async () => {
    const { fake, adapter } = await openShop({ writeOrdersBy: "rest" });
    const ref = refOf(fake.shop.placeOrder({ total: "5000" }).id);
    fake.faults.failNextWrite("lost-after-effect");
    await expect(adapter.markPaid({ ...RECEIPT, ref })).rejects.toMatchObject({ code: "unknown" });
    const again = { ...RECEIPT, ref, unanswered: true } as const;
    for (const _time of [1, 2]) expect(await adapter.markPaid(again)).toMatchObject({ outcome: "already" });
    expect(fake.shop.notes(ref.orderId)).toEqual([expect.stringContaining("Vérifiez son stock")]);
    expect(fake.shop.order(ref.orderId)?.meta._tillkit_attention).toBe("payment_unfinished");
    expect(fake.shop.stockTaken(ref.orderId)).toBe(1);
  });

  it("an unanswered payment is shown to the plugin again, which finishes what follows it", async () => {
    const plugin = { checkoutServerUrl: "https://pay.example", storeId: STORE_ID, linkSecret: LINK_SECRET };
    const fake = await createFakeWooCommerce({ plugin });
    onTestFinished(fake.close);
    const options = {
      ...fake,
      storeId: STORE_ID,
      linkSecret: LINK_SECRET,
      clock: systemClock,
      environment: "test",
    } as const;
    const adapter = createWooCommerceAdapter(createWooStore({ ...options, writeOrdersBy: "plugin" }));
    const ref = refOf(fake.shop.placeOrder({ total: "5000" }).id);
    fake.faults.failNextWrite("lost-after-effect");
    await expect(adapter.markPaid({ ...RECEIPT, ref })).rejects.toMatchObject({ code: "unknown" });
    fake.faults.failNextWrite("unavailable");
    // The call arrives at the plugin: the shop's fault is that of a write.
    await expect(adapter.markPaid({ ...RECEIPT, ref })).rejects.toThrow("503");
    expect(await adapter.markPaid({ ...RECEIPT, ref })).toMatchObject({ outcome: "already" });
    expect(fake.shop.order(ref.orderId)?.meta._tillkit_attention).toBeUndefined();
  });
});

describe("a shop whose plugin alone may write", () => {
  it("gets no hold and no note over the REST API while its plugin is off, because nothing waits for a late one", async () => {
    const plugin = { checkoutServerUrl: "https://pay.example", storeId: STORE_ID, linkSecret: LINK_SECRET };
    const fake = await createFakeWooCommerce({ plugin });
    onTestFinished(fake.close);
    const shop = {
      ...fake,
      storeId: STORE_ID,
      linkSecret: LINK_SECRET,
      clock: systemClock,
      environment: "test",
    } as const;
    const adapter = createWooCommerceAdapter(createWooStore({ ...shop, writeOrdersBy: "plugin" }));
    const { id, status } = fake.shop.placeOrder({ total: "5000" });
    const ref = refOf(id);
    fake.setPlugin(null);
    const finding = { code: "total_changed", expected: RECEIPT.paid, found: null } as const;
    await expect(adapter.holdForReview(ref, "", finding)).rejects.toMatchObject({ code: "reconnect" });
    await expect(adapter.addNote?.(ref, "key", "text")).rejects.toMatchObject({ code: "reconnect" });
    expect([fake.shop.order(id)?.status, fake.shop.notes(id)]).toEqual([status, []]);
    fake.setPlugin(plugin);
    await adapter.holdForReview(ref, "", finding);
    expect([fake.shop.order(id)?.status, fake.shop.notes(id).length]).toEqual(["on-hold", 1]);
  });
});

describe("what an order says", () => {
  it("an order that was accepted with less than its total has one note with what is missing and who accepted it", async () => {
    const { fake, adapter } = await openShop();
    const ref = refOf(fake.shop.placeOrder({ total: "5000", meta: { _tillkit_language: "en" } }).id);
    const receipt = {
      ...RECEIPT,
      ref,
      paid: { minor: 4_000, currency: "XOF" },
      acceptedBy: "shop_manager #7",
    } as const;
    for (const _twice of [1, 2]) await adapter.markPaid(receipt);
    const told = fake.shop.notes(ref.orderId).filter((note) => note.includes("missing"));
    expect(told.map((note) => note.replace(/\s/g, " "))).toEqual([
      expect.stringContaining(
        "4 000 F CFA arrived for this order of 5 000 F CFA: 1 000 F CFA are missing. Accepted by shop_manager #7.",
      ),
    ]);
  });

  it("a refund that was made at the service leaves one note", async () => {
    const { fake, adapter } = await openShop();
    const { id } = fake.shop.placeOrder({ total: "5000", meta: { _tillkit_payment_id: RECEIPT.paymentId } });
    fake.shop.edit(id, { status: "processing" });
    for (const _twice of [1, 2]) await adapter.recordRefund?.({ ...REFUND, ref: refOf(id) });
    expect(fake.shop.notes(id)).toEqual([expect.stringContaining("ont été remboursés auprès du service de paiement")]);
  });
});

describe("refunds from the dashboard of the service", () => {
  it("a refund from the dashboard is recorded once in an order with more than ten refunds", async () => {
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

describe("a refund that a person confirmed before the service named it", () => {
  it.each(["rest", "plugin"] as const)("is not recorded again once its id is known, over %s", async (by) => {
    const plugin = { checkoutServerUrl: "https://pay.example", storeId: STORE_ID, linkSecret: LINK_SECRET };
    const fake = await createFakeWooCommerce(by === "rest" ? {} : { plugin });
    onTestFinished(fake.close);
    const options = { ...fake, storeId: STORE_ID, linkSecret: LINK_SECRET, clock: systemClock, writeOrdersBy: by };
    const adapter = createWooCommerceAdapter(createWooStore({ ...options, environment: "test" }));
    const { id } = fake.shop.placeOrder({ total: "5000", meta: { _tillkit_payment_id: RECEIPT.paymentId } });
    fake.shop.edit(id, { status: "processing" });
    const refund = { ...REFUND, ref: refOf(id), key: "tillkit:1" };
    expect(await adapter.recordRefund?.({ ...refund, refundId: "" })).toMatchObject({ outcome: "recorded" });
    expect(await adapter.recordRefund?.({ ...refund, refundId: "rf_9" })).toMatchObject({ outcome: "already" });
    expect(await adapter.recordRefund?.({ ...refund, key: "service:rf_8", refundId: "rf_8" })).toMatchObject({
      outcome: "recorded",
    });
    expect(fake.shop.refunds(id)).toHaveLength(2);
  });
});

describe("how the shopper paid", () => {
  async function paidOrder(by: "rest" | "plugin", receipt: Partial<Receipt>, language = "en") {
    const plugin = { checkoutServerUrl: "https://pay.example", storeId: STORE_ID, linkSecret: LINK_SECRET };
    const fake = await createFakeWooCommerce(by === "rest" ? {} : { plugin });
    onTestFinished(fake.close);
    const options = { ...fake, storeId: STORE_ID, linkSecret: LINK_SECRET, clock: systemClock, writeOrdersBy: by };
    const adapter = createWooCommerceAdapter(createWooStore({ ...options, environment: "test" }));
    const { id } = fake.shop.placeOrder({ total: "5000", meta: { _tillkit_language: language } });
    await adapter.markPaid({ ...RECEIPT, ref: refOf(id), ...receipt });
    return { fake, id, title: fake.shop.order(id)?.paymentMethodTitle };
  }

  it.each([
    ["plugin", "test", "Card"],
    ["rest", "test", "Card (test)"],
    ["rest", "live", "Card"],
  ] as const)("is the title of the order's payment method, over %s with a %s key", async (by, environment, title) => {
    expect(await paidOrder(by, { provider: "CARD", environment })).toMatchObject({ title });
  });

  it.each(["plugin", "rest"] as const)("changes no title where nobody knows it, over %s", async (by) => {
    expect(await paidOrder(by, {})).toMatchObject({ title: "Mobile money or card" });
  });

  it.each([
    ["en", "Paid with Tillkit (Card)."],
    ["fr", "Payée avec Tillkit (Carte)."],
  ])("is in the note of the order, in %s", async (language, note) => {
    const { fake, id } = await paidOrder("rest", { provider: "CARD" }, language);
    await waitFor(() => fake.shop.notes(id).length > 0);
    await waitFor(() => expect(fake.shop.notes(id)[0]).toContain(note));
  });
});

describe("caches", () => {
  it("a cached response with another order is rejected", async () => {
    const other = { id: 7, order_key: "k", status: "pending", currency: "XOF", total: "1", date_paid_gmt: null };
    const body = Buffer.from(JSON.stringify({ ...other, payment_method: "tillkit" }));
    const { adapter } = await openShop({ transport: async () => ({ status: 200, headers: {}, body }) });
    await expect(adapter.findOrder(refOf(1_042), "")).rejects.toMatchObject({ code: "unavailable" });
  });
});

async function openShop(overrides: Partial<WooStoreOptions> = {}) {
  const fake = await createFakeWooCommerce();
  onTestFinished(fake.close);
  const options = { ...fake, storeId: STORE_ID, linkSecret: LINK_SECRET, clock: systemClock };
  return { fake, adapter: createWooCommerceAdapter(createWooStore({ ...options, environment: "test", ...overrides })) };
}

function refOf(id: number) {
  return { storeId: STORE_ID, orderId: String(id) };
}
