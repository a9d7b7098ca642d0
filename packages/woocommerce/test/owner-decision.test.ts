import type { OrderRef, Receipt, StoreAdapter } from "@tillkit/core";
import { createFakeWooCommerce, type FakeWooCommerce } from "@tillkit/fake-woocommerce";
import type { PluginReply } from "@tillkit/php-bridge";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { waitFor } from "../../../test/waiting/wait-for.ts";
import { undoStaleHolds } from "../src/adapter/stale-hold.ts";
import { createWooCommerceAdapter } from "../src/adapter/woocommerce-adapter.ts";
import { PLUGIN_PLACE } from "../src/protocol/names.ts";
import { createWooStore, type WooStore, type WriteOrdersBy } from "../src/store/woo-store.ts";
import { LINK_SECRET } from "./adapter-fixture.ts";

const WRITE_MODES = ["plugin", "rest", "auto"] as const;
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
const FINDING = {
  code: "total_changed",
  expected: { minor: 5_000, currency: "XOF" },
  found: { minor: 6_000, currency: "XOF" },
} as const;

describe.each(WRITE_MODES)("held orders set to Processing, writeOrdersBy %s", (writeOrdersBy) => {
  it("a held order that its owner sets to Processing is read as paid by the owner, with actor and time", async () => {
    const { fake, adapter, ref, id } = await heldOrder(writeOrdersBy);
    fake.shop.edit(id, { status: "processing" });
    const by = writeOrdersBy === "rest" ? "staff" : "shop_manager #7";
    expect(await adapter.findOrder(ref, "")).toMatchObject({
      paidBy: "owner",
      payable: false,
      markedPaid: { by, at: NOON },
    });
  });

  it.each(["processing", "completed"])(
    "an accepted payment is recorded on a held order set to %s without other changes",
    async (status) => {
      const { fake, adapter, ref, id } = await heldOrder(writeOrdersBy);
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
      await waitFor(() => expect(fake.shop.notes(id).at(-1)).toContain(RECEIPT.paymentId));
      expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: RECEIPT.paymentId });
      expect(await adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true })).toMatchObject({ outcome: "already" });
    },
  );

  it("a payment that was not accepted is not recorded on an order set to Processing", async () => {
    const { fake, adapter, ref, id } = await heldOrder(writeOrdersBy);
    fake.shop.edit(id, { status: "processing" });
    const answer = await adapter.markPaid({ ...RECEIPT, ref });
    expect(answer).toEqual({ outcome: "other-payment", paidBy: "owner" });
    expect(fake.shop.order(id)).toMatchObject({ status: "processing", transactionId: "" });
  });

  it("an accepted payment is not recorded but verified again if the owner first sets the order back to pending", async () => {
    const { fake, adapter, ref, id } = await heldOrder(writeOrdersBy);
    fake.shop.edit(id, { status: "processing" });
    await adapter.findOrder(ref, "");
    fake.shop.edit(id, { status: "pending" });
    const call = adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true }).catch((error: unknown) => error);
    expect(await call).toMatchObject({ code: "unavailable" });
    expect(fake.shop.order(id)).toMatchObject({ status: "pending", transactionId: "" });
    expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: null, payable: true });
  });

  it("an accepted payment is not recorded on an order that the owner has cancelled meanwhile", async () => {
    const { fake, adapter, ref, id } = await heldOrder(writeOrdersBy);
    fake.shop.edit(id, { status: "processing" });
    await adapter.findOrder(ref, "");
    fake.shop.edit(id, { status: "cancelled" });
    expect(await adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true })).toMatchObject({ outcome: "not-payable" });
    expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: null, payable: false });
    expect(fake.shop.order(id)?.status).toBe("cancelled");
  });
});

describe("orders paid otherwise", () => {
  it.each([
    ["another payment method", { paymentMethod: "cod" }, "outside"],
    ["another gateway's transaction", { transactionId: "ch_1" }, "outside"],
    ["no payment method", { paymentMethod: "" }, "owner"],
    ["only its status", {}, "owner"],
    ["the meta of another gateway", { meta: { _stripe_intent_id: "pi_1" } }, "unclear"],
    ["a status of another plugin", { status: "wc-shipped" }, "unclear"],
  ])("an order in Processing with %s is not read as paid by our payment", async (_, change, paidBy) => {
    const { fake, adapter, ref, id } = await openOrder("rest");
    fake.shop.edit(id, { status: "processing" });
    fake.shop.edit(id, change);
    expect(await adapter.findOrder(ref, "")).toMatchObject({ payable: false, paidBy });
    const answer = await adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true });
    expect(answer.outcome).toBe(paidBy === "outside" ? "other-payment" : "recorded");
  });

  it("an order that a program set to paid is read as unclear", async () => {
    const { fake, adapter, ref, id } = await openOrder("auto");
    const meta = { _tillkit_set_paid: '{"status":"processing","by":"","at":1}' };
    fake.shop.change(id, { status: "processing", meta });
    expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: "unclear" });
  });
});

