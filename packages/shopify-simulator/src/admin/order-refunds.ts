import type { RootResolvers } from "../graphql/graphql-operation.ts";
import { type AdminContext, type InputArgument, orderResult, userError } from "./admin-context.ts";
import { parseAmount } from "./amounts.ts";
import { refundObject } from "./order-objects.ts";
import { balanceOf } from "./shop-orders.ts";

/** The query and the mutation of refunds. */
export function refundResolvers(context: AdminContext): RootResolvers {
  return {
    refund: ({ id }: { id: string }) => findRefund(context, id),
    refundCreate: ({ input }: InputArgument<RefundInput>) => createRefund(context, input),
  };
}

function findRefund(context: AdminContext, id: string) {
  const order = context.orders.all.find(({ refunds }) => refunds.some((refund) => refund.id === id));
  const refund = order?.refunds.find((candidate) => candidate.id === id);
  if (!order || !refund) return null;
  return { ...refundObject(order, refund, context.orderContext(order)), order: orderResult(context, order) };
}

type RefundInput = {
  readonly orderId: string;
  readonly note?: string | null;
  readonly currency?: string | null;
  readonly transactions?: readonly { readonly amount: string; readonly kind: string }[] | null;
};

function createRefund(context: AdminContext, { orderId, note, currency, transactions }: RefundInput) {
  const refuse = (field: string, message: string) => ({
    refund: null,
    order: null,
    userErrors: [userError([field], message)],
  });
  const order = context.orders.find(orderId);
  if (!order) return refuse("orderId", "Order does not exist");
  if (context.currency !== order.total.currency && currency !== order.total.currency) {
    return refuse("currency", "Currency must match the presentment currency of the order");
  }
  const amounts = (transactions ?? []).map(({ amount }) => parseAmount(amount, order.total.currency));
  const minor = amounts.reduce((sum, amount) => sum + (amount?.minor ?? 0), 0);
  const { received, refunded } = balanceOf(order);
  if (minor <= 0 || amounts.some((amount) => amount === null || amount.minor < 0)) {
    return refuse("transactions", "Refund amount must be greater than zero");
  }
  if (minor > received.minor - refunded.minor) {
    return refuse("transactions", "Refund amount cannot be greater than the amount paid");
  }
  const refund = context.orders.refund(order, { minor, currency: order.total.currency }, note ?? null);
  context.record.addEffect({
    at: context.clock.now(),
    kind: "refunded",
    id: refund.id,
    parentId: order.id,
    amount: refund.amount,
  });
  context.onRefund(order, refund);
  return {
    refund: refundObject(order, refund, context.orderContext(order)),
    order: orderResult(context, order),
    userErrors: [],
  };
}
