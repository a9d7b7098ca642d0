import { confirmPayment, reconcileStore } from "@tillkit/core";
import type { Disturbance } from "@tillkit/woocommerce/fake";
import { describe, expect, it } from "vitest";
import { openVirtualWorld, type VirtualWorld } from "./virtual-world.ts";

const WAYS = ["plugin", "rest", "auto"] as const;

describe.each(WAYS)("a shop that is written by %s", (way) => {
  it("twenty signals at once change its status once and take stock once", async () => {
    const world = await openVirtualWorld(way);
    const { order, payment } = await world.openOrder();
    world.fake.faults.setLatency(0);
    world.pay(payment);
    await Promise.all(
      Array.from({ length: 20 }, () => confirmPayment(world.engine(), payment.id, { actor: "webhook" })),
    );
    await world.run(5);
    expect(await world.payment(payment)).toMatchObject({ state: "recorded" });
    expect(world.fake.shop.effects).toHaveLength(1);
    expect(world.fake.shop.stockTaken(order.id)).toBe(1);
  });

  it.each([20, 60, 115])(
    "a write that lands %i seconds later, after its process was killed, pays once",
    async (seconds) => {
      const world = await openVirtualWorld(way);
      const { order, payment } = await world.openOrder();
      world.pay(payment);
      world.fake.faults.failNextWrite({ lateMs: seconds * 1_000 });
      void confirmPayment(world.engine(), payment.id, { actor: "webhook" }).catch(() => undefined);
      await world.run(3);
      world.kill();
      await world.run(200);
      expect(await world.payment(payment)).toMatchObject({ state: "recorded", storeWriteAt: null });
      expect(world.fake.shop.effects).toHaveLength(1);
      expect(world.fake.shop.stockTaken(order.id)).toBe(1);
    },
  );

  it("a process that is killed between the shop's answer and our own note of it pays once", async () => {
    const world = await openVirtualWorld(way);
    const { order, payment } = await world.openOrder();
    world.pay(payment);
    void confirmPayment(world.engine(), payment.id, { actor: "webhook" }).catch(() => undefined);
    // The order is paid in the shop, and whoever waited for the answer is dead before it can be noted.
    while (world.fake.shop.effects.length === 0) await new Promise((resolve) => setImmediate(resolve));
    world.kill();
    expect((await world.payment(payment)).state).toBe("verified");
    await world.run(170);
    expect(await world.payment(payment)).toMatchObject({ state: "recorded" });
    expect(world.fake.shop.effects).toHaveLength(1);
    expect(world.fake.shop.stockTaken(order.id)).toBe(1);
  });

  it("an order that is paid says so in one note, with payment and transaction", async () => {
    const world = await openVirtualWorld(way);
    const { order, payment } = await world.openOrder({ meta: { _tillkit_language: "en" } });
    await payAndLook(world, payment);
    expect(await world.payment(payment)).toMatchObject({ state: "recorded" });
    const notes = world.fake.shop.notes(order.id).filter((note) => note.startsWith("Paid"));
    expect(notes).toEqual([expect.stringContaining(payment.id)]);
    expect(notes[0]).toContain(`tx_${payment.session?.id}`);
  });

  it("an order that its owner put on hold meanwhile is paid all the same, with the right stock", async () => {
    const world = await openVirtualWorld(way);
    const { order, payment } = await world.openOrder();
    world.fake.shop.edit(order.id, { status: "on-hold" });
    await payAndLook(world, payment);
    expect(await world.payment(payment)).toMatchObject({ state: "recorded" });
    expect(world.fake.shop.order(order.id)?.status).toBe("processing");
    expect(world.fake.shop.stockTaken(order.id)).toBe(1);
  });

  it.each([
    ["cancelled", { status: "cancelled" }, "order_not_payable"],
    ["put into the bin", { status: "trash" }, "order_not_payable"],
    ["edited to another total", { total: "6000" }, "total_changed"],
    ["edited to another currency", { currency: "EUR" }, "total_changed"],
    ["edited to a total that cannot be paid", { total: "5000.50" }, "total_changed"],
  ])("an order that was %s meanwhile is not paid, and the owner sees why", async (_, change, code) => {
    const world = await openVirtualWorld(way);
    const { order, payment } = await world.openOrder();
    world.fake.shop.edit(order.id, change);
    await payAndLook(world, payment);
    expect(await world.payment(payment)).toMatchObject({ state: "review", finding: { code } });
    expect(world.fake.shop.effects).toEqual([]);
    const { status = "" } = world.fake.shop.order(order.id) ?? {};
    expect(status).toBe("status" in change ? change.status : "on-hold");
    const notes = world.fake.shop.notes(order.id).filter((note) => note.includes("[tillkit hold "));
    expect(notes).toHaveLength(1);
  });

  it("an order that was deleted is a finding, not an endless try", async () => {
    const world = await openVirtualWorld(way);
    const { order, payment } = await world.openOrder();
    world.fake.shop.remove(order.id);
    await payAndLook(world, payment);
    expect(await world.payment(payment)).toMatchObject({ state: "review", finding: { code: "order_gone" } });
    const before = world.fake.requests.length;
    await world.run(30);
    expect(world.fake.requests.length - before).toBeLessThan(5);
  });

  it.each<Disturbance>(["maintenance", "html", "notice", "redirect", "forbidden", "error", "hang-up", "silence"])(
    "a shop that answers with %s when the money comes shows it once it is well again",
    async (how) => {
      const world = await openVirtualWorld(way);
      const { order, payment } = await world.openOrder();
      world.fake.faults.disturb(how);
      await payAndLook(world, payment);
      expect((await world.payment(payment)).state).not.toBe("recorded");
      world.fake.faults.disturb(null);
      await world.run(75);
      expect(await world.payment(payment)).toMatchObject({ state: "recorded" });
      expect(world.fake.shop.stockTaken(order.id)).toBe(1);
    },
  );

  it("a shop that refuses our key is left alone, and the daily sweep finds the order once the key is right", async () => {
    const world = await openVirtualWorld(way);
    const { order, payment } = await world.openOrder();
    world.fake.setClockOffset(16 * 60_000);
    await payAndLook(world, payment);
    expect(
      world.log.some(({ message, fields }) => message === "job.dead" && /reconnect/.test(String(fields.reason))),
    ).toBe(true);
    world.fake.setClockOffset(0);
    await world.run(70);
    const swept = await reconcileStore(world.engine(), "boutique", world.clock.now() - 86_400_000);
    await world.run(5);
    expect(swept.orders).toBe(1);
    expect(await world.payment(payment)).toMatchObject({ state: "recorded" });
    expect(world.fake.shop.stockTaken(order.id)).toBe(1);
  });
});

