import { z } from "zod";
import { userErrors } from "../shopify-api/operation.ts";
import { adminOperation, moneyBag } from "./admin-operation.ts";

export const readRefund = adminOperation(
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
              z.object({ kind: z.string(), status: z.string(), gateway: z.string().nullish(), amountSet: moneyBag }),
            ),
          }),
        })
        .nullish(),
    })
    .transform((data) => data.refund ?? null),
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
