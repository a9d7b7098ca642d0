import { codeOf, type Money, type OrderRef, type Payment, parseMoney, refundPayment, syncRefunds } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { shopifyLimits } from "../limits.ts";
import { readRefund } from "../operations/refund-operations.ts";
import { paymentToRefund } from "../payment-to-refund.ts";
import { type GatewayNames, NO_ORDER_SETTINGS } from "../records/shops.ts";
import { type UnpaidRefundReason, unpaidRefundText } from "../texts/notice-texts.ts";
import { orderNumberOf } from "./order-number.ts";
import { isByOurGateway } from "./order-transactions.ts";
import { refundIdInNote } from "./record-order-refund.ts";

type ShopRefund = NonNullable<Awaited<ReturnType<typeof findShopRefund>>>;

/** A refund of Shopify with the payments of its order. `key` identifies the refund in our ledger and at the service. */
type RefundRequest = {
  readonly ref: OrderRef;
  readonly key: string;
  readonly refund: ShopRefund;
  readonly payments: readonly Payment[];
  readonly gateways: GatewayNames;
};

/**
 * Pays a refund that the owner made in the shop, once. A refund with a manual payment method moves no money in Shopify. The
 * refund is read from Shopify, because its webhook may be outdated.
 */
export async function payShopRefund(
  context: AppContext,
  shop: string,
  refundId: string,
): Promise<"done" | { readonly retryAt: number }> {
  const refund = await findShopRefund(context, shop, refundId);
  if (!refund) return "done";
  const ref = { storeId: shop, orderId: orderNumberOf(refund.order.id) };
  const key = `shopify-refund:${refundId}`;
  const payments = await context.ledger.paymentsOfOrder(ref);
  const payment = await paymentToRefund(context.ledger, payments, key);
  const gateways = (await context.shops.find(shop)) ?? NO_ORDER_SETTINGS;
  const request = { ref, key, refund, payments, gateways };
  if (!payment) return await reportUndecidedRefund(context, request);
  const amount = refundedAmount(request, payment.amountDue.currency);
  if (!amount || (await isMadeByUs(context, request))) return "done";
  return await payRefund(context, request, { paymentId: payment.id, amount });
}

async function payRefund(
  context: AppContext,
  request: RefundRequest,
  { paymentId, amount }: { readonly paymentId: string; readonly amount: Money },
): Promise<"done" | { readonly retryAt: number }> {
  const { clock, engine } = context;
  try {
    const serviceRefund = await refundPayment(engine, {
      paymentId,
      key: request.key,
      amount,
      origin: "store",
      reusesKeys: true,
    });
    const answeredAt = clock.now();
    if (serviceRefund.state === "failed") await notifyOwner(context, request, "failed");
    if (serviceRefund.state === "completed" || serviceRefund.state === "failed") return "done";
    await syncRefunds(engine, paymentId);
    return { retryAt: answeredAt + shopifyLimits.orderRefundSyncEveryMs };
  } catch (error) {
    const code = codeOf(error);
    // An earlier refund of the payment has no answer yet. This refund is a different one and waits for that answer.
    if (code === "refund_in_doubt") return { retryAt: clock.now() + shopifyLimits.refundPollMs };
    if (!FINAL_ERRORS.has(code)) throw error;
    await notifyOwner(context, request, "refused");
    return "done";
  }
}

const FINAL_ERRORS: ReadonlySet<string> = new Set([
  "refund_too_large",
  "refund_not_possible",
  "refund_key_reused",
  "amount_invalid",
]);

/**
 * Tells the owner that a refund in the shop did not pay back a held or duplicate payment: such a payment is refunded only by a
 * decision about it.
 */
async function reportUndecidedRefund(context: AppContext, request: RefundRequest): Promise<"done"> {
  const undecided = request.payments.find(({ state }) => state === "review" || state === "duplicate");
  const amount = undecided && refundedAmount(request, undecided.amountDue.currency);
  if (amount && !(await isMadeByUs(context, request))) await notifyOwner(context, request, "undecided");
  return "done";
}

function findShopRefund({ graphql }: AppContext, shop: string, refundId: string) {
  return graphql.call(shop, readRefund, { id: `gid://shopify/Refund/${refundId}` });
}

/** The amount of the refund under our payment method. Null where it is zero or in another currency than the payment. */
function refundedAmount({ refund, gateways }: RefundRequest, currency: string): Money | null {
  let minor = 0;
  for (const transaction of refund.transactions.nodes) {
    const { kind, status, amountSet } = transaction;
    const isEffective = status === "SUCCESS" || status === "PENDING";
    if (kind !== "REFUND" || !isEffective || !isByOurGateway(transaction, gateways)) continue;
    const amount = parseMoney(amountSet.presentmentMoney.amount, amountSet.presentmentMoney.currencyCode);
    if (amount.currency !== currency) return null;
    minor += amount.minor;
  }
  return minor > 0 ? { minor, currency } : null;
}

/** Whether we recorded this refund in the shop because the service had paid it. Paying it would refund twice. */
async function isMadeByUs({ ledger }: AppContext, { payments, refund }: RefundRequest): Promise<boolean> {
  // The note contains the refund's id at the service, or its key where the service had not returned an id yet.
  const notedId = refundIdInNote(refund.note);
  if (notedId === null) return false;
  const refunds = (await Promise.all(payments.map((payment) => ledger.refunds(payment.id)))).flat();
  return refunds.some(({ refundId, key, origin }) => origin !== "store" && (refundId === notedId || key === notedId));
}

async function notifyOwner(
  { log, shops, notices }: AppContext,
  { ref, key }: RefundRequest,
  reason: UnpaidRefundReason,
): Promise<void> {
  log.error("shopify.refund_not_paid", { storeId: ref.storeId, orderId: ref.orderId, reason });
  const text = unpaidRefundText(await shops.languageOf(ref.storeId), reason);
  await notices.add(ref, key, { kind: "refund", text });
}
