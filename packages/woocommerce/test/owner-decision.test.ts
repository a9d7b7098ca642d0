import type { OrderRef, Receipt, StoreAdapter } from "@tillkit/core";
import { createManualClock } from "@tillkit/testkit";
import { createFakeWooCommerce, type FakeWooCommerce } from "@tillkit/woocommerce/fake";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { restoreLateHolds } from "../src/adapter/late-hold.ts";
import { createWooShop, type SettleBy, type WooShop } from "../src/adapter/woo-shop.ts";
import { createWooCommerceAdapter } from "../src/adapter/woocommerce-adapter.ts";
import type { PluginReply } from "../src/transport/plugin-routes.ts";
import { LINK_SECRET } from "./woo-harness.ts";

const WAYS = ["plugin", "rest", "auto"] as const;
const TOTAL = { minor: 5_000, currency: "XOF" } as const;
const NOON = Date.UTC(2026, 2, 1, 12);
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
const FINDING = { code: "total_changed", expected: "5000 XOF", found: "6000 XOF" } as const;

describe.each(WAYS)("a held order that its owner sets to Processing, in a shop that is written by %s", (way) => {
  it("is read as set to paid by its owner, with who and when, and not as paid by something else", async () => {
    const { fake, adapter, ref, id } = await heldOrder(way);
    fake.shop.edit(id, { status: "processing" });
    const by = way === "rest" ? "the shop's owner" : "shop_manager #7";
    expect(await adapter.findOrder(ref, "")).toMatchObject({
      paidBy: "owner",
      payable: false,
      setPaid: { by, at: NOON },
    });
  });

  it.each(["processing", "completed"])(
    "gets the accepted payment named while it is %s, and nothing else",
    async (status) => {
      const { fake, adapter, ref, id } = await heldOrder(way);
      fake.shop.edit(id, { status });
      expect(await adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true })).toEqual({
        outcome: "recorded",
        evidence: "read-back",
      });
      expect(fake.shop.order(id)).toMatchObject({
        status,
        transactionId: "tx_01",
        paymentMethod: "tillkit",
        meta: { _tillkit_payment_id: RECEIPT.paymentId },
      });
      expect(fake.shop.effects).toEqual([]);
      expect(fake.shop.stockTaken(id)).toBe(1);
      await vi.waitFor(() => expect(fake.shop.notes(id).at(-1)).toContain(RECEIPT.paymentId));
      expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: RECEIPT.paymentId });
      expect(await adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true })).toMatchObject({ outcome: "already" });
    },
  );

  it("is not paid by a payment that nobody accepted", async () => {
    const { fake, adapter, ref, id } = await heldOrder(way);
    fake.shop.edit(id, { status: "processing" });
    const answer = await adapter.markPaid({ ...RECEIPT, ref });
    expect(answer).toEqual({ outcome: "other-payment", detail: `Order ${id} was set to paid by hand.` });
    expect(fake.shop.order(id)).toMatchObject({ status: "processing", transactionId: "" });
  });

  it("is judged again when the owner takes it back to pending before the payment is named", async () => {
    const { fake, adapter, ref, id } = await heldOrder(way);
    fake.shop.edit(id, { status: "processing" });
    await adapter.findOrder(ref, "");
    fake.shop.edit(id, { status: "pending" });
    const told = adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true }).catch((error: unknown) => error);
    expect(await told).toMatchObject({ code: "unavailable" });
    expect(fake.shop.order(id)).toMatchObject({ status: "pending", transactionId: "" });
    expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: null, payable: true });
  });

  it("is not paid when the owner cancels it before the payment is named", async () => {
    const { fake, adapter, ref, id } = await heldOrder(way);
    fake.shop.edit(id, { status: "processing" });
    await adapter.findOrder(ref, "");
    fake.shop.edit(id, { status: "cancelled" });
    expect(await adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true })).toMatchObject({ outcome: "not-payable" });
    expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: null, payable: false });
    expect(fake.shop.order(id)?.status).toBe("cancelled");
  });
});

describe("an order that is paid, and not by a payment of ours", () => {
  it.each([
    ["another payment method", { paymentMethod: "cod" }, "outside"],
    ["another gateway's transaction", { transactionId: "ch_1" }, "outside"],
    ["no method at all", { paymentMethod: "" }, "owner"],
    ["nothing but its status", {}, "owner"],
    ["what another gateway leaves of an attempt", { meta: { _stripe_intent_id: "pi_1" } }, "unclear"],
    ["the status of another plugin", { status: "wc-shipped" }, "unclear"],
  ])("with %s", async (_, change, paidBy) => {
    const { fake, adapter, ref, id } = await openOrder("rest");
    fake.shop.edit(id, { status: "processing" });
    fake.shop.edit(id, change);
    expect(await adapter.findOrder(ref, "")).toMatchObject({ payable: false, paidBy });
    const accepted = await adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true });
    expect(accepted.outcome).toBe(paidBy === "outside" ? "other-payment" : "recorded");
  });

  it("an order that an automation set to paid is unclear, where the plugin saw that no person did it", async () => {
    const { fake, adapter, ref, id } = await openOrder("auto");
    const meta = { _tillkit_set_paid: '{"status":"processing","by":"","at":1}' };
    fake.shop.change(id, { status: "processing", meta });
    expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: "unclear" });
  });
});

