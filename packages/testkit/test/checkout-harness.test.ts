import { confirmPayment, money } from "@tillkit/core";
import { findPaidOrderViolations, type MiniatureStore } from "@tillkit/testkit";
import { type CheckoutHarness, createCheckoutHarness } from "@tillkit/testkit/checkout-harness";
import { afterEach, describe, expect, it } from "vitest";

const WISH = { total: money(5_000, "XOF"), title: "Deux paniers d'été", language: "fr" } as const;
const KINDS: readonly MiniatureStore["kind"][] = ["callback", "read-then-write", "write-only"];

const open: CheckoutHarness[] = [];
afterEach(async () => {
  for (const till of open.splice(0)) await till.close();
});

describe.each(KINDS)("the whole way over HTTP with the %s store", (kind) => {
  it("pays an order by the webhook alone", async () => {
    const { till, paidOnce } = await openTill();
    const placed = await till.store.placeOrder(WISH);
    const { id, session } = await till.startCheckout(placed);
    await till.sandbox.control.paySession(session?.id ?? "", { method: "card", outcome: "completed" });
    await till.runUntil(async () => (await till.payment(id)).state === "recorded");
    await paidOnce(placed.ref.orderId, id);
  });

  it("pays an order by the timer alone when the webhook never comes", async () => {
    const { till, paidOnce } = await openTill();
    await till.sandbox.control.changeSettings({ delivery: { dropFirst: 20 } });
    const placed = await till.store.placeOrder(WISH);
    const { id, session } = await till.startCheckout(placed);
    await till.sandbox.control.paySession(session?.id ?? "", { method: "card", outcome: "completed" });
    await till.advanceTime(3 * 60_000);
    expect((await till.payment(id)).state).toBe("recorded");
    await paidOnce(placed.ref.orderId, id);
  });

  it("pays an order of which the money arrived long after the process was killed", async () => {
    const { till, paidOnce } = await openTill();
    await till.sandbox.control.changeSettings({ delivery: { dropFirst: 20 } });
    const placed = await till.store.placeOrder(WISH);
    const { id, session } = await till.startCheckout(placed);
    const { transaction_id: transaction } = await till.sandbox.control.paySession(session?.id ?? "", {
      method: "wave",
      outcome: "pending",
    });
    await confirmPayment(till.engine(), id, { actor: "shopper" });
    till.kill();
    await till.advanceTime(60_000);
    expect(till.store.probe.effects()).toEqual([]);
    await till.sandbox.control.completeTransaction(String(transaction));
    till.store.failNextWrite("lost-after-effect");
    await till.advanceTime(15 * 60_000);
    expect((await till.payment(id)).state).toBe("recorded");
    await paidOnce(placed.ref.orderId, id);
  });

  async function openTill() {
    const till = await createCheckoutHarness({ store: kind });
    open.push(till);
    const paidOnce = async (orderId: string, paymentId: string) => {
      const { ref, amountDue } = await till.payment(paymentId);
      const truth = { orderId: ref.orderId, completed: true, paid: amountDue, waived: false };
      expect(till.store.probe.effects(orderId)).toHaveLength(1);
      expect(findPaidOrderViolations(till.store.probe.effects(), (id) => (id === paymentId ? truth : null))).toEqual(
        [],
      );
    };
    return { till, paidOnce };
  }
});
