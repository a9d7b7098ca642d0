import { confirmPayment } from "@tillkit/core";
import type { Disturbance } from "@tillkit/fake-woocommerce";
import { describe, expect, it } from "vitest";
import { openVirtualTimeFixture, PLUGIN, type VirtualTimeFixture } from "./virtual-time-fixture.ts";

const WRITE_MODES = ["plugin", "rest", "auto"] as const;

describe.each(WRITE_MODES)("writeOrdersBy %s", (writeOrdersBy) => {
  it("twenty concurrent confirmations mark the order paid once and take stock once", async () => {
    const fixture = await openVirtualTimeFixture(writeOrdersBy);
    const { order, payment } = await fixture.openOrder();
    fixture.fake.faults.setLatency(0);
    fixture.pay(payment);
    await Promise.all(
      Array.from({ length: 20 }, () => confirmPayment(fixture.engine(), payment.id, { actor: "webhook" })),
    );
    await fixture.runForSeconds(5);
    expect(await fixture.payment(payment)).toMatchObject({ state: "recorded" });
    expect(fixture.fake.shop.effects).toHaveLength(1);
    expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
  });

  it.each([20, 60, 115])(
    "a write that is applied %i seconds after its process was killed marks the order paid once",
    async (seconds) => {
      const fixture = await openVirtualTimeFixture(writeOrdersBy);
      const { order, payment } = await fixture.openOrder();
      fixture.pay(payment);
      fixture.fake.faults.failNextWrite({ lateMs: seconds * 1_000 });
      void confirmPayment(fixture.engine(), payment.id, { actor: "webhook" }).catch(() => undefined);
      await fixture.runForSeconds(3);
      fixture.kill();
      await fixture.runForSeconds(200);
      expect(await fixture.payment(payment)).toMatchObject({ state: "recorded" });
      expect(fixture.fake.shop.effects).toHaveLength(1);
      expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
    },
  );

  it("a process killed after the shop's answer and before the ledger commit marks the order paid once", async () => {
    const fixture = await openVirtualTimeFixture(writeOrdersBy);
    const { order, payment } = await fixture.openOrder();
    fixture.pay(payment);
    void confirmPayment(fixture.engine(), payment.id, { actor: "webhook" }).catch(() => undefined);
    // The process dies when the order is paid in the shop, before it can commit the answer.
    while (fixture.fake.shop.effects.length === 0) await new Promise((resolve) => setImmediate(resolve));
    fixture.kill();
    expect((await fixture.payment(payment)).state).toBe("verified");
    await fixture.runForSeconds(170);
    expect(await fixture.payment(payment)).toMatchObject({ state: "recorded" });
    expect(fixture.fake.shop.effects).toHaveLength(1);
    expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
  });

  it("a paid order has one note with payment and transaction", async () => {
    const fixture = await openVirtualTimeFixture(writeOrdersBy);
    const { order, payment } = await fixture.openOrder({ meta: { _tillkit_language: "en" } });
    await payAndConfirm(fixture, payment);
    expect(await fixture.payment(payment)).toMatchObject({ state: "recorded" });
    const notes = fixture.fake.shop.notes(order.id).filter((note) => note.startsWith("Paid"));
    expect(notes).toEqual([expect.stringContaining(payment.id)]);
    expect(notes[0]).toContain(`tx_${payment.session?.id}`);
  });

  it("an order that its owner put on hold is marked paid with the correct stock", async () => {
    const fixture = await openVirtualTimeFixture(writeOrdersBy);
    const { order, payment } = await fixture.openOrder();
    fixture.fake.shop.edit(order.id, { status: "on-hold" });
    await payAndConfirm(fixture, payment);
    expect(await fixture.payment(payment)).toMatchObject({ state: "recorded" });
    expect(fixture.fake.shop.order(order.id)?.status).toBe("processing");
    expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
  });

  it.each([
    ["cancelled", { status: "cancelled" }, "order_not_payable"],
    ["moved to the trash", { status: "trash" }, "order_not_payable"],
    ["edited to another total", { total: "6000" }, "total_changed"],
    ["edited to another currency", { currency: "EUR" }, "total_changed"],
    ["edited to a total that cannot be paid", { total: "5000.50" }, "total_changed"],
  ])(
    "an order that was %s before the payment arrived is not marked paid, and a note says why",
    async (_, change, code) => {
      const fixture = await openVirtualTimeFixture(writeOrdersBy);
      const { order, payment } = await fixture.openOrder();
      fixture.fake.shop.edit(order.id, change);
      await payAndConfirm(fixture, payment);
      expect(await fixture.payment(payment)).toMatchObject({ state: "review", finding: { code } });
      expect(fixture.fake.shop.effects).toEqual([]);
      const { status = "" } = fixture.fake.shop.order(order.id) ?? {};
      expect(status).toBe("status" in change ? change.status : "on-hold");
      const notes = fixture.fake.shop.notes(order.id).filter((note) => note.includes("[tillkit hold "));
      expect(notes).toHaveLength(1);
    },
  );

  it("the payment of a deleted order goes to review and is not retried forever", async () => {
    const fixture = await openVirtualTimeFixture(writeOrdersBy);
    const { order, payment } = await fixture.openOrder();
    fixture.fake.shop.remove(order.id);
    await payAndConfirm(fixture, payment);
    expect(await fixture.payment(payment)).toMatchObject({ state: "review", finding: { code: "order_gone" } });
    const before = fixture.fake.requests.length;
    await fixture.runForSeconds(30);
    expect(fixture.fake.requests.length - before).toBeLessThan(5);
  });

  it.each<Disturbance>(["maintenance", "html", "notice", "redirect", "forbidden", "error", "hang-up", "silence"])(
    "a shop disturbed by %s when the payment arrives shows the payment after the disturbance",
    async (disturbance) => {
      const fixture = await openVirtualTimeFixture(writeOrdersBy);
      const { order, payment } = await fixture.openOrder();
      fixture.fake.faults.disturb(disturbance);
      await payAndConfirm(fixture, payment);
      expect((await fixture.payment(payment)).state).not.toBe("recorded");
      fixture.fake.faults.disturb(null);
      await fixture.runForSeconds(75);
      expect(await fixture.payment(payment)).toMatchObject({ state: "recorded" });
      expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
    },
  );

  it("a paid order of a shop that rejects the key waits, and is marked paid within a minute once the key works", async () => {
    const fixture = await openVirtualTimeFixture(writeOrdersBy);
    const { order, payment } = await fixture.openOrder();
    fixture.fake.setClockOffset(16 * 60_000);
    await payAndConfirm(fixture, payment);
    await fixture.runForSeconds(120);
    expect(fixture.log.filter(({ message }) => message === "job.dead_letter")).toEqual([]);
    expect(fixture.log.filter(({ message }) => message === "store.refuses")).toHaveLength(1);
    fixture.fake.setClockOffset(0);
    await fixture.runForSeconds(60);
    expect(await fixture.payment(payment)).toMatchObject({ state: "recorded" });
    expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
  });
});

