import {
  explainRefusal,
  isPaying,
  type Money,
  type OrderRef,
  type Payment,
  parseMoney,
  shownPayment,
} from "@tillkit/core";
import { requestStoreRefund } from "@tillkit/core/store-refunds";
import { z } from "zod";
import type { ConnectedStore } from "../app-context.ts";
import type { BridgedPlatform } from "../platform.ts";
import { amountText, currencyCode, orderKey, orderNumber } from "./call-fields.ts";
import { moneyJson } from "./money-json.ts";
import { matchesOrderKey } from "./order-key.ts";
import { badRequest, type CallResponse, errorResponse, type PluginCall } from "./receive-call.ts";

/** `age` in seconds: the clocks of shop and checkout server may differ. A name is empty where the refund has none. */
const shownSchema = z.object({
  total: amountText,
  refunds: z.array(
    z.object({
      refund: z.string().max(191),
      refund_key: z.string().max(64),
      amount: amountText,
      age: z.number().int().nonnegative(),
    }),
  ),
});

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
  shown: shownSchema.optional(),
});

/** Answers `refund`: the refund button of the order screen. The same key never makes a second refund. */
export async function handleRefund(call: PluginCall): Promise<CallResponse> {
  const { context, store, language, messages } = call;
  const input = inputSchema.safeParse(call.body);
  if (!input.success) return badRequest(call);
  const { order, key: orderKeyOfCall, refund_key: refundKey, payment: paymentId, currency, shown } = input.data;
  const ref = { storeId: store.config.id, orderId: order };
  const payment = await paymentToRefund(store, ref, await context.ledger.paymentsOfOrder(ref), paymentId);
  if (!payment || !(await matchesOrderKey(context, store, ref, orderKeyOfCall))) {
    return errorResponse(404, "order_not_known", messages.orderNotKnown);
  }
  const amount = parseExactMoney(input.data.amount, currency);
  if (!amount) return errorResponse(422, "amount_invalid", messages.amountInvalid);
  const askedAt = context.clock.now();
  const key = storedKeyOf(context.platform, ref.storeId, refundKey);
  const shownByOrder = shown
    ? readShown(shown, (key) => storedKeyOf(context.platform, ref.storeId, key), currency, askedAt)
    : null;
  const refunds = { keys: "per-click", pending: "shown", list: async () => shownByOrder } as const;
  // An error that is no answer is in the log. The plugin repeats the request under its key.
  const answer = await requestStoreRefund(context, refunds, payment, { key, amount, askedAt }).catch(() => null);
  if (answer === null) return errorResponse(503, "unavailable", messages.tryAgain);
  if (answer.kind === "refused") {
    const text = explainRefusal(answer.why, language, context.engine.decisionUrl(payment));
    return answer.retryable ? errorResponse(503, "unavailable", text) : errorResponse(409, "refund_refused", text);
  }
  const { refundId } = answer.refund;
  const state = answer.kind === "made" ? "completed" : answer.kind;
  const made = moneyJson(answer.refund.amount, language);
  return { status: 200, body: { refund_key: refundKey, refund: refundId, state, amount: made } };
}

/** Null: an amount of the shop is not exact in its currency, so nothing can be compared with it. */
function readShown(
  { total, refunds }: z.output<typeof shownSchema>,
  storedKey: (key: string) => string,
  currency: string,
  now: number,
) {
  const counted = parseExactMoney(total, currency);
  const shown = refunds.flatMap(({ refund, refund_key: key, amount: written, age }) => {
    const amount = parseExactMoney(written, currency);
    const names = [refund, key && storedKey(key)].filter((name) => name !== "");
    return amount ? [{ names, amount, state: "made" as const, recordedAt: now - age * 1_000 }] : [];
  });
  return counted && shown.length === refunds.length ? { counted, refunds: shown } : null;
}

/**
 * The payment that the order shows. The plugin sends its id. Without the id, an order with several payments is read from the shop,
 * which may show none of them: only the shop knows that it was paid in cash. Duplicates and payments under review are not refunded from
 * the order screen.
 */
async function paymentToRefund(
  { connection }: ConnectedStore,
  ref: OrderRef,
  payments: readonly Payment[],
  paymentId: string | undefined,
): Promise<Payment | null | undefined> {
  if (paymentId !== undefined) return payments.find(({ id }) => id === paymentId);
  if (payments.length < 2) return shownPayment(payments);
  const paidBy = (await connection.readOrder(ref))?.paidBy;
  const named = payments.find(({ id }) => id === paidBy);
  if (named || paidBy !== "owner") return named;
  // The order was set to paid by hand and shows no payment yet: refund its only accepted payment.
  const accepted = payments.filter(isPaying);
  return accepted.length === 1 ? accepted[0] : undefined;
}

function parseExactMoney(amount: string, currency: string): Money | null {
  try {
    return parseMoney(amount, currency);
  } catch {
    return null;
  }
}

/** The key under which the ledger stores a refund of the plugin: other shops may use the same keys. */
export function storedKeyOf({ prefix }: Pick<BridgedPlatform, "prefix">, storeId: string, refundKey: string): string {
  return `${prefix}-${storeId}-${refundKey}`;
}
