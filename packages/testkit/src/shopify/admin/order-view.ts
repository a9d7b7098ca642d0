import { GraphQLError } from "graphql";
import { connection } from "../graphql/connection.ts";
import { decimal, type Exchange, moneyBag, moneyV2 } from "./amounts.ts";
import {
  balanceOf,
  canMarkAsPaid,
  capturableMinor,
  financialStatus,
  type OrderRefund,
  type OrderTransaction,
  type ShopOrder,
} from "./shop-orders.ts";

type View = Readonly<Record<string, unknown>>;
type PageArguments = { readonly first?: number | null };
type MetafieldArguments = { readonly namespace?: string | null; readonly key: string };

/** What the view of an order depends on beside the order. */
export type OrderContext = Exchange & { readonly origin: string; readonly customerData: boolean };

/** An order in the Admin API. A query of a field that the view lacks fails with an error that names the simulator. */
export function orderView(order: ShopOrder, exchange: OrderContext): View {
  const { received, refunded, outstanding } = balanceOf(order);
  const bag = (amount: ShopOrder["total"]) => moneyBag(amount, exchange);
  const status = financialStatus(order);
  return {
    __typename: "Order",
    id: order.id,
    legacyResourceId: numberOf(order.id),
    name: order.name,
    number: order.number,
    confirmationNumber: order.checkoutToken.slice(0, 9).toUpperCase(),
    email: order.email,
    phone: null,
    billingAddress: () => {
      if (exchange.customerData) return { name: "Awa Diop", phone: "+225 07 00 00 00 00" };
      const message = "This app is not approved to access the MailingAddress object.";
      throw new GraphQLError(message, { extensions: { code: "ACCESS_DENIED" } });
    },
    lineItems: () => connection(ITEMS),
    customerLocale: order.locale,
    test: order.test,
    createdAt: iso(order.createdAt),
    processedAt: iso(order.createdAt),
    updatedAt: iso(order.updatedAt),
    cancelledAt: order.cancelledAt === null ? null : iso(order.cancelledAt),
    cancelReason: order.cancelReason,
    closed: false,
    closedAt: null,
    confirmed: true,
    note: order.note,
    tags: order.tags,
    canMarkAsPaid: canMarkAsPaid(order),
    capturable: order.transactions.some((each) => capturableMinor(order, each) > 0),
    fullyPaid: outstanding.minor <= 0,
    unpaid: received.minor === 0,
    refundable: received.minor > refunded.minor,
    displayFinancialStatus: status,
    currencyCode: exchange.shopCurrency,
    presentmentCurrencyCode: order.total.currency,
    totalPriceSet: bag(order.total),
    currentTotalPriceSet: bag(order.total),
    originalTotalPriceSet: bag(order.transactions[0]?.amount ?? order.total),
    totalReceivedSet: bag(received),
    totalRefundedSet: bag(refunded),
    netPaymentSet: bag({ ...received, minor: received.minor - refunded.minor }),
    totalOutstandingSet: signedBag(outstanding, bag),
    totalCapturableSet: bag({
      ...order.total,
      minor: order.transactions.reduce((sum, each) => sum + capturableMinor(order, each), 0),
    }),
    paymentGatewayNames: [...new Set(order.transactions.map(({ gateway }) => gateway))],
    checkoutToken: order.checkoutToken,
    statusPageUrl: () => `${exchange.origin}/orders/${order.checkoutToken}`,
    transactions: ({ first }: PageArguments) =>
      order.transactions.slice(0, first ?? undefined).map((each) => transactionView(order, each, exchange)),
    transactionsCount: { count: order.transactions.length, precision: "EXACT" },
    refunds: ({ first }: PageArguments) =>
      order.refunds.slice(0, first ?? undefined).map((each) => refundView(order, each, exchange)),
    metafield: ({ namespace, key }: MetafieldArguments) => metafieldView(order, `${namespace ?? "$app"}.${key}`),
    metafields: () => connection([...order.metafields.keys()].map((name) => metafieldView(order, name))),
  };
}

const ITEMS = [
  { title: "Café Touba", quantity: 2 },
  { title: "Bissap", quantity: 1 },
];