describe("outdated plugins", () => {
  it.each(["plugin", "auto"] as const)(
    "an accepted payment is recorded by the REST API if the plugin is outdated (%s)",
    async (writeOrdersBy) => {
      const { fake, shop, ref, id } = await heldOrder(writeOrdersBy);
      fake.shop.edit(id, { status: "processing" });
      const adapter = createWooCommerceAdapter(withOutdatedPlugin(shop, String(id)));
      const answer = await adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true });
      expect(answer).toMatchObject({ outcome: "recorded" });
      expect(fake.shop.order(id)).toMatchObject({ status: "processing", transactionId: "tx_01" });
    },
  );
});

describe.each(WRITE_MODES)("holds, writeOrdersBy %s", (writeOrdersBy) => {
  it.each(["processing", "completed", "cancelled", "refunded", "trash", "wc-shipped"])(
    "a hold never changes an order that its owner set to %s",
    async (status) => {
      const { fake, adapter, ref, id } = await openOrder(writeOrdersBy);
      fake.shop.edit(id, { status });
      await adapter.holdForReview(ref, "", FINDING);
      expect(fake.shop.order(id)?.status).toBe(status);
      expect(fake.shop.notes(id)).toHaveLength(1);
    },
  );

  it("a hold never overwrites a status that the owner sets after our note and before our hold", async () => {
    const { fake, adapter, ref, id, clock } = await openOrder(writeOrdersBy);
    fake.faults.failNextWrite({ lateMs: 2_000 });
    const call = adapter.holdForReview(ref, "", FINDING);
    await waitFor(() => expect(fake.faults.heldWrites).toBe(1));
    fake.shop.edit(id, { status: "cancelled" });
    await clock.advance(2_000);
    await call;
    expect(fake.shop.order(id)?.status).toBe("cancelled");
    expect(fake.requests).not.toContain(`PUT wc/v3/orders/${id}`);
  });

  it("a hold that is applied after the owner set the order to Processing is undone", async () => {
    const { fake, adapter, ref, id, clock } = await openOrder(writeOrdersBy);
    const { call } = await sendLateHold(fake, adapter, ref);
    fake.shop.edit(id, { status: "processing" });
    await clock.advance(10_000);
    await call;
    expect(fake.shop.order(id)).toMatchObject({ status: "processing", transactionId: "" });
    expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: "owner" });
  });
});

describe("stale holds", () => {
  it.each<[string, (adapter: StoreAdapter, ref: OrderRef, shop: WooStore) => Promise<unknown> | undefined]>([
    ["a retry of the hold", (adapter, ref) => adapter.holdForReview(ref, "", FINDING)],
    ["the accepted payment", (adapter, ref) => adapter.markPaid({ ...RECEIPT, ref, alreadyPaid: true })],
    ["a payment that was not accepted", (adapter, ref) => adapter.markPaid({ ...RECEIPT, ref })],
    ["a note", (adapter, ref) => adapter.addNote?.(ref, "key", "Look.")],
    ["a refund", (adapter, ref) => adapter.recordRefund?.({ ...REFUND, ref })],
    ["the daily reconciliation", (_adapter, _ref, shop) => undoStaleHolds(shop, NOON - 60_000)],
  ])("a stale hold is undone by %s, which restores the status of the owner", async (_, write) => {
    for (const status of ["processing", "completed"]) {
      const { fake, adapter, shop, ref, id, clock } = await openOrder("rest");
      const { call } = await sendLateHold(fake, adapter, ref, { lateMs: 60_000 });
      const holdResult = call.catch((error: unknown) => error);
      fake.shop.edit(id, { status });
      await clock.advance(14_000);
      expect(await holdResult).toMatchObject({ code: "unknown" });
      await clock.advance(46_000);
      await waitFor(() => expect(fake.shop.order(id)?.status).toBe("on-hold"));
      expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: "owner" });
      await write(adapter, ref, shop);
      expect(fake.shop.order(id)?.status).toBe(status);
      expect(fake.shop.effects).toEqual([]);
    }
  });

  it("an order that its owner put on hold by hand is not treated as a stale hold", async () => {
    const { fake, adapter, shop, ref, id } = await openOrder("rest");
    fake.shop.edit(id, { status: "processing" });
    fake.shop.edit(id, { status: "on-hold" });
    await adapter.holdForReview(ref, "", FINDING);
    expect(await undoStaleHolds(shop, NOON - 60_000)).toBe(0);
    expect(fake.shop.order(id)?.status).toBe("on-hold");
    expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: null, payable: true });
  });

  it("a hold of an order that was set to paid and back to pending is not treated as a stale hold", async () => {
    for (const writeOrdersBy of WRITE_MODES) {
      const { fake, adapter, ref, id } = await openOrder(writeOrdersBy);
      fake.shop.edit(id, { status: "processing" });
      fake.shop.edit(id, { status: "pending" });
      await adapter.holdForReview(ref, "", FINDING);
      expect(fake.shop.order(id)?.status).toBe("on-hold");
      expect(await adapter.findOrder(ref, "")).toMatchObject({ paidBy: null });
    }
  });
});

