import { explainRefusal, refusalText } from "@tillkit/core";
import { explainUnknownPayment } from "@tillkit/core/back-office";
import { requestStoreRefund } from "@tillkit/core/store-refunds";
import { type RequestContext, UserInputError, Payment as VendurePayment, Refund as VendureRefund } from "@vendure/core";
import type { VendureCheckout } from "../open-checkout.ts";
import { toMoney } from "../order/amounts.ts";
import { lockRow } from "../order/lock-row.ts";
import { paymentIdOf } from "../order/paid-by.ts";
import { languageOf } from "../texts.ts";
import { fitsOrder, type RefundInput } from "./fits-order.ts";
import { currentRecordedRefund } from "./recorded-refund.ts";
import { arrivalOf } from "./request-arrivals.ts";
import { refundMetadata, toShownRefund } from "./shown-refunds.ts";

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
 * Answers Vendure's request for a refund. Two requests for one payment wait for each other: each transaction locks the payment's row and then
 * reads what earlier transactions recorded.
 * @throws UserInputError with a text for the person who clicked. Vendure then stores nothing of the refund
 */
export async function sendRefund(
  checkout: VendureCheckout,
  context: RequestContext,
  { input, amount, order, payment: { id } }: RefundRequest,
): Promise<RefundAnswer> {
  // Before the wait for the lock, because the request may wait for an earlier refund for as long as the service takes.
  const askedAt = arrivalOf(context);
  const { ledger, services, engine } = checkout;
  const locked = await lockRow(services.connection, context, VendurePayment, id);
  const recordedOnly = currentRecordedRefund();
  if (recordedOnly) return { state: "Settled", transactionId: recordedOnly.refundId, metadata: recordedOnly.metadata };
  const language = languageOf(context);
  const payment = await ledger.find({ id: (locked && paymentIdOf(locked)) ?? "" });
  if (!locked || !payment) throw new UserInputError(explainUnknownPayment(language));
  if (!(await fitsOrder(services, context, order.id, input)))
    throw new UserInputError(refusalText("too_large", language) ?? "");
  const rows = await services.connection.getRepository(context, VendureRefund).find({ where: { payment: { id } } });
  const toAmount = (value: number) => toMoney(value, order.currencyCode, services.decimals);
  const shown = {
    counted: toAmount(locked.amount),
    refunds: rows.map((row) => toShownRefund(row, order.currencyCode, services.decimals)),
  };
  // Nobody else changes the rows while this transaction holds the lock.
  const store = { keys: "per-click", pending: "shown", shownByStore: true, list: async () => shown } as const;
  const answer = await requestStoreRefund(checkout, store, payment, {
    key: `vendure:${engine.random.uuid()}`,
    amount: toAmount(amount),
    askedAt,
    ...(context.activeUserId === undefined ? {} : { by: `user ${context.activeUserId}` }),
  });
  if (answer.kind === "refused")
    throw new UserInputError(explainRefusal(answer.why, language, engine.decisionUrl(payment)));
  if (answer.kind === "unknown") throw new UserInputError(explainRefusal({ kind: "refund_unknown" }, language));
  const { refundId, key } = answer.refund;
  return {
    state: answer.kind === "made" ? "Settled" : "Pending",
    transactionId: refundId ?? key,
    metadata: refundMetadata(key),
  };
}
