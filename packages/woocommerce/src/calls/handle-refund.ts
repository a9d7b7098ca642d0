import {
  codeOf,
  explainRefusedRefund,
  type Money,
  type OrderRef,
  type Payment,
  type PaymentState,
  parseMoney,
  type Refund,
  refundPayment,
} from "@tillkit/core";
import { z } from "zod";
import type { ConnectedStore } from "../app-context.ts";
import { paidByOf } from "../store/paid-by.ts";
import { amountText, currencyCode, orderKey, orderNumber } from "./call-fields.ts";
import { moneyJson } from "./money-json.ts";
import { matchesOrderKey } from "./order-key.ts";
import { badRequest, type CallResponse, errorResponse, type PluginCall } from "./receive-call.ts";

const inputSchema = z.object({
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

/** Answers `refund`: the refund button of the order screen. The same key never makes a second refund. */
export async function handleRefund(call: PluginCall): Promise<CallResponse> {
  const { context, store, messages } = call;
  const input = inputSchema.safeParse(call.body);
  if (!input.success) return badRequest(call);
  const { order, key, refund_key: refundKey, payment: paymentId } = input.data;
  const ref = { storeId: store.config.id, orderId: order };
  const payment = await paymentToRefund(store, ref, await context.ledger.paymentsOfOrder(ref), paymentId);
  if (!payment || !(await matchesOrderKey(context, store, ref, key))) {
    return errorResponse(404, "order_not_known", messages.orderNotKnown);
  }
  const amount = parseExactMoney(input.data.amount, input.data.currency);
  if (!amount) return errorResponse(422, "amount_invalid", messages.amountInvalid);
  try {
    const refund = {
      paymentId: payment.id,
      key: storedKeyOf(ref.storeId, refundKey),
      amount,
      origin: "store",
    } as const;
    return refundResponse(await refundPayment(context.engine, refund), refundKey, call);
  } catch (error) {
    const code = codeOf(error);
    context.log.warn("woo.refund_refused", { storeId: ref.storeId, paymentId: payment.id, code });
    const refusal = await finalRefusalMessage(call, payment, error);
    return refusal === null
      ? errorResponse(503, "unavailable", messages.tryAgain)
      : errorResponse(409, "refund_refused", refusal);
  }
}

/**
 * The payment that the order shows. The plugin sends its id. Without the id, an order with several payments is read from the shop,
 * because in the ledger a refunded duplicate looks like the payment of the order. Duplicates and payments under review are not
 * refunded from the order screen.
 */
async function paymentToRefund(
  { connection }: ConnectedStore,
  ref: OrderRef,
  payments: readonly Payment[],
  paymentId: string | undefined,
): Promise<Payment | undefined> {
  if (paymentId !== undefined) return payments.find(({ id }) => id === paymentId);
  const candidates = payments.filter(({ state }) => SHOWN_STATES.includes(state));
  if (payments.length < 2) return candidates[0];
  const order = await connection.readOrder(ref);
  const paidBy = order && paidByOf(order);
  const shownPayment = payments.find(({ id }) => id === paidBy);
  if (shownPayment || paidBy !== "owner") return shownPayment;
  // The order was set to paid by hand and shows no payment yet: refund its only accepted payment.
  const accepted = candidates.filter(({ state }) => state === "recorded" || state === "verified");
  return accepted.length === 1 ? accepted[0] : undefined;
}

/** The states of a payment that an order may show. */
const SHOWN_STATES: readonly PaymentState[] = ["recorded", "verified", "refunding", "refunded"];

function parseExactMoney(amount: string, currency: string): Money | null {
  try {
    return parseMoney(amount, currency);
  } catch {
    return null;
  }
}

function refundResponse(
  { state, refundId, amount }: Refund,
  refundKey: string,
  { language, messages }: PluginCall,
): CallResponse {
  if (state === "failed") return errorResponse(409, "refund_refused", messages.refundFailed);
  const body = {
    refund_key: refundKey,
    refund: refundId,
    state: state === "requested" ? "unknown" : state,
    amount: moneyJson(amount, language),
  };
  return { status: 200, body };
}

/** The key under which the ledger stores a refund of the plugin: other shops may use the same keys. */
export function storedKeyOf(storeId: string, refundKey: string): string {
  return `woo-${storeId}-${refundKey}`;
}

/** The message for an error that a retry cannot solve; null if a retry may succeed. Where a person must decide, it ends with the link. */
async function finalRefusalMessage(
  { context, language, messages }: PluginCall,
  payment: Payment,
  error: unknown,
): Promise<string | null> {
  const decision = await explainRefusedRefund(context.engine, payment, error, language);
  if (decision !== null) return decision;
  switch (codeOf(error)) {
    case "refund_too_large":
      return messages.refundTooLarge;
    case "refund_not_possible":
      return messages.refundNotPossible;
    case "refund_key_reused":
      return messages.refundKeyReused;
    case "amount_invalid":
    case "currency_not_supported":
      return messages.amountInvalid;
    default:
      return null;
  }
}