describe("a plugin of an older version, which cannot name a payment", () => {
  it.each(["plugin", "auto"] as const)(
    "is not taken at its word: the payment is named by the REST API (%s)",
    async (way) => {
      const { fake, shop, ref, id } = await heldOrder(way);
      fake.shop.edit(id, { status: "processing" });
      const adapter = createWooCommerceAdapter(withOldPlugin(shop, String(id)));
      const answer = await adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true });
      expect(answer).toMatchObject({ outcome: "recorded" });
      expect(fake.shop.order(id)).toMatchObject({ status: "processing", transactionId: "tx_01" });
    },
  );
});

describe.each(WAYS)("a hold, in a shop that is written by %s", (way) => {
  it.each(["processing", "completed", "cancelled", "refunded", "trash", "wc-shipped"])(
    "never changes an order that its owner set to %s",
    async (status) => {
      const { fake, adapter, ref, id } = await openOrder(way);
      fake.shop.edit(id, { status });
      await adapter.holdForReview(ref, "", FINDING);
      expect(fake.shop.order(id)?.status).toBe(status);
      expect(fake.shop.notes(id)).toHaveLength(1);
    },
  );

  it("never changes what the owner sets between our note and our hold", async () => {
    const { fake, adapter, ref, id, clock } = await openOrder(way);
    fake.faults.failNextWrite({ lateMs: 2_000 });
    const told = adapter.holdForReview(ref, "", FINDING);
    await vi.waitFor(() => expect(fake.faults.held).toBe(1), { interval: 5 });
    fake.shop.edit(id, { status: "cancelled" });
    await clock.advance(2_000);
    await told;
    expect(fake.shop.order(id)?.status).toBe("cancelled");
    expect(fake.requests).not.toContain(`PUT wc/v3/orders/${id}`);
  });

  it("that lands after the owner set the order to Processing does not stay", async () => {
    const { fake, adapter, ref, id, clock } = await openOrder(way);
    const { told } = await lateHold(fake, adapter, ref);
    fake.shop.edit(id, { status: "processing" });
    await clock.advance(10_000);
    await told;
    expect(fake.shop.order(id)).toMatchObject({ status: "processing", transactionId: "" });
    expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: "owner" });
  });
});

describe("a hold whose answer was lost, and which lands after the owner set the order to Processing", () => {
  it.each<[string, (adapter: StoreAdapter, ref: OrderRef, shop: WooShop) => Promise<unknown> | undefined]>([
    ["the next try of the hold", (adapter, ref) => adapter.holdForReview(ref, "", FINDING)],
    ["the accepted payment", (adapter, ref) => adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true })],
    ["a payment that nobody accepted", (adapter, ref) => adapter.markPaid({ ...RECEIPT, ref })],
    ["a note", (adapter, ref) => adapter.addNote?.(ref, "key", "Look.")],
    ["a refund", (adapter, ref) => adapter.recordRefund?.({ ...REFUND, ref })],
    ["the daily sweep", (_adapter, _ref, shop) => restoreLateHolds(shop, NOON - 60_000)],
  ])("is undone by %s: the status is what the owner had set", async (_, write) => {
    for (const status of ["processing", "completed"]) {
      const { fake, adapter, shop, ref, id, clock } = await openOrder("rest");
      const { told: lost } = await lateHold(fake, adapter, ref, 60_000);
      const told = lost.catch((error: unknown) => error);
      fake.shop.edit(id, { status });
      await clock.advance(14_000);
      expect(await told).toMatchObject({ code: "unknown" });
      await clock.advance(46_000);
      await vi.waitFor(() => expect(fake.shop.order(id)?.status).toBe("on-hold"), { interval: 5 });
      expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: "owner" });
      await write(adapter, ref, shop);
      expect(fake.shop.order(id)?.status).toBe(status);
      expect(fake.shop.effects).toEqual([]);
    }
  });

  it("stays away from an order that its owner put on hold by hand", async () => {
    const { fake, adapter, shop, ref, id } = await openOrder("rest");
    fake.shop.edit(id, { status: "processing" });
    fake.shop.edit(id, { status: "on-hold" });
    await adapter.holdForReview(ref, "", FINDING);
    expect(await restoreLateHolds(shop, NOON - 60_000)).toBe(0);
    expect(fake.shop.order(id)?.status).toBe("on-hold");
    expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: null, payable: true });
  });

  it("is never mistaken for one that landed on an order which was set to paid and taken back", async () => {
    for (const way of WAYS) {
      const { fake, adapter, ref, id } = await openOrder(way);
      fake.shop.edit(id, { status: "processing" });
      fake.shop.edit(id, { status: "pending" });
      await adapter.holdForReview(ref, "", FINDING);
      expect(fake.shop.order(id)?.status).toBe("on-hold");
      expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: null });
    }
  });
});

