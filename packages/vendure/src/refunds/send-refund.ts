import {
  codeOf,
  equationsOf,
  explainRefusedRefund,
  gatherMovements,
  type Money,
  type Refund,
  refundPayment,
} from "@tillkit/core";
import { type RequestContext, UserInputError, Payment as VendurePayment, Refund as VendureRefund } from "@vendure/core";
import type { VendureCheckout } from "../open-checkout.ts";
import { fromMoney, toMoney } from "../order/amounts.ts";
import { lockRow } from "../order/lock-row.ts";
import { paymentIdOf } from "../order/paid-by.ts";
import { languageOf, pluginTexts } from "../texts.ts";
import { fitsOrder, type RefundInput, refundedOf } from "./fits-order.ts";
import { currentRecordedRefund } from "./recorded-refund.ts";
import { answeredMetadata, refundKeyOf } from "./refund-metadata.ts";
import { findRepeat } from "./repeated-click.ts";
import { arrivalOf } from "./request-arrivals.ts";

/** `amount`: the part of the refund that Vendure takes from this payment, in Vendure's decimals. */
type RefundRequest = {
  readonly input: RefundInput;
  readonly amount: number;
  readonly order: { readonly id: string | number; readonly currencyCode: string };
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
  { input, amount, order, payment: { id } }: RefundRequest,
): Promise<RefundAnswer> {
  // Before the wait for the lock, because the request may wait for an earlier refund for as long as the service takes.
  const arrivedAt = arrivalOf(context);
  const { ledger, services } = checkout;
  const locked = await lockRow(services.connection, context, VendurePayment, id);
  const recordedOnly = currentRecordedRefund();
  if (recordedOnly) return { state: "Settled", transactionId: recordedOnly.refundId, metadata: recordedOnly.metadata };
  const texts = pluginTexts(languageOf(context));
  const payment = await ledger.find({ id: (locked && paymentIdOf(locked)) ?? "" });
  if (!locked || !payment) throw new UserInputError(texts.noPayment);
  const refunds = await services.connection.getRepository(context, VendureRefund).find({ where: { payment: { id } } });
  const refunded = refundedOf({ refunds });
  const [{ received }] = equationsOf(payment, await gatherMovements(ledger, payment.id));
  const { decimals } = services;
  const sentAmount = amountToSend(received, { amount, refunded, shown: locked.amount, decimals });
  if (amount > locked.amount - refunded || sentAmount <= 0) throw new UserInputError(texts.refundTooLarge);
  if (!(await fitsOrder(services, context, order.id, input))) throw new UserInputError(texts.refundTooLarge);
  const sameAmount = refunds.filter(({ total, state }) => total === amount && state !== "Failed");
  const repeat = await findRepeat(ledger, { storeId: payment.ref.storeId, arrivedAt, sameAmount });
  if (repeat) throw new UserInputError(repeat === "repeated" ? texts.refundRepeated : texts.refundFound);
  const refund = await refundPayment(checkout.engine, {
    paymentId: payment.id,
    key: `vendure:${checkout.engine.random.uuid()}`,
    amount: toMoney(sentAmount, order.currencyCode, decimals),
    origin: "store",
    shownByStore: true,
    // Vendure forgets a request that failed. So a refund in our ledger that Vendure does not show is taken for the requested refund.
    recordedRefunds: refunds.flatMap((row) => [row.transactionId, refundKeyOf(row) ?? ""]),
    ...(context.activeUserId === undefined ? {} : { by: `user ${context.activeUserId}` }),
  }).catch(async (error: unknown) => {
    checkout.log.warn("refund.refused", { paymentId: payment.id, code: codeOf(error) });
    // A person must decide first: the text says why and where. Every other error of the engine has a message for people.
    const text = await explainRefusedRefund(checkout.engine, payment, error, languageOf(context));
    throw text === null ? error : new UserInputError(text);
  });
  return answerOf(refund, texts);
}

type AmountsInVendure = {
  readonly amount: number;
  readonly refunded: number;
  readonly shown: number;
  readonly decimals: number;
};

// Vendure takes the order's total for the paid amount, even if the owner accepted a smaller payment. A refund of the rest that Vendure
// counts therefore becomes a refund of the rest of the received amount. Only what Vendure shows is subtracted: a refund that Vendure
// does not show yet may be this refund, whose answer was lost.
function amountToSend(received: Money, { amount, refunded, shown, decimals }: AmountsInVendure): number {
  if (amount < shown - refunded) return amount;
  return Math.min(amount, fromMoney(received, decimals) - refunded);
}

function answerOf(refund: Refund, texts: ReturnType<typeof pluginTexts>): RefundAnswer {
  const { state, refundId, key } = refund;
  if (state === "failed") throw new UserInputError(texts.refundRefused);
  if (state !== "completed" && state !== "pending") throw new UserInputError(texts.refundUnknown);
  const vendureState = state === "completed" ? "Settled" : "Pending";
  return { state: vendureState, transactionId: refundId ?? key, metadata: answeredMetadata(refund) };
}
