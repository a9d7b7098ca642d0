import { codeOf, limits, refundPayment, verifyPayment } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { FIVE_THOUSAND, LEDGERS, MINUTE, openScene, paymentIn, type Scene, SECOND } from "./scene.ts";

describe.each(LEDGERS)("a Medusa-like shop, with the ledger in %s", (ledger) => {
  it("2 · webhook and browser complete the cart together, while the shop asks us under its own lock: one order", async () => {
    const scene = await openScene("callback", { ledger });
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    scene.store.setLatency(SECOND);
    await scene.deliver(scene.service.pay(payment));
    // Whoever holds the order's lease: what the shop asks under its cart lock must not wait for it.
    const fence = await scene.ledger.lockOrder(placed.ref, "another process", scene.clock.now(), limits.orderLeaseMs);
    const browser = scene.store.completeCart(placed.ref.orderId);
    await scene.run(10 * SECOND);
    expect(await browser).not.toBeNull();
    await scene.ledger.unlockOrder(placed.ref, fence ?? 0);
    await scene.run(2 * MINUTE);
    await paymentIn(scene, placed, "recorded");
    expect(scene.store.probe.effects()).toHaveLength(1);
  });

  it("2 · webhook and browser race for the cart at any distance: one order", async () => {
    for (let ms = 0; ms <= 4_000; ms += 500) {
      const scene = await openScene("callback", { ledger });
      const placed = await scene.placeOrder();
      const payment = await scene.pressPay(placed);
      scene.store.setLatency(SECOND);
      await scene.deliver(scene.service.pay(payment));
      await scene.run(ms);
      void scene.store.completeCart(placed.ref.orderId);
      await scene.run(2 * MINUTE);
      await paymentIn(scene, placed, "recorded");
      expect(scene.store.probe.effects()).toHaveLength(1);
    }
  });

  it("3 · initiate knows no cart and authorize no amount: the payment collection is the order, the payment session its attempt", async () => {
    const scene = await openScene("callback", { ledger });
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    const sent = JSON.parse(payment.request) as { metadata: unknown };
    expect(payment).toMatchObject({ ref: { orderId: placed.ref.orderId }, attempt: placed.attempt });
    expect(sent.metadata).toMatchObject({ tillkit_reference: payment.reference, tillkit_store: placed.ref.storeId });

    // The shopper changes the cart: the shop begins another payment session, and so do we.
    const changed = await scene.store.editTotal(placed.ref.orderId, { minor: 7_000, currency: "XOF" });
    const second = await scene.pressPay(changed);
    const found = await scene.ledger.find({ attempt: changed.attempt, storeId: changed.ref.storeId });
    expect(found?.id).toBe(second.id);
    scene.service.pay(second);
    const verdict = await verifyPayment(scene.engine(), second.id);
    expect(verdict).toMatchObject({ say: "paid", receipt: { paid: { minor: 7_000, currency: "XOF" } } });
    expect((await scene.payment(payment.id)).state).toBe("superseded");
  });

  it("4 · a refund times out, the shop forgets it and asks again under a new name: the money goes back once", async () => {
    const { scene, paymentId } = await paidOrder(ledger);
    scene.service.loseAnswers.push("error");
    const wish = { paymentId, amount: FIVE_THOUSAND, origin: "store" } as const;
    expect(await refundPayment(scene.engine(), { ...wish, key: "ref_1" })).toMatchObject({ state: "unknown" });
    scene.kill();
    expect(await refundPayment(scene.engine(), { ...wish, key: "ref_2" })).toMatchObject({ state: "completed" });
    await scene.run(2 * MINUTE);
    expect(scene.service.refunds).toMatchObject([{ key: "ref_1", wireAmount: 5_000 }]);
    expect((await scene.payment(paymentId)).state).toBe("refunded");
  });

  it("4 · while the first refund is in doubt and the service is down, no second one leaves, whatever its amount", async () => {
    const { scene, paymentId } = await paidOrder(ledger);
    scene.service.loseAnswers.push("error");
    const wish = { paymentId, amount: FIVE_THOUSAND, origin: "store" } as const;
    await refundPayment(scene.engine(), { ...wish, key: "ref_1" });
    scene.service.down = true;
    for (const minor of [5_000, 1_000]) {
      const again = { ...wish, amount: { minor, currency: "XOF" }, key: `another of ${minor}` };
      expect(await refundPayment(scene.engine(), again).catch(codeOf)).toBe("refund_in_doubt");
    }
    scene.service.down = false;
    await scene.run(3 * MINUTE);
    expect(scene.service.refunds).toHaveLength(1);
  });

  it("5 · the shop's own database fails after we said paid, and it cancels: nothing is given back, and the order is made later", async () => {
    let failures = 1;
    const askedBy: NonNullable<Parameters<typeof openScene>[1]>["askedBy"] = (ask) => async (paymentId) => {
      const verdict = await ask(paymentId);
      failures -= 1;
      if (failures >= 0) throw new Error("The shop's database is gone in the middle of its transaction.");
      return verdict;
    };
    const scene = await openScene("callback", { ledger, askedBy });
    const placed = await scene.placeOrder();
    const payment = await scene.pressPay(placed);
    await scene.deliver(scene.service.pay(payment));
    expect(await scene.store.completeCart(placed.ref.orderId)).toBeNull();
    // What cancelPayment of the platform may do: look. The money is here, so nothing is cancelled and nothing goes back.
    expect(await verifyPayment(scene.engine(), payment.id)).toMatchObject({ say: "paid" });
    await scene.run(MINUTE);
    expect(scene.service.refunds).toEqual([]);
    expect(scene.store.probe.effects()).toMatchObject([{ paymentId: payment.id }]);
    await paymentIn(scene, placed, "recorded");
  });
});

async function paidOrder(
  ledger: (typeof LEDGERS)[number],
): Promise<{ readonly scene: Scene<"callback">; readonly paymentId: string }> {
  const scene = await openScene("callback", { ledger });
  const placed = await scene.placeOrder();
  const payment = await scene.pressPay(placed);
  await scene.deliver(scene.service.pay(payment));
  await scene.run(5 * SECOND);
  await paymentIn(scene, placed, "recorded");
  return { scene, paymentId: payment.id };
}