describe("a payment that is marked over the REST API and lands late in a shop with the plugin", () => {
  it("does not undo that the owner cancelled the order: the plugin refuses it", async () => {
    const { fake, adapter, ref, id, clock } = await openOrder("rest", true);
    fake.faults.failNextWrite({ lateMs: 10_000 });
    const told = adapter.markPaid({ ...RECEIPT, ref }).catch((error: unknown) => error);
    await vi.waitFor(() => expect(fake.faults.held).toBe(1), { interval: 5 });
    fake.shop.edit(id, { status: "cancelled" });
    await clock.advance(10_000);
    expect(await told).toMatchObject({ code: "unavailable" });
    expect(fake.shop.order(id)).toMatchObject({ status: "cancelled", transactionId: "" });
  });
});

describe("a refund that was made at the service for an order in the trash", () => {
  it("is noted, and does not take the order out of the trash", async () => {
    const { fake, adapter, ref, id } = await openOrder("rest");
    await adapter.markPaid({ ...RECEIPT, ref });
    fake.shop.edit(id, { status: "trash" });
    const told = await adapter.recordRefund?.({ ...REFUND, amount: TOTAL, ref });
    expect(told).toMatchObject({ outcome: "recorded" });
    expect(fake.shop.order(id)?.status).toBe("trash");
    expect(fake.shop.notes(id).join()).toContain("dans la corbeille");
  });
});

const REFUND = {
  paymentId: RECEIPT.paymentId,
  key: "refund-key",
  refundId: "rf_01",
  attempt: "",
  amount: { minor: 100, currency: "XOF" },
  status: "completed",
} as const;

async function openOrder(settleBy: SettleBy, withPlugin = settleBy !== "rest") {
  const clock = createManualClock(NOON);
  const plugin = { companionUrl: "https://pay.example", storeId: "boutique", linkSecret: LINK_SECRET };
  const fake = await createFakeWooCommerce({ clock, ...(withPlugin ? { plugin } : {}) });
  onTestFinished(fake.close);
  const options = {
    ...fake,
    storeId: "boutique",
    linkSecret: LINK_SECRET,
    environment: "test",
    settleBy,
    clock,
  } as const;
  const shop = createWooShop(options);
  const { id } = fake.shop.placeOrder({ total: "5000" });
  const ref = { storeId: "boutique", orderId: String(id) };
  return { fake, shop, adapter: createWooCommerceAdapter(shop), ref, id, clock };
}

async function heldOrder(settleBy: SettleBy) {
  const opened = await openOrder(settleBy);
  await opened.adapter.holdForReview(opened.ref, "", FINDING);
  expect(opened.fake.shop.order(opened.id)?.status).toBe("on-hold");
  return opened;
}

/** The note of a hold arrives; the hold itself is under way for so long. */
async function lateHold(fake: FakeWooCommerce, adapter: StoreAdapter, ref: OrderRef, lateMs = 10_000) {
  await adapter.addNote?.(ref, "first", "Before.");
  fake.faults.failNextWrite({ lateMs: 0 });
  fake.faults.failNextWrite({ lateMs });
  const told = adapter.holdForReview(ref, "", FINDING);
  await vi.waitFor(() => expect(fake.shop.notes(ref.orderId)).toHaveLength(2), { interval: 5 });
  await vi.waitFor(() => expect(fake.faults.held).toBe(1), { interval: 5 });
  return { told };
}

/** As the version before answered: no route `hold`, and nothing but a payment of ours or "outside". */
function withOldPlugin(shop: WooShop, order: string): WooShop {
  const body = {
    outcome: "other-payment",
    order,
    payment: RECEIPT.paymentId,
    fence: RECEIPT.fence,
    status: "processing",
    date_paid: 1,
    paid_by: "outside",
  };
  const call = async (): Promise<PluginReply> => ({ say: "answered", status: 200, code: null, body });
  const plugin: WooShop["plugin"] = { call, until: () => plugin };
  return { ...shop, plugin, within: () => ({ ...shop.within(), plugin }) };
}
