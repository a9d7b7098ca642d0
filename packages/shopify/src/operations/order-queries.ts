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
  confirmationNumber: z.string().nullish(),
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

/** The metafield `payment` with the id of the payment of an order, which only the app reads. */
export const PAYMENT_NAMESPACE = "$app:tillkit";

/** The metafield `pay_url` with the pay link of an unpaid order. `shopify.app.toml` declares it, and the extension reads it. */
export const PAY_URL = { namespace: "$app", key: "pay_url" } as const;

/** `maxRefunds` null: without refunds. */
type OrderFieldsOptions = { readonly maxTransactions: number; readonly maxRefunds: number | null };

const orderFields = ({ maxTransactions, maxRefunds }: OrderFieldsOptions) => `
    id
    name
    test
    cancelledAt
    canMarkAsPaid
    confirmationNumber
    customerLocale
    presentmentCurrencyCode
    totalOutstandingSet { presentmentMoney { amount currencyCode } }
    totalReceivedSet { presentmentMoney { amount currencyCode } }
    statusPageUrl
    transactions(first: ${maxTransactions}) {
      id
      kind
      status
      gateway
      manualPaymentGateway
      amountSet { presentmentMoney { amount currencyCode } }
      parentTransaction { id }
      createdAt
    }
    ${maxRefunds === null ? "" : `refunds(first: ${maxRefunds}) { note }`}
    paymentId: metafield(namespace: "${PAYMENT_NAMESPACE}", key: "payment") { value }
    payUrl: metafield(namespace: "${PAY_URL.namespace}", key: "${PAY_URL.key}") { value }`;

export const readOrder = adminOperation(
  "OrderRead",
  `query OrderRead($id: ID!) {
  order(id: $id) {${orderFields({ maxTransactions: 50, maxRefunds: 50 })}
  }
}`,
  z.object({ order: order.nullish() }).transform((data) => data.order ?? null),
);

// A list requests fewer transactions and no refunds, because Shopify counts the cost of everything that a list may return.
export const findOrders = adminOperation(
  "OrdersFind",
  `query OrdersFind($first: Int!, $after: String, $query: String!) {
  orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes {${orderFields({ maxTransactions: 10, maxRefunds: null })}
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
