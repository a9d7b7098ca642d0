import { z } from "zod";
import { adminOperation, moneyBag } from "./admin-operation.ts";

const transaction = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  gateway: z.string().nullish(),
  manualPaymentGateway: z.boolean(),
  amountSet: moneyBag,
  parentTransaction: z.object({ id: z.string() }).nullish(),
  createdAt: z.string().nullish(),
});

export type OrderTransaction = z.output<typeof transaction>;

const order = z.object({
  id: z.string(),
  name: z.string(),
  test: z.boolean(),
  cancelledAt: z.string().nullish(),
  canMarkAsPaid: z.boolean(),
  customerLocale: z.string().nullish(),
  presentmentCurrencyCode: z.string(),
  totalOutstandingSet: moneyBag,
  totalReceivedSet: moneyBag,
  statusPageUrl: z.string(),
  transactions: z.array(transaction),
  refunds: z.array(z.object({ note: z.string().nullish() })).default([]),
  paymentId: z.object({ value: z.string() }).nullish(),
  payUrl: z.object({ value: z.string() }).nullish(),
});

export type AdminOrder = z.output<typeof order>;

/** The metafields of the app on an order: `payment` (the id of its payment) and `pay_url`. */
export const METAFIELD_NAMESPACE = "$app:tillkit";

/** A list requests fewer transactions and no refunds, because Shopify counts the cost of everything a list may return. */
const orderFields = (transactions: number, refunds: string) => `
    id
    name
    test
    cancelledAt
    canMarkAsPaid
    customerLocale
    presentmentCurrencyCode
    totalOutstandingSet { presentmentMoney { amount currencyCode } }
    totalReceivedSet { presentmentMoney { amount currencyCode } }
    statusPageUrl
    transactions(first: ${transactions}) {
      id
      kind
      status
      gateway
      manualPaymentGateway
      amountSet { presentmentMoney { amount currencyCode } }
      parentTransaction { id }
      createdAt
    }
    ${refunds}
    paymentId: metafield(namespace: "${METAFIELD_NAMESPACE}", key: "payment") { value }
    payUrl: metafield(namespace: "${METAFIELD_NAMESPACE}", key: "pay_url") { value }`;

export const readOrder = adminOperation(
  "OrderRead",
  `query OrderRead($id: ID!) {
  order(id: $id) {${orderFields(50, "refunds(first: 50) { note }")}
  }
}`,
  z.object({ order: order.nullish() }).transform((data) => data.order ?? null),
);

export const findOrders = adminOperation(
  "OrdersFind",
  `query OrdersFind($first: Int!, $after: String, $query: String!) {
  orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes {${orderFields(10, "")}
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
  z
    .object({
      orders: z.object({
        nodes: z.array(order),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
      }),
    })
    .transform((data) => data.orders),
);