describe("stale REST writes", () => {
  it("the plugin refuses a late REST write to an order that the owner has cancelled", async () => {
    const { fake, adapter, ref, id, clock } = await openOrder("rest", { withPlugin: true });
    fake.faults.failNextWrite({ lateMs: 10_000 });
    const call = adapter.markPaid({ ...RECEIPT, ref }).catch((error: unknown) => error);
    await waitFor(() => expect(fake.faults.heldWrites).toBe(1));
    fake.shop.edit(id, { status: "cancelled" });
    await clock.advance(10_000);
    expect(await call).toMatchObject({ code: "unavailable" });
    expect(fake.shop.order(id)).toMatchObject({ status: "cancelled", transactionId: "" });
  });
});

describe("refunds of trashed orders", () => {
  it("a refund at the service adds a note to a trashed order and leaves it in the trash", async () => {
    const { fake, adapter, ref, id } = await openOrder("rest");
    await adapter.markPaid({ ...RECEIPT, ref });
    fake.shop.edit(id, { status: "trash" });
    const answer = await adapter.recordRefund?.({ ...REFUND, amount: TOTAL, ref });
    expect(answer).toMatchObject({ outcome: "recorded" });
    expect(fake.shop.order(id)?.status).toBe("trash");
    const inTheTrash = "dans la corbeille";
    expect(fake.shop.notes(id).join()).toContain(inTheTrash);
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

/** A shop with one order. `withPlugin`: whether the plugin is active in the shop, also when the adapter writes over REST. */
async function openOrder(writeOrdersBy: WriteOrdersBy, { withPlugin = writeOrdersBy !== "rest" } = {}) {
  const clock = createManualClock(NOON);
  const plugin = { checkoutServerUrl: "https://pay.example", storeId: "boutique", linkSecret: LINK_SECRET };
  const fake = await createFakeWooCommerce({ clock, ...(withPlugin ? { plugin } : {}) });
  onTestFinished(fake.close);
  const options = {
    ...fake,
    storeId: "boutique",
    linkSecret: LINK_SECRET,
    environment: "test",
    writeOrdersBy,
    clock,
  } as const;
  const shop = createWooStore(options);
  const { id } = fake.shop.placeOrder({ total: "5000" });
  const ref = { storeId: "boutique", orderId: String(id) };
  return { fake, shop, adapter: createWooCommerceAdapter(shop), ref, id, clock };
}

async function heldOrder(writeOrdersBy: WriteOrdersBy) {
  const opened = await openOrder(writeOrdersBy);
  await opened.adapter.holdForReview(opened.ref, "", FINDING);
  expect(opened.fake.shop.order(opened.id)?.status).toBe("on-hold");
  return opened;
}

/**
 * Sends a hold: its note is added immediately, and its change of the status is applied after `lateMs`. Returns the pending call
 * inside an object, because a promise that is returned alone would be awaited.
 */
async function sendLateHold(fake: FakeWooCommerce, adapter: StoreAdapter, ref: OrderRef, { lateMs = 10_000 } = {}) {
  await adapter.addNote?.(ref, "first", "Before.");
  fake.faults.failNextWrite({ lateMs: 0 });
  fake.faults.failNextWrite({ lateMs });
  const call = adapter.holdForReview(ref, "", FINDING);
  await waitFor(() => expect(fake.shop.notes(ref.orderId)).toHaveLength(2));
  await waitFor(() => expect(fake.faults.heldWrites).toBe(1));
  return { call };
}

/** A plugin that does not know `already_paid` and answers only with a payment id or "outside". */
function withOutdatedPlugin(shop: WooStore, order: string): WooStore {
  const body = {
    outcome: "other-payment",
    order,
    payment: RECEIPT.paymentId,
    fence: RECEIPT.fence,
    status: "processing",
    date_paid: 1,
    paid_by: "outside",
  };
  const call = async (): Promise<PluginReply> => ({ kind: "answered", status: 200, code: null, body });
  const plugin: WooStore["plugin"] = { call, place: PLUGIN_PLACE, withSendBy: () => plugin };
  return { ...shop, plugin, forOneCall: () => ({ ...shop.forOneCall(), plugin }) };
}
