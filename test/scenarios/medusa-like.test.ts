import { codeOf, limits, refundPayment, verifyPayment } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  expectPaymentIn,
  FIVE_THOUSAND,
  LEDGERS,
  MINUTE,
  openFixture,
  type ScenarioFixture,
  SECOND,
} from "./fixture.ts";

describe.each(LEDGERS)("a Medusa-like shop, with the ledger in %s", (ledger) => {
  it("2 · a cart becomes one order when webhook and browser complete it together and the shop calls us under its own lock", async () => {
    const fixture = await openFixture("callback", { ledger });
    const placed = await fixture.placeOrder();
    const payment = await fixture.startCheckout(placed);
    fixture.store.setLatency(SECOND);
    await fixture.deliver(fixture.service.pay(payment));
    // Another worker holds the order's lease; the shop's callback under its cart lock must not wait for that lease.
    const fence = await fixture.ledger.lockOrder(
      placed.ref,
      "another process",
      fixture.clock.now(),
      limits.orderLeaseMs,
    );
    const browser = fixture.store.completeCart(placed.ref.orderId);
    await fixture.run(10 * SECOND);
    expect(await browser).not.toBeNull();
    await fixture.ledger.unlockOrder(placed.ref, fence ?? 0);
    await fixture.run(2 * MINUTE);
    await expectPaymentIn(fixture, placed, "recorded");
    expect(fixture.store.probe.effects()).toHaveLength(1);
  });

  it("2 · a cart becomes one order whatever time passes between webhook and browser", async () => {
    for (let ms = 0; ms <= 4_000; ms += 500) {
      const fixture = await openFixture("callback", { ledger });
      const placed = await fixture.placeOrder();
      const payment = await fixture.startCheckout(placed);
      fixture.store.setLatency(SECOND);
      await fixture.deliver(fixture.service.pay(payment));
      await fixture.run(ms);
      void fixture.store.completeCart(placed.ref.orderId);
      await fixture.run(2 * MINUTE);
      await expectPaymentIn(fixture, placed, "recorded");
      expect(fixture.store.probe.effects()).toHaveLength(1);
    }
  });

  it("3 · a payment has the payment collection as its order and the payment session as its attempt, and a changed cart starts another attempt", async () => {
    const fixture = await openFixture("callback", { ledger });
    const placed = await fixture.placeOrder();
    const payment = await fixture.startCheckout(placed);
    const body = JSON.parse(payment.request) as { metadata: unknown };
    expect(payment).toMatchObject({ ref: { orderId: placed.ref.orderId }, attempt: placed.attempt });
    expect(body.metadata).toMatchObject({ tillkit_reference: payment.reference, tillkit_store: placed.ref.storeId });

    // The shopper changes the cart, so the shop and we start another payment session.
    const changed = await fixture.store.editTotal(placed.ref.orderId, { minor: 7_000, currency: "XOF" });
    const second = await fixture.startCheckout(changed);
    const found = await fixture.ledger.find({ attempt: changed.attempt, storeId: changed.ref.storeId });
    expect(found?.id).toBe(second.id);
    fixture.service.pay(second);
    const verdict = await verifyPayment(fixture.engine(), second.id);
    expect(verdict).toMatchObject({ status: "paid", receipt: { paid: { minor: 7_000, currency: "XOF" } } });
    expect((await fixture.payment(payment.id)).state).toBe("superseded");
  });

  it("4 · the money is refunded once when a refund times out and the shop asks again under a new key", async () => {
    const { fixture, paymentId } = await paidOrder(ledger);
    fixture.service.loseAnswers.push("error");
    const request = { paymentId, amount: FIVE_THOUSAND, origin: "store" } as const;
    expect(await refundPayment(fixture.engine(), { ...request, key: "ref_1" })).toMatchObject({ state: "unknown" });
    fixture.crash();
    expect(await refundPayment(fixture.engine(), { ...request, key: "ref_2" })).toMatchObject({ state: "completed" });
    await fixture.run(2 * MINUTE);
    expect(fixture.service.refunds).toMatchObject([{ key: "ref_1", wireAmount: 5_000 }]);
    expect((await fixture.payment(paymentId)).state).toBe("refunded");
  });

  it("4 · no second refund is sent while the first refund is in doubt and the service is down, whatever its amount", async () => {
    const { fixture, paymentId } = await paidOrder(ledger);
    fixture.service.loseAnswers.push("error");
    const request = { paymentId, amount: FIVE_THOUSAND, origin: "store" } as const;
    await refundPayment(fixture.engine(), { ...request, key: "ref_1" });
    fixture.service.down = true;
    for (const minor of [5_000, 1_000]) {
      const again = { ...request, amount: { minor, currency: "XOF" }, key: `another of ${minor}` };
      expect(await refundPayment(fixture.engine(), again).catch(codeOf)).toBe("refund_in_doubt");
    }
    fixture.service.down = false;
    await fixture.run(3 * MINUTE);
    expect(fixture.service.refunds).toHaveLength(1);
  });

  it("5 · nothing is refunded and the order is made later when the shop's database fails after we authorized the payment and the shop cancels", async () => {
    let failures = 1;
    const failOnce: NonNullable<Parameters<typeof openFixture>[1]>["wrapAuthorize"] = (ask) => async (paymentId) => {
      const verdict = await ask(paymentId);
      failures -= 1;
      if (failures >= 0) throw new Error("The shop's database is gone in the middle of its transaction.");
      return verdict;
    };
    const fixture = await openFixture("callback", { ledger, wrapAuthorize: failOnce });
    const placed = await fixture.placeOrder();
    const payment = await fixture.startCheckout(placed);
    await fixture.deliver(fixture.service.pay(payment));
    expect(await fixture.store.completeCart(placed.ref.orderId)).toBeNull();
    // cancelPayment of the platform only reads: the money arrived, so nothing is cancelled or refunded.
    expect(await verifyPayment(fixture.engine(), payment.id)).toMatchObject({ status: "paid" });
    await fixture.run(MINUTE);
    expect(fixture.service.refunds).toEqual([]);
    expect(fixture.store.probe.effects()).toMatchObject([{ paymentId: payment.id }]);
    await expectPaymentIn(fixture, placed, "recorded");
  });
});

async function paidOrder(
  ledger: (typeof LEDGERS)[number],
): Promise<{ readonly fixture: ScenarioFixture<"callback">; readonly paymentId: string }> {
  const fixture = await openFixture("callback", { ledger });
  const placed = await fixture.placeOrder();
  const payment = await fixture.startCheckout(placed);
  await fixture.deliver(fixture.service.pay(payment));
  await fixture.run(5 * SECOND);
  await expectPaymentIn(fixture, placed, "recorded");
  return { fixture, paymentId: payment.id };
}
