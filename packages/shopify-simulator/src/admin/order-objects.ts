import { GraphQLError } from "graphql";
import { connection } from "../graphql/connection.ts";
import { dateTime, legacyResourceId } from "../graphql/scalars.ts";
import { type Exchange, moneyBag, moneyV2 } from "./amounts.ts";
import {
  balanceOf,
  canMarkAsPaid,
  capturableMinor,
  financialStatus,
  type OrderRefund,
  type OrderTransaction,
  type ShopOrder,
} from "./shop-orders.ts";

type GraphqlObject = Readonly<Record<string, unknown>>;
type PageArguments = { readonly first?: number | null };
type MetafieldArguments = { readonly namespace?: string | null; readonly key: string };

/** The namespace of the app, which is used when a call names no namespace. */
export const APP_NAMESPACE = "$app";

/** The settings of the shop and the app on which the fields of an order depend. `customerData`: the app may read addresses. */
export type OrderContext = Exchange & { readonly origin: string; readonly customerData: boolean };

/** The Order of the Admin API. A query of a field that is missing here fails with an error that names the simulator. */
export function orderObject(order: ShopOrder, context: OrderContext): GraphqlObject {
  const { received, refunded, outstanding } = balanceOf(order);
  const bag = (amount: ShopOrder["total"]) => moneyBag(amount, context);
  const status = financialStatus(order);
  return {
    __typename: "Order",
    id: order.id,
    legacyResourceId: legacyResourceId(order.id),
    name: order.name,
    number: order.number,
    confirmationNumber: order.checkoutToken.slice(0, 9).toUpperCase(),
    email: order.email,
    phone: null,
    billingAddress: () => {
      if (context.customerData) return { name: "Awa Diop", phone: "+225 07 00 00 00 00" };
      const message = "This app is not approved to access the MailingAddress object.";
      throw new GraphQLError(message, { extensions: { code: "ACCESS_DENIED" } });
    },
    lineItems: () => connection(LINE_ITEMS),
    customerLocale: order.locale,
    test: order.test,
    createdAt: dateTime(order.createdAt),
    processedAt: dateTime(order.createdAt),
    updatedAt: dateTime(order.updatedAt),
    cancelledAt: order.cancelledAt === null ? null : dateTime(order.cancelledAt),
    cancelReason: order.cancelReason,
    closed: false,
    closedAt: null,
    confirmed: true,
    note: order.note,
    tags: order.tags,
    canMarkAsPaid: canMarkAsPaid(order),
    capturable: order.transactions.some((transaction) => capturableMinor(order, transaction) > 0),
    fullyPaid: outstanding.minor <= 0,
    unpaid: received.minor === 0,
    refundable: received.minor > refunded.minor,
    displayFinancialStatus: status,
    currencyCode: context.shopCurrency,
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
      minor: order.transactions.reduce((sum, transaction) => sum + capturableMinor(order, transaction), 0),
    }),
    paymentGatewayNames: [...new Set(order.transactions.map(({ gateway }) => gateway))],
    checkoutToken: order.checkoutToken,
    statusPageUrl: () => `${context.origin}/orders/${order.checkoutToken}`,
    transactions: ({ first }: PageArguments) =>
      order.transactions
        .slice(0, first ?? undefined)
        .map((transaction) => transactionObject(order, transaction, context)),
    transactionsCount: { count: order.transactions.length, precision: "EXACT" },
    refunds: ({ first }: PageArguments) =>
      order.refunds.slice(0, first ?? undefined).map((refund) => refundObject(order, refund, context)),
    metafield: ({ namespace, key }: MetafieldArguments) => metafieldObject(order, metafieldName(namespace, key)),
    metafields: () => connection([...order.metafields.keys()].map((name) => metafieldObject(order, name))),
  };
}

const LINE_ITEMS = [
  { title: "Café Touba", quantity: 2 },
  { title: "Bissap", quantity: 1 },
];

export function transactionObject(order: ShopOrder, transaction: OrderTransaction, exchange: Exchange): GraphqlObject {
  const { id, kind, status, gateway, manual, amount, parentId, createdAt } = transaction;
  const capturable = capturableMinor(order, transaction);
  const parent = order.transactions.find((other) => other.id === parentId);
  return {
    __typename: "OrderTransaction",
    id,
    kind,
    status,
    test: order.test,
    gateway,
    formattedGateway: gateway,
    manualPaymentGateway: manual,
    manuallyCapturable: kind === "SALE" && capturable > 0,
    multiCapturable: false,
    amountSet: moneyBag(amount, exchange),
    totalUnsettledSet: capturable > 0 ? moneyBag({ ...amount, minor: capturable }, exchange) : null,
    createdAt: dateTime(createdAt),
    processedAt: dateTime(createdAt),
    parentTransaction: parent ? transactionObject(order, parent, exchange) : null,
    errorCode: null,
    authorizationCode: null,
    paymentId: `${order.checkoutToken}.1`,
    receiptJson: "{}",
  };
}

export function refundObject(order: ShopOrder, refund: OrderRefund, exchange: Exchange): GraphqlObject {
  return {
    __typename: "Refund",
    id: refund.id,
    legacyResourceId: String(refund.number),
    note: refund.note,
    createdAt: dateTime(refund.createdAt),
    processedAt: dateTime(refund.createdAt),
    updatedAt: dateTime(refund.createdAt),
    totalRefundedSet: moneyBag(refund.amount, exchange),
    totalRefunded: moneyV2(refund.amount),
    transactions: () =>
      connection(refund.transactions.map((transaction) => transactionObject(order, transaction, exchange))),
  };
}

/** The key of a metafield in `ShopOrder.metafields`. */
export function metafieldName(namespace: string | null | undefined, key: string): string {
  return `${namespace ?? APP_NAMESPACE}.${key}`;
}

export function metafieldObject(order: ShopOrder, name: string): GraphqlObject | null {
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

// The outstanding amount is negative when more was received than the order costs.
function signedBag(amount: ShopOrder["total"], bag: (amount: ShopOrder["total"]) => ReturnType<typeof moneyBag>) {
  const { presentmentMoney, shopMoney } = bag({ ...amount, minor: Math.abs(amount.minor) });
  if (amount.minor >= 0) return { presentmentMoney, shopMoney };
  const negative = (side: typeof shopMoney) => ({ ...side, amount: `-${side.amount}` });
  return { presentmentMoney: negative(presentmentMoney), shopMoney: negative(shopMoney) };
}
