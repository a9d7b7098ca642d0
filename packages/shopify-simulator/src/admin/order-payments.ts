import { GraphQLError } from "graphql";
import type { RootResolvers } from "../graphql/graphql-operation.ts";
import { type AdminContext, type InputArgument, orderResult, userError } from "./admin-context.ts";
import { parseAmount } from "./amounts.ts";
import { transactionObject } from "./order-objects.ts";
import {
  balanceOf,
  canMarkAsPaid,
  capturableMinor,
  outstandingPayment,
  type ShopOrder,
  type ShopOrders,
} from "./shop-orders.ts";

/** The mutations that record a payment of an order. */
export function orderPaymentResolvers(context: AdminContext): RootResolvers {
  return {
    orderCapture: ({ input }: InputArgument<CaptureInput>) => captureOrder(context, input),
    orderCreateManualPayment: (args: ManualPaymentArguments) => createManualPayment(context, args),
    orderMarkAsPaid: ({ input }: InputArgument<{ id: string }>) => markAsPaid(context, input.id),
  };
}

type CaptureInput = {
  readonly id: string;
  readonly parentTransactionId: string;
  readonly amount: string;
  readonly currency?: string | null;
};

function captureOrder(context: AdminContext, { id, parentTransactionId, amount, currency }: CaptureInput) {
  const refuse = (field: string, message: string) => ({ transaction: null, userErrors: [userError([field], message)] });
  const order = context.orders.find(id);
  if (!order) return refuse("id", "Order does not exist");
  const parent = order.transactions.find((transaction) => transaction.id === parentTransactionId);
  if (!parent) return refuse("parentTransactionId", "Parent transaction does not exist");
  // Shopify takes a missing currency as the shop's currency.
  if ((currency ?? context.currency) !== order.total.currency) {
    return refuse("currency", "Currency must match the presentment currency of the order");
  }
  const captured = parseAmount(amount, order.total.currency);
  if (!captured || captured.minor <= 0) return refuse("amount", "Amount must be greater than zero");
  if (captured.minor > capturableMinor(order, parent)) {
    return refuse("amount", "Amount cannot be greater than the authorized amount");
  }
  const capture = recordPayment(context, order, {
    kind: "CAPTURE",
    amount: captured,
    gateway: parent.gateway,
    parentId: parent.id,
    manual: true,
  });
  return { transaction: transactionObject(order, capture, context.orderContext(order)), userErrors: [] };
}

type ManualPaymentArguments = {
  readonly id: string;
  readonly amount?: { readonly amount: string; readonly currencyCode: string } | null;
  readonly paymentMethodName?: string | null;
  readonly processedAt?: string | null;
};

function createManualPayment(
  context: AdminContext,
  { id, amount, paymentMethodName, processedAt }: ManualPaymentArguments,
) {
  const refuse = (code: string, field: string, message: string) => ({
    order: null,
    userErrors: [{ code, ...userError([field], message) }],
  });
  if (amount && context.plan !== "plus") {
    const message = "Access denied for amount argument. Required access: the shop must be on a Shopify Plus plan.";
    throw new GraphQLError(message, { extensions: { code: "ACCESS_DENIED" } });
  }
  const order = context.orders.find(id);
  if (!order) return refuse("ORDER_NOT_FOUND", "id", "Order not found");
  const { outstanding } = balanceOf(order);
  if (amount && amount.currencyCode !== order.total.currency) {
    return refuse("CURRENCY_MISMATCH", "amount", "The currency must match the presentment currency of the order");
  }
  const paid = amount ? parseAmount(amount.amount, amount.currencyCode) : outstanding;
  if (!paid || paid.minor <= 0) return refuse("AMOUNT_NOT_POSITIVE", "amount", "The amount must be positive");
  const gateway = paymentMethodName ?? "Other";
  if (gateway.trim() === "")
    return refuse("GATEWAY_NOT_FOUND", "paymentMethodName", "The payment method was not found");
  if (processedAt && Date.parse(processedAt) > context.clock.now()) {
    return refuse("PROCESSED_AT_INVALID", "processedAt", "processedAt cannot be in the future");
  }
  if (order.cancelledAt !== null || paid.minor > outstanding.minor) {
    return refuse("AMOUNT_EXCEEDS_BALANCE", "amount", "The amount exceeds the balance of the order");
  }
  recordPayment(context, order, { kind: "SALE", amount: paid, gateway, parentId: null, manual: true });
  return { order: orderResult(context, order), userErrors: [] };
}

function markAsPaid(context: AdminContext, id: string) {
  const order = context.orders.find(id);
  if (!order) return { order: null, userErrors: [userError(["id"], "Order does not exist")] };
  if (!canMarkAsPaid(order)) return { order: null, userErrors: [userError(["id"], "Order cannot be marked as paid.")] };
  recordPayment(context, order, outstandingPayment(order));
  return { order: orderResult(context, order), userErrors: [] };
}

function recordPayment(context: AdminContext, order: ShopOrder, payment: Parameters<ShopOrders["recordPayment"]>[1]) {
  const transaction = context.orders.recordPayment(order, payment);
  context.record.addEffect({
    at: context.clock.now(),
    kind: "order-paid",
    id: order.id,
    parentId: order.name,
    amount: payment.amount,
  });
  context.onOrderChange(order, "orders/updated");
  return transaction;
}
