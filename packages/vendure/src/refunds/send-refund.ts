import { type Payment, type Refund, refundableAmount, refundPayment } from "@tillkit/core";
import { type RequestContext, UserInputError, Payment as VendurePayment, Refund as VendureRefund } from "@vendure/core";
import { pluginLimits } from "../limits.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { fromMoney, toMoney } from "../order/amounts.ts";
import { lockRow } from "../order/lock-row.ts";
import { paymentIdOf } from "../order/paid-by.ts";
import { languageOf, pluginTexts } from "../texts.ts";
import { currentRecordedRefund } from "./recorded-refund.ts";

/** The key in the metadata of a Vendure refund under which our own refund key is stored. */
export const REFUND_KEY = "tillkitRefundKey";

/** `amount` in Vendure's decimals. */
type RefundInput = {
  readonly amount: number;
  readonly order: { readonly currencyCode: string };
  readonly payment: VendurePayment;
};
type RefundAnswer = {
  readonly state: "Pending" | "Settled";
  readonly transactionId: string;
  readonly metadata: Record<string, unknown>;
};

/**
 * Refunds the amount that Vendure requests, once per request. Two requests for one payment wait for each other: each transaction locks
 * the payment's row and then reads what earlier transactions recorded. If the answer to an earlier refund was lost, the engine looks
 * for that refund at the service before it sends another refund.
 * @throws UserInputError with a text for the person who clicked. Vendure then stores nothing of the refund
 */
export async function sendRefund(
  checkout: VendureCheckout,
  context: RequestContext,
  { amount, order, payment: { id } }: RefundInput,
): Promise<RefundAnswer> {
  const { connection } = checkout.services;
  const locked = await lockRow(connection, context, VendurePayment, id);
  const recordedOnly = currentRecordedRefund();
  if (recordedOnly) return { state: "Settled", transactionId: recordedOnly.refundId, metadata: {} };
  const texts = pluginTexts(languageOf(context));
  const payment = await checkout.ledger.find({ id: (locked && paymentIdOf(locked)) ?? "" });
  if (!locked || !payment) throw new UserInputError(texts.noPayment);
  const vendureRefunds = await connection.getRepository(context, VendureRefund).find({ where: { payment: { id } } });
  const notFailed = vendureRefunds.filter(({ state }) => state !== "Failed");
  const left = locked.amount - notFailed.reduce((sum, { total }) => sum + total, 0);
  if (amount > left) throw new UserInputError(texts.refundTooLarge);
  const doubleClickStart = Date.now() - pluginLimits.doubleClickMs;
  const isRepeated = notFailed.some(
    ({ total, createdAt }) => total === amount && createdAt.getTime() > doubleClickStart,
  );
  if (isRepeated) throw new UserInputError(texts.refundRepeated);
  const sentAmount = await amountToSend(checkout, payment, { amount, left });
  const refund = await refundPayment(checkout.engine, {
    paymentId: payment.id,
    key: `vendure:${checkout.engine.random.uuid()}`,
    amount: toMoney(sentAmount, order.currencyCode, checkout.services.decimals),
    origin: "store",
    // Vendure forgets a request that failed. So a refund in our ledger that Vendure does not show is taken for the requested refund.
    recordedRefunds: vendureRefunds.flatMap(({ transactionId, metadata }) => [
      transactionId,
      String(metadata?.[REFUND_KEY] ?? ""),
    ]),
    ...(context.activeUserId === undefined ? {} : { by: `user ${context.activeUserId}` }),
  });
  return answerOf(refund, texts);
}

// Vendure takes the order's total for the paid amount, even if the owner accepted a smaller payment. A refund of the rest that Vendure
// counts therefore becomes a refund of the rest of the received amount.
async function amountToSend(
  { ledger, services }: VendureCheckout,
  payment: Payment,
  { amount, left }: { readonly amount: number; readonly left: number },
): Promise<number> {
  if (amount < left) return amount;
  const refundable = refundableAmount(payment, await ledger.refunds(payment.id));
  return Math.min(amount, fromMoney(refundable, services.decimals));
}

function answerOf({ state, refundId, key }: Refund, texts: ReturnType<typeof pluginTexts>): RefundAnswer {
  if (state === "failed") throw new UserInputError(texts.refundRefused);
  if (state !== "completed" && state !== "pending") throw new UserInputError(texts.refundUnknown);
  const vendureState = state === "completed" ? "Settled" : "Pending";
  return { state: vendureState, transactionId: refundId ?? key, metadata: { [REFUND_KEY]: key } };
}