describe("plugin route and REST API", () => {
  it("writeOrdersBy auto falls back to the REST API after the plugin was deactivated", async () => {
    const fixture = await openVirtualTimeFixture("auto");
    const { order, payment } = await fixture.openOrder();
    fixture.fake.setPlugin(null);
    await payAndConfirm(fixture, payment);
    expect(await fixture.payment(payment)).toMatchObject({ state: "recorded" });
    expect(fixture.fake.requests).toContain(`PUT wc/v3/orders/${order.id}`);
    expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
  });

  it("the order is read once before the plugin's conditional write and twice before a REST write", async () => {
    for (const [writeOrdersBy, reads] of [
      ["plugin", 1],
      ["rest", 2],
    ] as const) {
      const fixture = await openVirtualTimeFixture(writeOrdersBy);
      const { order, payment } = await fixture.openOrder();
      const before = fixture.fake.requests.length;
      await payAndConfirm(fixture, payment);
      expect(await fixture.payment(payment)).toMatchObject({ state: "recorded" });
      const orderReads = fixture.fake.requests
        .slice(before)
        .filter((request) => request === `GET wc/v3/orders/${order.id}`);
      expect(orderReads).toHaveLength(reads);
    }
  });

  it("writeOrdersBy auto sends no REST write if the plugin answers", async () => {
    const fixture = await openVirtualTimeFixture("auto");
    const { payment } = await fixture.openOrder();
    await payAndConfirm(fixture, payment);
    expect(fixture.fake.requests.filter((request) => request.startsWith("PUT"))).toEqual([]);
    expect(fixture.fake.requests).toContain("POST tillkit/v1/mark-paid");
  });

  it("a plugin that is switched off for 36 seconds and for ten minutes costs no paid order more than a minute, and its job says how to activate it", async () => {
    for (const seconds of [36, 600]) {
      const fixture = await openVirtualTimeFixture("plugin");
      const { order, payment } = await fixture.openOrder();
      fixture.fake.setPlugin(null);
      await payAndConfirm(fixture, payment);
      const retried = fixture.log.find(({ message }) => message === "job.retried");
      expect(retried?.fields.reason).toContain("activate the plugin");
      await fixture.runForSeconds(seconds);
      expect(fixture.fake.shop.effects).toEqual([]);
      // The first try named the order. The probes ask only whether the plugin is there.
      const timesSent = (route: string) => fixture.fake.requests.filter((request) => request.endsWith(route)).length;
      expect(timesSent("mark-paid")).toBe(1);
      expect(timesSent("ping")).toBeGreaterThan(0);
      fixture.fake.setPlugin(PLUGIN);
      await fixture.runForSeconds(60);
      expect(await fixture.payment(payment)).toMatchObject({ state: "recorded" });
      expect(fixture.fake.shop.stockTaken(order.id)).toBe(1);
      expect(fixture.log.filter(({ message }) => message === "job.dead_letter")).toEqual([]);
    }
  });
});

/** Pays, and runs the confirmation job of a webhook with its retries. */
async function payAndConfirm(fixture: VirtualTimeFixture, payment: { readonly id: string }): Promise<void> {
  const stored = await fixture.ledger.find({ id: payment.id });
  if (!stored) throw new Error("This payment does not exist.");
  fixture.pay(stored);
  const now = fixture.clock.now();
  const job = { kind: "confirm", storeId: "boutique", paymentId: payment.id, payload: "", dueAt: now } as const;
  await fixture.ledger.commit({ jobs: [job], timeline: [] });
  await fixture.runForSeconds(8);
}
