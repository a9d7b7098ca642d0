import { dateTime, legacyResourceId } from "../graphql/scalars.ts";
import { decimal, type Exchange, moneyBag } from "./amounts.ts";
import { balanceOf, financialStatus, type OrderRefund, type ShopOrder } from "./shop-orders.ts";

type Payload = Readonly<Record<string, unknown>>;

/** The body of an order webhook, in the shape of the REST API. */
export function orderPayload(order: ShopOrder, exchange: Exchange): Payload {
  const { outstanding } = balanceOf(order);
  return {
    id: Number(legacyResourceId(order.id)),
    admin_graphql_api_id: order.id,
    name: order.name,
    order_number: order.number,
    email: order.email,
    checkout_token: order.checkoutToken,
    customer_locale: order.locale,
    created_at: dateTime(order.createdAt),
    updated_at: dateTime(order.updatedAt),
    cancelled_at: order.cancelledAt === null ? null : dateTime(order.cancelledAt),
    cancel_reason: order.cancelReason?.toLowerCase() ?? null,
    currency: exchange.shopCurrency,
    presentment_currency: order.total.currency,
    total_price: moneyBag(order.total, exchange).shopMoney.amount,
    total_outstanding: decimal({ ...outstanding, minor: Math.max(0, outstanding.minor) }),
    financial_status: financialStatus(order).toLowerCase(),
    payment_gateway_names: [...new Set(order.transactions.map(({ gateway }) => gateway))],
    test: order.test,
  };
}

/** The body of `refunds/create`. */
export function refundPayload(order: ShopOrder, refund: OrderRefund, exchange: Exchange): Payload {
  return {
    id: refund.number,
    admin_graphql_api_id: refund.id,
    order_id: Number(legacyResourceId(order.id)),
    created_at: dateTime(refund.createdAt),
    processed_at: dateTime(refund.createdAt),
    note: refund.note,
    refund_line_items: [],
    transactions: refund.transactions.map(({ id, kind, status, gateway, amount, parentId }) => ({
      id: Number(legacyResourceId(id)),
      admin_graphql_api_id: id,
      order_id: Number(legacyResourceId(order.id)),
      kind: kind.toLowerCase(),
      status: status.toLowerCase(),
      gateway,
      amount: decimal(amount),
      currency: amount.currency,
      parent_id: parentId === null ? null : Number(legacyResourceId(parentId)),
      test: order.test,
      shop_currency: exchange.shopCurrency,
    })),
  };
}
