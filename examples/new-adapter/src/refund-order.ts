import { type Engine, type Money, type Refund, refundPayment } from "@tillkit/core";
import type { Shop } from "./shop.ts";

export type RefundDecision = {
  readonly orderId: string;
  readonly amount: Money;
  /** Names this decision of the owner, for example an id in the form: a repeated click is the same decision. */
  readonly key: string;
  /** Who decided: a role or a login, never an e-mail address. */
  readonly by: string;
};

// #region refund-order
/**
 * Refunds an order, for the refund button of the shop's own back office. Each key makes one refund, which the adapter's `recordRefund`
 * writes on the order. Let only the shop's owner call this function. The operators' pages offer refunds too.
 * @throws CheckoutError `refund_not_possible`, `refund_too_large`, and others of `refundPayment`
 */
export async function refundOrder(engine: Engine, shop: Shop, decision: RefundDecision): Promise<Refund> {
  const { orderId, amount, key, by } = decision;
  const order = await shop.order(orderId);
  if (!order?.paidBy || order.paidBy === "cash") throw new Error(`Order ${orderId} was not paid through Tillkit.`);
  return await refundPayment(engine, {
    paymentId: order.paidBy,
    // The key starts with the payment's id and not with the order's id as the caller wrote it: another spelling of the order's id
    // would be another key, and the money would be refunded twice.
    key: `${order.paidBy}:${key}`,
    amount,
    origin: "tillkit",
    recordedRefunds: order.refunds.map(({ id }) => id),
    reason: "requested by the shop's owner",
    by,
  });
}
// #endregion refund-order
