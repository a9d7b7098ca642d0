import { codeOf, explainRefusal, type Language, type OrderRef } from "@tillkit/core";
import { explainDoubt } from "@tillkit/core/back-office";
import { payBookedRefund, type UnpaidWhy } from "@tillkit/core/store-refunds";
import type { AppContext } from "../app-context.ts";
import { shopifyLimits } from "../limits.ts";
import { NO_ORDER_SETTINGS } from "../records/shops.ts";
import { type UnpaidRefundReason, unpaidRefundText } from "../texts/notice-texts.ts";
import { gidNumber } from "./order-number.ts";
import { refundIdInNote } from "./record-order-refund.ts";
import { findShopRefund, refundedAmount, shopRefundKey } from "./shop-refund.ts";

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
  const noticed = { ref: { storeId: shop, orderId: gidNumber(refund.order.id) }, key: shopRefundKey(refundId) };
  const gateways = (await context.shops.find(shop)) ?? NO_ORDER_SETTINGS;
  const notedId = refundIdInNote(refund.note);
  const booked = {
    key: noticed.key,
    names: notedId === null ? [] : [notedId],
    isNamedBefore: refund.order.refunds.some(
      ({ id, note }) => refundIdInNote(note) === notedId && BigInt(gidNumber(id)) < BigInt(refundId),
    ),
    amount: refundedAmount(refund, gateways),
    bookedAt: Date.parse(refund.createdAt ?? "") || 0,
  };
  const payments = await context.ledger.paymentsOfOrder(noticed.ref);
  const { engine, clock } = context;
  const language = await context.shops.languageOf(shop);
  const answer = await payBookedRefund(context, payments, booked).catch(async (error: unknown) => {
    // The owner removed the key of the service. The refund is paid when the owner has entered it again.
    if (codeOf(error) === "credential_not_known") await notifyOwner(context, noticed, "key_missing");
    throw error;
  });
  switch (answer.kind) {
    case "waits_for_another":
      return { retryAt: clock.now() + shopifyLimits.refundPollMs };
    case "waits": {
      const { payment, isLongInDoubt } = answer;
      const doubt = `${explainDoubt(answer.refund.amount, language)} ${engine.decisionUrl(payment) ?? ""}`;
      if (isLongInDoubt) await notifyOwner(context, noticed, "in_doubt", doubt);
      return { retryAt: clock.now() + shopifyLimits.orderRefundSyncEveryMs };
    }
    case "unpaid": {
      const { why, payment } = answer;
      const [reason, more] = explainUnpaid(why, language, engine.decisionUrl(payment));
      await notifyOwner(context, noticed, reason, more);
      return "done";
    }
    default:
      return "done";
  }
}

/** The reason of the notice, and what follows its text: the sentence of every page where the notice has none of its own. */
function explainUnpaid(
  why: UnpaidWhy,
  language: Language,
  decideAt: string | null,
): readonly [reason: UnpaidRefundReason, more: string] {
  switch (why.kind) {
    case "undecided":
    case "made_at_service":
    case "names_another":
      return [why.kind, ""];
    case "refused_by_service":
      return ["failed", ""];
    case "over_dispute":
    case "transaction_unknown":
      return ["decision_needed", explainRefusal(why, language, decideAt)];
    default:
      return ["refused", explainRefusal(why, language, decideAt)];
  }
}

/** Shows on the settings page and logs, once for each reason, that a refund is not paid. `more` follows the text of the reason. */
async function notifyOwner(
  { log, notices, shops }: AppContext,
  { ref, key }: { readonly ref: OrderRef; readonly key: string },
  reason: UnpaidRefundReason,
  more = "",
): Promise<void> {
  const text = `${unpaidRefundText(await shops.languageOf(ref.storeId), reason)} ${more}`.trim();
  const isNew = await notices.add(ref, `${key} ${reason}`, { kind: "refund", text });
  if (isNew) log.error("shopify.refund_not_paid", { storeId: ref.storeId, orderId: ref.orderId, reason });
}
