import { OrderLine, type RequestContext, Payment as VendurePayment } from "@vendure/core";
import type { VendureServices } from "../vendure-services.ts";

/** What Vendure's mutation `refundOrder` requests, in Vendure's decimals. */
export type RefundInput = {
  readonly lines?: readonly { readonly orderLineId: string | number; readonly quantity: number }[] | null;
  readonly shipping?: number | null;
  readonly adjustment?: number | null;
  readonly amount?: number | null;
};

/**
 * Whether Vendure will store this refund of the order. Vendure notices only after our handler that the items, shipping and adjustment
 * are more than what is left of all payments, or that an item is not in the order. Vendure then rolls the refund back.
 */
export async function fitsOrder(
  { connection }: Pick<VendureServices, "connection">,
  context: RequestContext,
  orderId: string | number,
  { lines, shipping, adjustment, amount }: RefundInput,
): Promise<boolean> {
  const where = { order: { id: orderId } };
  const known = await connection.getRepository(context, OrderLine).find({ where });
  const requested = (lines ?? []).map(({ orderLineId, quantity }) => ({
    line: known.find(({ id }) => String(id) === String(orderLineId)),
    quantity,
  }));
  if (requested.some(({ line }) => line === undefined)) return false;
  // Vendure compares an amount with what is left of the payment before it calls our handler, and then ignores shipping and adjustment.
  if (amount) return true;
  const ofItems = requested.reduce((sum, { line, quantity }) => sum + priceOf(line, quantity), 0);
  const payments = await connection.getRepository(context, VendurePayment).find({ where, relations: ["refunds"] });
  const left = payments.reduce((sum, payment) => sum + payment.amount - notFailedRefundsOf(payment), 0);
  return ofItems + (shipping ?? 0) + (adjustment ?? 0) <= left;
}

function priceOf(line: OrderLine | undefined, quantity: number): number {
  return line && line.orderPlacedQuantity > 0 ? quantity * line.proratedUnitPriceWithTax : 0;
}

/** As Vendure counts what is left to refund: a pending refund counts as well. */
function notFailedRefundsOf({ refunds }: Pick<VendurePayment, "refunds">): number {
  return refunds.filter(({ state }) => state !== "Failed").reduce((sum, { total }) => sum + total, 0);
}
