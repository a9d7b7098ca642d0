import { type Receipt, type StoreAnswer, StoreError } from "@tillkit/core";
import { isGraphQlErrorResult, Payment, type RequestContext, type Order as VendureOrder } from "@vendure/core";
import { findPaymentMethod, missingMethodError } from "../payment-method.ts";
import { pluginTexts } from "../texts.ts";
import type { VendureAdapterOptions } from "../vendure-adapter.ts";
import { fromMoney } from "./amounts.ts";
import { addOrderNote } from "./order-notes.ts";
import { paymentIdOf } from "./paid-by.ts";
import { VendureRefusal } from "./refusals.ts";
import { metadataOf, withSettlement } from "./settlement.ts";

/** Vendure's error code. */
const COUPON_REMOVED = "COUPON_REMOVED_DURING_CHECKOUT_ERROR";

/**
 * Adds our payment to the order, which settles the order. An error that is thrown rolls the transaction back, so no payment stays on
 * an order that is not settled. A StoreError that is returned keeps what the transaction wrote.
 * @throws VendureRefusal; StoreError `unavailable`
 */
export async function addPayment(
  options: VendureAdapterOptions,
  transaction: RequestContext,
  order: VendureOrder,
  receipt: Receipt,
): Promise<StoreAnswer | StoreError> {
  const { services } = options;
  const { paymentId, sessionId, transactionId, total } = receipt;
  const method = await findPaymentMethod(services, transaction);
  if (!method) return await reportMissingMethod(options, transaction, order, paymentId);
  const settlement = {
    orderCode: order.code,
    amount: fromMoney(total, services.decimals),
    transactionId: transactionId ?? sessionId,
    metadata: metadataOf(receipt, options.language),
  };
  const added = await withSettlement(settlement, () =>
    services.orders.addPaymentToOrder(transaction, order.id, { method: method.code, metadata: {} }),
  );
  if (isGraphQlErrorResult(added)) {
    // Vendure removed a coupon that no longer applies. That stays, so the engine finds the new total, which the owner can accept.
    if (added.errorCode === COUPON_REMOVED)
      return new StoreError("unavailable", "Vendure removed a coupon of the order.");
    throw new VendureRefusal({ kind: "refused_by_platform", code: added.errorCode });
  }
  if (added.state !== "PaymentSettled") throw new VendureRefusal({ kind: "left_unsettled", state: added.state });
  const rows = await services.connection
    .getRepository(transaction, Payment)
    .find({ where: { order: { id: order.id } } });
  const ours = rows.filter((row) => paymentIdOf(row) !== null);
  if (ours.length === 1) return { outcome: "recorded", evidence: "read-back" };
  throw new StoreError("unavailable", "Vendure does not show exactly one payment of the order.");
}

/** The engine tries again, and settles the order after the owner has enabled the method. Until then a note tells the owner. */
async function reportMissingMethod(
  { services, language }: VendureAdapterOptions,
  transaction: RequestContext,
  { code }: VendureOrder,
  paymentId: string,
): Promise<StoreError> {
  const note = pluginTexts(language).methodMissing(transaction.channel.code);
  await addOrderNote({ services, context: async () => transaction }, code, `method-missing:${paymentId}`, note);
  return missingMethodError(transaction);
}
