import { z } from "zod";
import { type Operation, userErrors } from "./operation.ts";

/**
 * Everything that is sent to the Admin API. Valid in its versions 2026-01 to 2026-10, which a test proves against the real
 * schemas. Amounts are decimal texts in the currency that the buyer was shown.
 */
function operation<Data>(name: string, text: string, schema: z.ZodType<Data>): Operation<Data> {
  return { name, api: "admin", text, schema };
}

const moneySet = z.object({ presentmentMoney: z.object({ amount: z.string(), currencyCode: z.string() }) });

const transaction = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  gateway: z.string().nullish(),
  manualPaymentGateway: z.boolean(),
  amountSet: moneySet,
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
  totalOutstandingSet: moneySet,
  totalReceivedSet: moneySet,
  statusPageUrl: z.string(),
  transactions: z.array(transaction),
  refunds: z.array(z.object({ note: z.string().nullish() })).default([]),
  proof: z.object({ value: z.string() }).nullish(),
  payUrl: z.object({ value: z.string() }).nullish(),
});

export type AdminOrder = z.output<typeof order>;

export const NAMESPACE = "$app:tillkit";

/** A list of orders costs as much as all that it might show: fewer transactions of each, and no refunds. */
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
    proof: metafield(namespace: "${NAMESPACE}", key: "payment") { value }
    payUrl: metafield(namespace: "${NAMESPACE}", key: "pay_url") { value }`;

export const readOrder = operation(
  "OrderRead",
  `query OrderRead($id: ID!) {
  order(id: $id) {${orderFields(50, "refunds(first: 50) { note }")}
  }
}`,
  z.object({ order: order.nullish() }).transform((data) => data.order ?? null),
);

export const findOrders = operation(
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

const setFields = z.object({ metafieldsSet: z.object({ userErrors }) }).transform((data) => data.metafieldsSet);

export const keepOnOrder = operation(
  "OrderKeep",
  `mutation OrderKeep($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) {
    metafields { id }
    userErrors { field message code }
  }
}`,
  setFields,
);

export const captureOrder = operation(
  "OrderCapture",
  `mutation OrderCapture($input: OrderCaptureInput!) {
  orderCapture(input: $input) {
    transaction { id status }
    userErrors { field message }
  }
}`,
  z.object({ orderCapture: z.object({ userErrors }) }).transform((data) => data.orderCapture),
);

export const createManualPayment = operation(
  "OrderCreateManualPayment",
  `mutation OrderCreateManualPayment($id: ID!, $amount: MoneyInput!, $paymentMethodName: String!) {
  orderCreateManualPayment(id: $id, amount: $amount, paymentMethodName: $paymentMethodName) {
    order { id }
    userErrors { field message code }
  }
}`,
  z.object({ orderCreateManualPayment: z.object({ userErrors }) }).transform((data) => data.orderCreateManualPayment),
);

export const markOrderAsPaid = operation(
  "OrderMarkAsPaid",
  `mutation OrderMarkAsPaid($input: OrderMarkAsPaidInput!) {
  orderMarkAsPaid(input: $input) {
    order { id }
    userErrors { field message }
  }
}`,
  z.object({ orderMarkAsPaid: z.object({ userErrors }) }).transform((data) => data.orderMarkAsPaid),
);

export const tagOrder = operation(
  "OrderTag",
  `mutation OrderTag($id: ID!, $tags: [String!]!) {
  tagsAdd(id: $id, tags: $tags) {
    node { id }
    userErrors { field message }
  }
}`,
  z.object({ tagsAdd: z.object({ userErrors }) }).transform((data) => data.tagsAdd),
);

export const readRefund = operation(
  "RefundRead",
  `query RefundRead($id: ID!) {
  refund(id: $id) {
    id
    note
    order { id }
    transactions(first: 50) {
      nodes { kind status gateway amountSet { presentmentMoney { amount currencyCode } } }
    }
  }
}`,
  z
    .object({
      refund: z
        .object({
          id: z.string(),
          note: z.string().nullish(),
          order: z.object({ id: z.string() }),
          transactions: z.object({
            nodes: z.array(
              z.object({ kind: z.string(), status: z.string(), gateway: z.string().nullish(), amountSet: moneySet }),
            ),
          }),
        })
        .nullish(),
    })
    .transform((data) => data.refund ?? null),
);

export const createRefund = operation(
  "RefundCreate",
  `mutation RefundCreate($input: RefundInput!, $key: String!) {
  refundCreate(input: $input) @idempotent(key: $key) {
    refund { id }
    userErrors { field message }
  }
}`,
  z.object({ refundCreate: z.object({ userErrors }) }).transform((data) => data.refundCreate),
);

const webhookPage = z.object({
  nodes: z.array(z.object({ topic: z.string(), uri: z.string() })),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
});

export type WebhookPage = z.output<typeof webhookPage>;

export const listWebhooks = operation(
  "WebhooksList",
  `query WebhooksList($after: String) {
  webhookSubscriptions(first: 100, after: $after) {
    nodes { topic uri }
    pageInfo { hasNextPage endCursor }
  }
}`,
  z.object({ webhookSubscriptions: webhookPage }).transform((data) => data.webhookSubscriptions),
);

export const createWebhook = operation(
  "WebhookCreate",
  `mutation WebhookCreate($topic: WebhookSubscriptionTopic!, $uri: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, format: JSON }) {
    webhookSubscription { id }
    userErrors { field message }
  }
}`,
  z.object({ webhookSubscriptionCreate: z.object({ userErrors }) }).transform((data) => data.webhookSubscriptionCreate),
);

export const adminApiVersions = operation(
  "PublicApiVersions",
  "query PublicApiVersions { publicApiVersions { handle supported } }",
  z
    .object({ publicApiVersions: z.array(z.object({ handle: z.string(), supported: z.boolean() })) })
    .transform((data) => data.publicApiVersions),
);
