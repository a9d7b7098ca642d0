import { confirmPayment, money } from "@tillkit/core";
import { findPaidOrderViolations, type MiniatureStore } from "@tillkit/testkit";
import { type CheckoutHarness, createCheckoutHarness } from "@tillkit/testkit/checkout-harness";
import { afterEach, describe, expect, it } from "vitest";

const ORDER_INPUT = { total: money(5_000, "XOF"), title: "Deux paniers d'été", language: "fr" } as const;
const KINDS: readonly MiniatureStore["kind"][] = ["callback", "read-then-write", "write-only"];

const openHarnesses: CheckoutHarness[] = [];
afterEach(async () => {
  for (const harness of openHarnesses.splice(0)) await harness.close();
});

describe.each(KINDS)("the whole way over HTTP with the %s store", (kind) => {
  it("the webhook alone pays an order", async () => {
    const { harness, paidOnce } = await openHarness();
    const placed = await harness.store.placeOrder(ORDER_INPUT);
    const { id, session } = await harness.startCheckout(placed);
    await harness.sandbox.control.paySession(session?.id ?? "", { method: "card", outcome: "completed" });
    await harness.runUntil(async () => (await harness.payment(id)).state === "recorded");
    await paidOnce(placed.ref.orderId, id);
  });

  it("the timer alone pays an order when the webhook is lost", async () => {
    const { harness, paidOnce } = await openHarness();
    await harness.sandbox.control.changeSettings({ delivery: { dropFirst: 20 } });
    const placed = await harness.store.placeOrder(ORDER_INPUT);
    const { id, session } = await harness.startCheckout(placed);
    await harness.sandbox.control.paySession(session?.id ?? "", { method: "card", outcome: "completed" });
    await harness.advanceTime(3 * 60_000);
    expect((await harness.payment(id)).state).toBe("recorded");
    await paidOnce(placed.ref.orderId, id);
  });

  it("an order is paid although the payment completed long after the process was killed", async () => {
    const { harness, paidOnce } = await openHarness();
    await harness.sandbox.control.changeSettings({ delivery: { dropFirst: 20 } });
    const placed = await harness.store.placeOrder(ORDER_INPUT);
    const { id, session } = await harness.startCheckout(placed);
    const { transaction_id: transaction } = await harness.sandbox.control.paySession(session?.id ?? "", {
      method: "wave",
      outcome: "pending",
    });
    await confirmPayment(harness.engine(), id, { actor: "shopper" });
    harness.kill();
    await harness.advanceTime(60_000);
    expect(harness.store.probe.effects()).toEqual([]);
    await harness.sandbox.control.completeTransaction(String(transaction));
    harness.store.failNextWrite("lost-after-effect");
    await harness.advanceTime(15 * 60_000);
    expect((await harness.payment(id)).state).toBe("recorded");
    await paidOnce(placed.ref.orderId, id);
  });

  async function openHarness() {
    const harness = await createCheckoutHarness({ store: kind });
    openHarnesses.push(harness);
    const paidOnce = async (orderId: string, paymentId: string) => {
      const { ref, amountDue } = await harness.payment(paymentId);
      const facts = { orderId: ref.orderId, completed: true, paid: amountDue, waived: false };
      expect(harness.store.probe.effects(orderId)).toHaveLength(1);
      expect(findPaidOrderViolations(harness.store.probe.effects(), (id) => (id === paymentId ? facts : null))).toEqual(
        [],
      );
    };
    return { harness, paidOnce };
  }
});