export function transactionView(order: ShopOrder, each: OrderTransaction, exchange: Exchange): View {
  const left = capturableMinor(order, each);
  const parent = order.transactions.find(({ id }) => id === each.parentId);
  return {
    __typename: "OrderTransaction",
    id: each.id,
    kind: each.kind,
    status: each.status,
    test: order.test,
    gateway: each.gateway,
    formattedGateway: each.gateway,
    manualPaymentGateway: each.manual,
    manuallyCapturable: each.kind === "SALE" && left > 0,
    multiCapturable: false,
    amountSet: moneyBag(each.amount, exchange),
    totalUnsettledSet: left > 0 ? moneyBag({ ...each.amount, minor: left }, exchange) : null,
    createdAt: iso(each.createdAt),
    processedAt: iso(each.createdAt),
    parentTransaction: parent ? transactionView(order, parent, exchange) : null,
    errorCode: null,
    authorizationCode: null,
    paymentId: `${order.checkoutToken}.1`,
    receiptJson: "{}",
  };
}

export function refundView(order: ShopOrder, refund: OrderRefund, exchange: Exchange): View {
  return {
    __typename: "Refund",
    id: refund.id,
    legacyResourceId: String(refund.number),
    note: refund.note,
    createdAt: iso(refund.createdAt),
    processedAt: iso(refund.createdAt),
    updatedAt: iso(refund.createdAt),
    totalRefundedSet: moneyBag(refund.amount, exchange),
    totalRefunded: moneyV2(refund.amount),
    transactions: () => connection(refund.transactions.map((each) => transactionView(order, each, exchange))),
  };
}

export function metafieldView(order: ShopOrder, name: string): View | null {
  const metafield = order.metafields.get(name);
  if (!metafield) return null;
  const dot = name.lastIndexOf(".");
  return {
    __typename: "Metafield",
    ...metafield,
    namespace: name.slice(0, dot),
    key: name.slice(dot + 1),
    jsonValue: metafield.value,
    compareDigest: null,
  };
}

/** The body of an order webhook, in the shape of the REST API. */
export function orderPayload(order: ShopOrder, exchange: Exchange): View {
  const { outstanding } = balanceOf(order);
  const shop = moneyBag(order.total, exchange).shopMoney.amount;
  return {
    id: Number(numberOf(order.id)),
    admin_graphql_api_id: order.id,
    name: order.name,
    order_number: order.number,
    email: order.email,
    checkout_token: order.checkoutToken,
    customer_locale: order.locale,
    created_at: iso(order.createdAt),
    updated_at: iso(order.updatedAt),
    cancelled_at: order.cancelledAt === null ? null : iso(order.cancelledAt),
    cancel_reason: order.cancelReason?.toLowerCase() ?? null,
    currency: exchange.shopCurrency,
    presentment_currency: order.total.currency,
    total_price: shop,
    total_outstanding: decimal({ ...outstanding, minor: Math.max(0, outstanding.minor) }),
    financial_status: financialStatus(order).toLowerCase(),
    payment_gateway_names: [...new Set(order.transactions.map(({ gateway }) => gateway))],
    test: order.test,
  };
}

/** The body of `refunds/create`. */
export function refundPayload(order: ShopOrder, refund: OrderRefund, exchange: Exchange): View {
  return {
    id: refund.number,
    admin_graphql_api_id: refund.id,
    order_id: Number(numberOf(order.id)),
    created_at: iso(refund.createdAt),
    processed_at: iso(refund.createdAt),
    note: refund.note,
    refund_line_items: [],
    transactions: refund.transactions.map((each) => ({
      id: Number(numberOf(each.id)),
      admin_graphql_api_id: each.id,
      order_id: Number(numberOf(order.id)),
      kind: each.kind.toLowerCase(),
      status: each.status.toLowerCase(),
      gateway: each.gateway,
      amount: decimal(each.amount),
      currency: each.amount.currency,
      parent_id: each.parentId === null ? null : Number(numberOf(each.parentId)),
      test: order.test,
      shop_currency: exchange.shopCurrency,
    })),
  };
}

export function numberOf(gid: string): string {
  return gid.slice(gid.lastIndexOf("/") + 1);
}

// The outstanding amount is negative when more was received than the order costs.
function signedBag(amount: ShopOrder["total"], bag: (amount: ShopOrder["total"]) => ReturnType<typeof moneyBag>) {
  const { presentmentMoney, shopMoney } = bag({ ...amount, minor: Math.abs(amount.minor) });
  if (amount.minor >= 0) return { presentmentMoney, shopMoney };
  const negative = (side: typeof shopMoney) => ({ ...side, amount: `-${side.amount}` });
  return { presentmentMoney: negative(presentmentMoney), shopMoney: negative(shopMoney) };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