describe("the plugin's route and the shop's own API", () => {
  it("stand in for each other: a shop whose plugin is switched off meanwhile is paid by its API", async () => {
    const world = await openVirtualWorld("auto");
    const { order, payment } = await world.openOrder();
    world.fake.setPlugin(null);
    await payAndLook(world, payment);
    expect(await world.payment(payment)).toMatchObject({ state: "recorded" });
    expect(world.fake.requests).toContain(`PUT wc/v3/orders/${order.id}`);
    expect(world.fake.shop.stockTaken(order.id)).toBe(1);
  });

  it("read the order once where the plugin compares it under its lock, and anew where nothing compares it", async () => {
    for (const [way, reads] of [
      ["plugin", 1],
      ["rest", 2],
    ] as const) {
      const world = await openVirtualWorld(way);
      const { order, payment } = await world.openOrder();
      const before = world.fake.requests.length;
      await payAndLook(world, payment);
      expect(await world.payment(payment)).toMatchObject({ state: "recorded" });
      const read = world.fake.requests.slice(before).filter((request) => request === `GET wc/v3/orders/${order.id}`);
      expect(read).toHaveLength(reads);
    }
  });

  it("never meet: where the plugin answers, the API does not mark anything paid", async () => {
    const world = await openVirtualWorld("auto");
    const { payment } = await world.openOrder();
    await payAndLook(world, payment);
    expect(world.fake.requests.filter((request) => request.startsWith("PUT"))).toEqual([]);
    expect(world.fake.requests).toContain("POST tillkit/v1/settle");
  });

  it("an owner who asked for the plugin alone is told when it is switched off", async () => {
    const world = await openVirtualWorld("plugin");
    const { payment } = await world.openOrder();
    world.fake.setPlugin(null);
    await payAndLook(world, payment);
    const parked = world.log.find(({ message }) => message === "job.dead");
    expect(parked?.fields.reason).toContain("activate the plugin");
    expect(world.fake.shop.effects).toEqual([]);
  });
});

/** The money comes, and a webhook's job looks; whatever fails then is the worker's. */
async function payAndLook(world: VirtualWorld, payment: { id: string; session: unknown }): Promise<void> {
  const known = await world.ledger.find({ id: payment.id });
  if (!known) throw new Error("This payment was never begun.");
  world.pay(known);
  const at = world.clock.now();
  const job = { kind: "confirm", storeId: "boutique", paymentId: payment.id, payload: "", dueAt: at } as const;
  await world.ledger.commit({ jobs: [job], timeline: [] });
  await world.run(8);
}
