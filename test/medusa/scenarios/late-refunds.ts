import { describe, expect, it } from "vitest";
import { createCaller, expectOk } from "../http.ts";
import type { ShownPayment } from "../owner.ts";
import { waitUntil } from "../probe.ts";
import type { PlacedOrder, ScenarioFixture } from "../scenario-fixture.ts";

const REFUSED = { method: "POST", path: "/refunds", status: 400, times: 1_000 } as const;

/** Refunds that the service refuses or that fail late, and what the owner can do about them. */
export function lateRefunds(fixture: () => ScenarioFixture): void {
  /** Makes a refund that Medusa shows as made and that then fails at the service. */
  async function failLater({ checkoutId, paymentId }: PlacedOrder, amount: number): Promise<ShownPayment> {
    const { sandbox, owner, probe } = fixture();
    await sandbox.control.changeSettings({ refunds: "pending" });
    const { status } = await owner.refund(paymentId, amount);
    await sandbox.control.changeSettings({ refunds: "instant" });
    expect(status).toBe(200);
    const pending = (await probe.refunds(checkoutId)).find((refund) => refund.status === "pending");
    await sandbox.control.failRefund(pending?.id ?? "");
    return await settledPage(checkoutId);
  }

  /** The page once the order shows the payment: that changes what its owner sees, and a decision about an older page is refused. */
  async function settledPage(checkoutId: string): Promise<ShownPayment> {
    return await waitUntil(
      () => fixture().waitForReview({ checkoutId }),
      ({ state }) => state !== "verified",
    );
  }

  const completedAmounts = async (checkoutId: string) =>
    (await fixture().probe.refunds(checkoutId))
      .filter(({ status }) => status === "completed")
      .map(({ amount }) => amount);

  const isListed = async (checkoutId: string) =>
    (await fixture().owner.paymentsToReview()).some((shown) => shown.checkout_session_id === checkoutId);

  describe("a refund that fails after Medusa has shown it", () => {
    it("the page names the order, and the refund is sent again once while Medusa shows one refund", async () => {
      const { owner } = fixture();
      const order = await fixture().placeOrder("usd", "wax-cloth");
      const shown = await failLater(order, 2.8);
      expect(shown.problem).toMatch(/2,80.*commande #\d+ a échoué|2\.80 for order #\d+ failed/);
      const refundKey = shown.refunds.find(({ can_send_again: canSend }) => canSend)?.key ?? "";
      await expectOk(owner.decide(shown, { kind: "sendAgain", refundKey }));
      // A repeated click is answered with the refund of the first.
      await expectOk(owner.decide(shown, { kind: "sendAgain", refundKey }));
      expect(await completedAmounts(order.checkoutId)).toEqual([280]);
      const [payment] = await owner.payments(order.orderId);
      expect(payment?.refunds?.map(({ amount }) => amount)).toEqual([2.8]);
      expect(await isListed(order.checkoutId)).toBe(false);
    });

    it("a refund of the same amount in the service's dashboard settles the failed refund in Medusa", async () => {
      const { owner, service } = fixture();
      const order = await fixture().placeOrder("usd", "wax-cloth");
      const { transaction_id: transaction } = await failLater(order, 22.8);
      const body = { transaction_id: transaction ?? "", amount: 2_280, reason: "requested_by_customer" } as const;
      await service.refunds.create(
        { ...body, refund_type: "full" },
        { idempotencyKey: `in-the-dashboard-${order.checkoutId}` },
      );
      await waitUntil(
        () => isListed(order.checkoutId),
        (listed) => !listed,
      );
      const [payment] = await owner.payments(order.orderId);
      expect(payment?.refunds?.map(({ amount }) => amount)).toEqual([22.8]);
      expect(await completedAmounts(order.checkoutId)).toEqual([2_280]);
    });
  });

  describe("an order that its owner cancels", () => {
    it("the order is not canceled while the service refuses its refund, and the next click refunds and cancels it", async () => {
      const { owner } = fixture();
      const { orderId, checkoutId } = await fixture().placeOrder("usd", "wax-cloth");
      const refused = await fixture().withFault(REFUSED, () => owner.cancelOrder(orderId));
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.text).toMatch(/Le service de paiement a refusé le remboursement/);
      expect(await owner.order(orderId)).toMatchObject({ status: "pending" });
      expect((await owner.cancelOrder(orderId)).status).toBe(200);
      expect(await completedAmounts(checkoutId)).toEqual([2_280]);
      expect(await owner.order(orderId)).toMatchObject({ status: "canceled" });
    });

    it("a request without an admin login cannot cancel an order, which would refund the order", async () => {
      const { owner, webhookUrl } = fixture();
      const { orderId, checkoutId } = await fixture().placeOrder("usd");
      const stranger = createCaller(() => new URL(webhookUrl).origin, {});
      expect((await stranger("POST", `/admin/orders/${orderId}/cancel`)).status).toBe(401);
      expect(await completedAmounts(checkoutId)).toEqual([]);
      expect(await owner.order(orderId)).toMatchObject({ status: "pending" });
    });
  });
}
