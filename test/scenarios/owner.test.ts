import { acceptReview, confirmPayment, explainPayment, findingKey } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { expectPaymentIn, LEDGERS, openFixture, SECOND } from "./fixture.ts";

describe.each(LEDGERS)("the owner and a changed order, with the ledger in %s", (ledger) => {
  it("15 · an owner who accepts a changed total gets an order that is marked as paid, and a waiver that names this difference", async () => {
    const { fixture, placed, payment, seen } = await heldOrder(ledger);
    expect(
      await acceptReview(fixture.engine(), { paymentId: payment.id, by: "owner", findingKey: seen }),
    ).toMatchObject({
      status: "paid",
    });
    const recorded = await expectPaymentIn(fixture, placed, "recorded");
    expect(recorded.waiver).toMatchObject({
      by: "owner",
      finding: {
        code: "total_changed",
        expected: { minor: 5_000, currency: "XOF" },
        found: { minor: 5_500, currency: "XOF" },
      },
    });
    expect(fixture.store.probe.effects()).toMatchObject([{ paymentId: payment.id, total: { minor: 5_500 } }]);
    const { entries } = await explainPayment(fixture.engine(), { paymentId: payment.id }, "en");
    expect(entries.some(({ text }) => text.includes("owner"))).toBe(true);
  });

  it("15 · a waiver covers no other difference: the payment stays held if the total changes again, the order is cancelled, or the service reports another amount", async () => {
    for (const change of ["total", "cancelled", "amount"] as const) {
      const { fixture, placed, payment, seen } = await heldOrder(ledger);
      const acceptance = acceptReview(fixture.engine(), { paymentId: payment.id, by: "owner", findingKey: seen });
      if (change === "total") await fixture.store.editTotal(placed.ref.orderId, { minor: 9_000, currency: "XOF" });
      if (change === "cancelled") fixture.store.cancelOrder(placed.ref.orderId);
      if (change === "amount") fixture.service.sessionOf(payment).overrides = { wireAmount: 1 };
      await acceptance;
      await confirmPayment(fixture.engine(), payment.id, { actor: "operator" });
      expect(fixture.store.probe.effects(), change).toEqual([]);
      await expectPaymentIn(fixture, placed, "review");
    }
  });
});

async function heldOrder(ledger: (typeof LEDGERS)[number]) {
  const fixture = await openFixture("read-then-write", { ledger });
  const placed = await fixture.placeOrder();
  const payment = await fixture.startCheckout(placed);
  await fixture.store.editTotal(placed.ref.orderId, { minor: 5_500, currency: "XOF" });
  await fixture.deliver(fixture.service.pay(payment));
  await fixture.run(5 * SECOND);
  const { finding } = await expectPaymentIn(fixture, placed, "review");
  expect(await fixture.store.probe.holds(placed.ref.orderId)).toHaveLength(1);
  return { fixture, placed, payment, seen: finding ? findingKey(finding) : "" };
}
