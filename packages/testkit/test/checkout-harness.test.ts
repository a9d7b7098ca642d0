import { confirmPayment, money } from "@tillkit/core";
import { findPaidOrderViolations, type MiniatureStore } from "@tillkit/testkit";
import { type CheckoutHarness, createCheckoutHarness } from "@tillkit/testkit/checkout-harness";
import { afterEach, describe, expect, it } from "vitest";

const ORDER_INPUT = { total: money(5_000, "XOF"), title: "Deux paniers d'été", language: "fr" } as const;
/** Three kinds of platforms: the first calls us to authorize a payment, the second has no conditional write, the third has no reads. */
const KINDS: readonly MiniatureStore["kind"][] = ["callback", "read-then-write", "write-only"];

/** Loses the first 20 deliveries of webhooks, which is more than a test causes. */
const NO_WEBHOOKS = { delivery: { dropFirst: 20 } };

const openHarnesses: CheckoutHarness[] = [];
afterEach(async () => {
  for (const harness of openHarnesses.splice(0)) await harness.close();
});

describe.each(KINDS)("from checkout to paid order over HTTP with the %s store", (kind) => {
  it("the webhook alone pays an order", async () => {
    const { harness, expectPaidOnce } = await openHarness();
    const placed = await harness.store.placeOrder(ORDER_INPUT);
    const { id, session } = await harness.startCheckout(placed);
    await harness.sandbox.control.paySession(session?.id ?? "", { method: "card", outcome: "completed" });
    await harness.runUntil(async () => (await harness.payment(id)).state === "recorded");
    await expectPaidOnce(placed.ref.orderId, id);
  });

  it("the timer alone pays an order when the webhook is lost", async () => {
    const { harness, expectPaidOnce } = await openHarness();
    await harness.sandbox.control.changeSettings(NO_WEBHOOKS);
    const placed = await harness.store.placeOrder(ORDER_INPUT);
    const { id, session } = await harness.startCheckout(placed);
    await harness.sandbox.control.paySession(session?.id ?? "", { method: "card", outcome: "completed" });
    await harness.advanceTime(3 * 60_000);
    expect((await harness.payment(id)).state).toBe("recorded");
    await expectPaidOnce(placed.ref.orderId, id);
  });

  it("an order is paid after the process was restarted and the answer to the write was lost", async () => {
    const { harness, expectPaidOnce } = await openHarness();
    await harness.sandbox.control.changeSettings(NO_WEBHOOKS);
    const placed = await harness.store.placeOrder(ORDER_INPUT);
    const { id, session } = await harness.startCheckout(placed);
    const { transaction_id: transaction } = await harness.sandbox.control.paySession(session?.id ?? "", {
      method: "wave",
      outcome: "pending",
    });
    await confirmPayment(harness.engine(), id, { actor: "shopper" });
    harness.killAndRestart();
    await harness.advanceTime(60_000);
    expect(harness.store.probe.effects()).toEqual([]);
    await harness.sandbox.control.completeTransaction(String(transaction));
    // The store marks the order paid, but its answer does not arrive.
    harness.store.failNextWrite("lost-after-effect");
    await harness.advanceTime(15 * 60_000);
    expect((await harness.payment(id)).state).toBe("recorded");
    await expectPaidOnce(placed.ref.orderId, id);
  });

  async function openHarness() {
    const harness = await createCheckoutHarness({ store: kind });
    openHarnesses.push(harness);
    const expectPaidOnce = async (orderId: string, paymentId: string) => {
      const { ref, amountDue } = await harness.payment(paymentId);
      const facts = { orderId: ref.orderId, completed: true, paid: amountDue, waived: false };
      const factsOf = (id: string) => (id === paymentId ? facts : null);
      expect(harness.store.probe.effects(orderId)).toHaveLength(1);
      expect(findPaidOrderViolations(harness.store.probe.effects(), factsOf)).toEqual([]);
    };
    return { harness, expectPaidOnce };
  }
});
