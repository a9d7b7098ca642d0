import {
  codeOf,
  type Money,
  type OrderRef,
  type Payment,
  type PaymentState,
  parseMoney,
  type Refund,
  refundPayment,
} from "@tillkit/core";
import { z } from "zod";
import { paidByOf } from "../adapter/paid-by.ts";
import { amountText, currencyCode, orderKey, orderNumber } from "./call-fields.ts";
import type { CompanionStore } from "./desk.ts";
import { isSameOrder } from "./known-order.ts";
import { moneyAnswer } from "./money-answer.ts";
import { badRequest, type Call, type CallAnswer, refuseCall } from "./take-call.ts";
import type { CallWords } from "./words.ts";

const schema = z.object({
  order: orderNumber,
  key: orderKey,
  refund_key: z.string().regex(/^[\w-]{8,64}$/),
  amount: amountText,
  currency: currencyCode,
  payment: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional(),
});

/** The owner pressed refund on the order screen. The same key is never a second refund. */
export async function answerRefund(call: Call): Promise<CallAnswer> {
  const { desk, store, words } = call;
  const wish = schema.safeParse(call.body);
  if (!wish.success) return badRequest(call);
  const { order, key, refund_key: refundKey, payment: named } = wish.data;
  const ref = { storeId: store.config.id, orderId: order };
  const payment = await shownPayment(store, ref, await desk.ledger.siblings(ref), named);
  if (!payment || !(await isSameOrder(desk, store, ref, key))) {
    return refuseCall(404, "order_not_known", words.orderNotKnown);
  }
  const amount = exact(wish.data.amount, wish.data.currency);
  if (!amount) return refuseCall(422, "amount_invalid", words.amountInvalid);
  try {
    const wanted = { paymentId: payment.id, key: `woo-${ref.storeId}-${refundKey}`, amount, origin: "store" } as const;
    return told(await refundPayment(desk.engine, wanted), refundKey, call);
  } catch (error) {
    const code = codeOf(error);
    desk.log.warn("woo.refund_refused", { storeId: ref.storeId, paymentId: payment.id, code });
    const final = finalSentence(code, words);
    return final === null ? refuseCall(503, "unavailable", words.tryAgain) : refuseCall(409, "refund_refused", final);
  }
}

/**
 * The payment that the order shows: the plugin names it. Without its word the shop is asked, for a second payment that went
 * back looks here like one that the order shows. Money of a duplicate or of one under review is given back elsewhere.
 */
async function shownPayment(
  { shop }: CompanionStore,
  ref: OrderRef,
  payments: readonly Payment[],
  named: string | undefined,
): Promise<Payment | undefined> {
  if (named !== undefined) return payments.find(({ id }) => id === named);
  const candidates = payments.filter(({ state }) => SHOWN.includes(state));
  if (payments.length < 2) return candidates[0];
  const order = await shop.readOrder(ref);
  const paidBy = order && paidByOf(order);
  const shown = payments.find(({ id }) => id === paidBy);
  if (shown || paidBy !== "owner") return shown;
  // Set to paid by hand, and not named yet: the one payment that was accepted for it.
  const accepted = candidates.filter(({ state }) => state === "recorded" || state === "verified");
  return accepted.length === 1 ? accepted[0] : undefined;
}

const SHOWN: readonly PaymentState[] = ["recorded", "verified", "refunding", "refunded"];

function exact(amount: string, currency: string): Money | null {
  try {
    return parseMoney(amount, currency);
  } catch {
    return null;
  }
}

function told({ state, refundId, amount }: Refund, refundKey: string, { language, words }: Call): CallAnswer {
  if (state === "failed") return refuseCall(409, "refund_refused", words.refundFailed);
  const body = {
    refund_key: refundKey,
    refund: refundId,
    state: state === "asked" ? "unknown" : state,
    amount: moneyAnswer(amount, language),
  };
  return { status: 200, body };
}

// Null: asking again may help.
function finalSentence(code: string, words: CallWords): string | null {
  switch (code) {
    case "refund_too_large":
      return words.refundTooLarge;
    case "refund_not_possible":
      return words.refundNotPossible;
    case "refund_key_reused":
      return words.refundKeyReused;
    case "amount_invalid":
    case "currency_not_supported":
      return words.amountInvalid;
    default:
      return null;
  }
}
