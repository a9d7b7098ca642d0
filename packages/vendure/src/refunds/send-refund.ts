import { type Payment, type Refund, refundableAmount, refundPayment } from "@tillkit/core";
import { type RequestContext, UserInputError, Payment as VendurePayment, Refund as VendureRefund } from "@vendure/core";
import { pluginLimits } from "../limits.ts";
import type { VendureCheckout } from "../open-checkout.ts";
import { fromMoney, toMoney } from "../order/amounts.ts";
import { lockRow } from "../order/lock-row.ts";
import { paymentIdOf } from "../order/paid-by.ts";
import { languageOf, pluginTexts } from "../texts.ts";
import { currentRecordedRefund } from "./recorded-refund.ts";

/** The name in a Vendure refund's metadata that holds our key of the refund. */
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
 * Refunds exactly the amount that Vendure requests, once per request. Requests for one payment wait for each other: the transaction
 * of each locks the payment's row and then reads what the earlier ones recorded. A refund whose answer was lost is looked up before
 * another one is sent.
 * @throws UserInputError with a text for the person who clicked; nothing of the refund is stored in Vendure then
 */
export async function sendRefund(
  checkout: VendureCheckout,
  context: RequestContext,
  { amount, order, payment: { id } }: RefundInput,
): Promise<RefundAnswer> {
  const { connection } = checkout.services;
  const locked = await lockRow(connection, context, VendurePayment, id);
  const recorded = currentRecordedRefund();
  if (recorded) return { state: "Settled", transactionId: recorded.refundId, metadata: {} };
  const texts = pluginTexts(languageOf(context));
  const payment = await checkout.ledger.find({ id: (locked && paymentIdOf(locked)) ?? "" });
  if (!locked || !payment) throw new UserInputError(texts.noPayment);
  const shown = await connection.getRepository(context, VendureRefund).find({ where: { payment: { id } } });
  const made = shown.filter(({ state }) => state !== "Failed");
  const left = locked.amount - made.reduce((sum, { total }) => sum + total, 0);
  if (amount > left) throw new UserInputError(texts.refundTooLarge);
  const since = Date.now() - pluginLimits.doubleClickMs;
  const isRepeated = made.some(({ total, createdAt }) => total === amount && createdAt.getTime() > since);
  if (isRepeated) throw new UserInputError(texts.refundRepeated);
  const minor = await amountToSend(checkout, payment, { amount, left });
  const refund = await refundPayment(checkout.engine, {
    paymentId: payment.id,
    key: `vendure:${checkout.engine.random.uuid()}`,
    amount: toMoney(minor, order.currencyCode, checkout.services.decimals),
    origin: "store",
    // Vendure forgets a request that failed half-way: a refund that it does not show is the one that is requested again.
    recordedRefunds: shown.flatMap(({ transactionId, metadata }) => [
      transactionId,
      String(metadata?.[REFUND_KEY] ?? ""),
    ]),
    ...(context.activeUserId === undefined ? {} : { by: `user ${context.activeUserId}` }),
  });
  return answerOf(refund, texts);
}

// Vendure counts the order's total as paid. When the owner accepted a smaller payment, a refund of everything that Vendure still
// counts becomes a refund of everything that was received.
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
