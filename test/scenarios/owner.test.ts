import { acceptReview, confirmPayment, explainPayment } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { LEDGERS, openScene, paymentIn, SECOND } from "./scene.ts";

describe.each(LEDGERS)("the owner and a changed order, with the ledger in %s", (ledger) => {
  it("15 · an owner accepts a changed total: the waiver is recorded, and the order is paid by exactly that difference", async () => {
    const { scene, placed, payment } = await heldOrder(ledger);
    expect(await acceptReview(scene.engine(), { paymentId: payment.id, by: "owner" })).toMatchObject({ say: "paid" });
    const recorded = await paymentIn(scene, placed, "recorded");
    expect(recorded.waiver).toMatchObject({
      by: "owner",
      finding: { code: "total_changed", expected: "5000 XOF", found: "5500 XOF" },
    });
    expect(scene.store.probe.effects()).toMatchObject([{ paymentId: payment.id, total: { minor: 5_500 } }]);
    const { entries } = await explainPayment(scene.engine(), { paymentId: payment.id }, "en");
    expect(entries.some(({ text }) => text.includes("owner"))).toBe(true);
  });

  it("15 · the waiver covers nothing else: changed once more, cancelled, or read with another amount, the order stays held", async () => {
    for (const change of ["total", "cancelled", "amount"] as const) {
      const { scene, placed, payment } = await heldOrder(ledger);
      const accepted = acceptReview(scene.engine(), { paymentId: payment.id, by: "owner" });
      if (change === "total") await scene.store.editTotal(placed.ref.orderId, { minor: 9_000, currency: "XOF" });
      if (change === "cancelled") scene.store.cancelOrder(placed.ref.orderId);
      if (change === "amount") scene.service.sessionOf(payment).lies = { wireAmount: 1 };
      await accepted;
      await confirmPayment(scene.engine(), payment.id, { actor: "operator" });
      expect(scene.store.probe.effects(), change).toEqual([]);
      await paymentIn(scene, placed, "review");
    }
  });
});

async function heldOrder(ledger: (typeof LEDGERS)[number]) {
  const scene = await openScene("read-then-write", { ledger });
  const placed = await scene.placeOrder();
  const payment = await scene.pressPay(placed);
  await scene.store.editTotal(placed.ref.orderId, { minor: 5_500, currency: "XOF" });
  await scene.deliver(scene.service.pay(payment));
  await scene.run(5 * SECOND);
  await paymentIn(scene, placed, "review");
  expect(await scene.store.probe.holds(placed.ref.orderId)).toHaveLength(1);
  return { scene, placed, payment };
}
