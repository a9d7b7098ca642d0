import { confirmForShopper, recordCancel, startCheckout } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { HOUR, LEDGERS, MINUTE, openScene, paymentIn, SECOND } from "./scene.ts";

const KINDS = ["read-then-write", "callback", "write-only"] as const;
const WORLDS = KINDS.flatMap((kind) => LEDGERS.map((ledger) => ({ kind, ledger })));

describe.each(WORLDS)("signals to a shop that is $kind, with the ledger in $ledger", ({ kind, ledger }) => {
  it("18 · the webhook comes ten times with fresh ids, in one moment and once more a day later: paid once, read a few times", async () => {
    const scene = await openScene(kind, { ledger });
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    const events = Array.from({ length: 10 }, () => scene.service.pay(payment));
    expect(new Set(events.map(({ bytes }) => String(bytes))).size).toBe(10);
    const answers = await Promise.all(events.map((event) => scene.deliver(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await scene.run(30 * SECOND);
    await paymentIn(scene, placed, "recorded");
    const reads = scene.service.calls.length;
    // One signal reads; those that found the order busy see that it is done, and ask nothing.
    expect(reads).toBeLessThanOrEqual(kind === "callback" ? 4 : 3);
    await scene.pass(24 * HOUR);
    await scene.deliver(scene.service.pay(payment));
    await scene.run(30 * SECOND);
    expect(scene.service.calls).toHaveLength(reads);
    expect(scene.store.probe.effects()).toHaveLength(1);
  });

  it("18 · the return is lost: the webhook alone pays", async () => {
    const scene = await openScene(kind, { ledger });
    const placed = await scene.placeOrder();
    await scene.deliver(scene.service.pay(await scene.pressPay(placed)));
    await scene.run(5 * SECOND);
    await paymentIn(scene, placed, "recorded");
    expect(scene.store.probe.effects()).toHaveLength(1);
  });

  it("18 · the webhook is lost: the return alone pays", async () => {
    const scene = await openScene(kind, { ledger });
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    scene.service.pay(payment);
    expect(await confirmForShopper(scene.engine(), payment.id)).toMatchObject({ say: "paid" });
    expect(scene.store.probe.effects()).toHaveLength(1);
  });

  it("18 · two tabs, both paid: the order is paid once, and the owner sees the second payment", async () => {
    const scene = await openScene(kind, { ledger });
    const placed = await scene.placeOrder();
    const first = await scene.pressPay(placed);
    await scene.pass(55 * MINUTE);
    const second = await scene.pressPay(placed);
    expect(second.id).not.toBe(first.id);
    const events = [scene.service.pay(second), scene.service.pay(first)];
    await Promise.all(events.map((event) => scene.deliver(event)));
    await scene.run(MINUTE);
    const recorded = await paymentIn(scene, placed, "recorded");
    await paymentIn(scene, placed, "duplicate");
    expect(scene.store.probe.effects()).toMatchObject([{ paymentId: recorded.id }]);
    expect(await scene.store.probe.notes(placed.ref.orderId)).toHaveLength(1);
  });

  it("18 · cancel, then pay: the cancel link touched nothing, and the same page pays", async () => {
    const scene = await openScene(kind, { ledger });
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    const status = scene.store.probe.status(placed.ref.orderId);
    await recordCancel(scene.engine(), payment.id);
    await scene.run(MINUTE);
    expect(scene.store.probe.status(placed.ref.orderId)).toBe(status);
    const order = await scene.store.adapter.findOrder(placed.ref, placed.attempt);
    if (!order) throw new Error("The order is still there.");
    expect(await startCheckout(scene.engine(), order)).toMatchObject({ say: "redirect", paymentId: payment.id });
    await scene.deliver(scene.service.pay(payment));
    await scene.run(5 * SECOND);
    await paymentIn(scene, placed, "recorded");
  });

  it("18 · a late success after expiry, its webhook lost: the next scheduled read pays the order", async () => {
    const scene = await openScene(kind, { ledger });
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    await scene.pass(5 * HOUR);
    await paymentIn(scene, placed, "expired");
    scene.service.pay(payment);
    await scene.pass(24 * HOUR);
    await paymentIn(scene, placed, "recorded");
    expect(scene.store.probe.effects()).toHaveLength(1);
  });
});
