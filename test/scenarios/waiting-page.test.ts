import { type Payment, runDue, startCheckout, watchPayment } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { CALLS_A_MINUTE, mostInAMinute, overLiveKey } from "./live-key.ts";
import { MINUTE, openScene, type Scene, SECOND } from "./scene.ts";

const SHOPPERS = 200;

describe("200 shoppers on the waiting page", () => {
  it("16 · stay under 60 calls a minute without any webhook, all are served within ten minutes, and others can still begin to pay", {
    timeout: 60_000,
  }, async () => {
    const scene = await openScene("read-then-write", { reach: overLiveKey });
    const payments = await everybodyOpens(scene);
    const begin = scene.clock.now();
    for (const payment of payments) scene.service.pay(payment);

    const newcomers: Promise<unknown>[] = [];
    while (scene.clock.now() < begin + 10 * MINUTE) {
      for (const { id } of payments) await watchPayment(scene.engine(), id);
      if ((scene.clock.now() - begin) % (20 * SECOND) === 0) newcomers.push(openAnother(scene));
      void runDue(scene.engine());
      await scene.clock.advance(2 * SECOND);
    }

    expect(mostInAMinute(scene.service)).toBeLessThanOrEqual(CALLS_A_MINUTE);
    const paid = new Set(scene.store.probe.effects().map(({ paymentId }) => paymentId));
    expect(payments.filter(({ id }) => !paid.has(id))).toEqual([]);
    expect(scene.store.probe.effects()).toHaveLength(SHOPPERS);
    const opened = await Promise.allSettled(newcomers);
    expect(opened.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(opened).toHaveLength(30);
  });
});

async function everybodyOpens(scene: Scene): Promise<Payment[]> {
  const payments: Payment[] = [];
  for (let shopper = 0; shopper < SHOPPERS; shopper += 1) {
    const pressing = scene.placeOrder().then(scene.pressPay);
    await scene.clock.advance(1.5 * SECOND);
    payments.push(await pressing);
  }
  return payments;
}

async function openAnother(scene: Scene): Promise<void> {
  const { ref, attempt } = await scene.placeOrder();
  const order = await scene.store.adapter.findOrder(ref, attempt);
  if (!order) throw new Error("The order was placed a moment ago.");
  await startCheckout(scene.engine(), order);
}
