import {
  codeOf,
  explainDoubt,
  explainRefusedRefund,
  type Language,
  limits,
  type Money,
  type Payment,
  type Refund,
  refundPayment,
  syncRefunds,
} from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { shopifyLimits } from "../limits.ts";
import { paymentToRefund } from "../payment-to-refund.ts";
import { NO_ORDER_SETTINGS } from "../records/shops.ts";
import { type UnpaidRefundReason, unpaidRefundText } from "../texts/notice-texts.ts";
import { checkLateRefund } from "./check-late-refund.ts";
import { gidNumber } from "./order-number.ts";
import { findShopRefund, isMadeByUs, type RefundRequest, refundedAmount, shopRefundKey } from "./shop-refund.ts";

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
  const ref = { storeId: shop, orderId: gidNumber(refund.order.id) };
  const key = shopRefundKey(refundId);
  const payments = await context.ledger.paymentsOfOrder(ref);
  const payment = await paymentToRefund(context.ledger, payments, key);
  const gateways = (await context.shops.find(shop)) ?? NO_ORDER_SETTINGS;
  const request = { ref, key, refund, payments, gateways };
  if (!payment) return await reportUndecidedRefund(context, request);
  const amount = refundedAmount(request, payment.amountDue.currency);
  if (!amount || (await isMadeByUs(context, request))) return "done";
  return await payRefund(context, request, { payment, amount });
}

async function payRefund(
  context: AppContext,
  request: RefundRequest,
  { payment, amount }: { readonly payment: Payment; readonly amount: Money },
): Promise<"done" | { readonly retryAt: number }> {
  const { clock, engine } = context;
  const { key } = request;
  const paymentId = payment.id;
  try {
    const found = await checkLateRefund(context, request, { payment, amount });
    if (found === "made_at_service") await notifyOwner(context, request, found);
    if (found !== "unpaid") return "done";
    const serviceRefund = await refundPayment(engine, { paymentId, key, amount, origin: "store", reusesKeys: true });
    const answeredAt = clock.now();
    if (serviceRefund.state === "failed") await notifyOwner(context, request, "failed");
    if (serviceRefund.state === "completed" || serviceRefund.state === "failed") return "done";
    await reportDoubt(context, request, payment, serviceRefund);
    await syncRefunds(engine, paymentId);
    return { retryAt: answeredAt + shopifyLimits.orderRefundSyncEveryMs };
  } catch (error) {
    const code = codeOf(error);
    // An earlier refund of the payment has no answer yet. This refund is a different one and waits for that answer.
    if (code === "refund_in_doubt") return { retryAt: clock.now() + shopifyLimits.refundPollMs };
    // The owner removed the key of the service. The refund is paid when the owner has entered it again.
    if (code === "credential_not_known") await notifyOwner(context, request, "key_missing");
    const decision = await explainRefusedRefund(engine, payment, error, await languageOf(context, request));
    if (decision !== null) {
      // The shop has booked the refund already, so it is the owner's task: no money goes before a person decides.
      await notifyOwner(context, request, "decision_needed", decision);
      return "done";
    }
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

/** Asks the owner to look in the service's dashboard when its answers leave open for long whether the refund was made. */
async function reportDoubt(
  context: AppContext,
  request: RefundRequest,
  payment: Payment,
  { state, amount, requestedAt }: Refund,
): Promise<void> {
  const isInDoubt = state === "unknown" && context.clock.now() >= requestedAt + limits.refundSettlesMs;
  if (!isInDoubt) return;
  const url = context.engine.decisionUrl(payment);
  const doubt = explainDoubt(amount, await languageOf(context, request));
  await notifyOwner(context, request, "in_doubt", url === null ? doubt : `${doubt} ${url}`);
}

function languageOf({ shops }: AppContext, { ref }: RefundRequest): Promise<Language> {
  return shops.languageOf(ref.storeId);
}

/** Shows on the settings page and logs, once for each reason, that a refund is not paid. `more` follows the text of the reason. */
async function notifyOwner(
  context: AppContext,
  request: RefundRequest,
  reason: UnpaidRefundReason,
  more = "",
): Promise<void> {
  const { log, notices } = context;
  const { ref, key } = request;
  const text = `${unpaidRefundText(await languageOf(context, request), reason)} ${more}`.trim();
  const isNew = await notices.add(ref, `${key} ${reason}`, { kind: "refund", text });
  if (isNew) log.error("shopify.refund_not_paid", { storeId: ref.storeId, orderId: ref.orderId, reason });
}
