import { z } from "zod";
import { userErrors } from "../shopify-api/operation.ts";
import { adminOperation, moneyBag } from "./admin-operation.ts";

export const readRefund = adminOperation(
  "RefundRead",
  `query RefundRead($id: ID!) {
  refund(id: $id) {
    id
    note
    createdAt
    order { id refunds(first: 250) { id note } }
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
          createdAt: z.string().nullish(),
          order: z.object({
            id: z.string(),
            refunds: z.array(z.object({ id: z.string(), note: z.string().nullish() })).default([]),
          }),
          transactions: z.object({
            nodes: z.array(
              z.object({ kind: z.string(), status: z.string(), gateway: z.string().nullish(), amountSet: moneyBag }),
            ),
          }),
        })
        .nullish(),
    })
    .transform((data) => data.refund ?? null),
);

// A refund that only puts items back into stock changes no financial status.
export const findRefundedOrders = adminOperation(
  "RefundedOrdersFind",
  `query RefundedOrdersFind($first: Int!, $after: String, $query: String!) {
  orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes { id updatedAt }
    pageInfo { hasNextPage endCursor }
  }
}`,
  z
    .object({
      orders: z.object({
        nodes: z.array(z.object({ id: z.string(), updatedAt: z.string() })),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
      }),
    })
    .transform((data) => data.orders),
);

export const readOrderRefunds = adminOperation(
  "OrderRefundsRead",
  `query OrderRefundsRead($id: ID!) {
  order(id: $id) {
    refunds(first: 250) { id }
  }
}`,
  z
    .object({ order: z.object({ refunds: z.array(z.object({ id: z.string() })) }).nullish() })
    .transform((data) => data.order?.refunds ?? []),
);

export const createRefund = adminOperation(
  "RefundCreate",
  `mutation RefundCreate($input: RefundInput!, $key: String!) {
  refundCreate(input: $input) @idempotent(key: $key) {
    refund { id }
    userErrors { field message }
  }
}`,
  z.object({ refundCreate: z.object({ userErrors }) }).transform((data) => data.refundCreate),
);
