import { z } from "zod";
import { userErrors } from "../shopify-api/operation.ts";
import { adminOperation, optionalOperation } from "./admin-operation.ts";

export const setOrderMetafields = adminOperation(
  "OrderMetafieldsSet",
  `mutation OrderMetafieldsSet($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) {
    metafields { id }
    userErrors { field message code }
  }
}`,
  z.object({ metafieldsSet: z.object({ userErrors }) }).transform((data) => data.metafieldsSet),
);

export const deleteOrderMetafields = adminOperation(
  "OrderMetafieldsDelete",
  `mutation OrderMetafieldsDelete($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) {
    deletedMetafields { key }
    userErrors { field message }
  }
}`,
  z.object({ metafieldsDelete: z.object({ userErrors }) }).transform((data) => data.metafieldsDelete),
);

export const captureOrder = adminOperation(
  "OrderCapture",
  `mutation OrderCapture($input: OrderCaptureInput!) {
  orderCapture(input: $input) {
    transaction { id status }
    userErrors { field message }
  }
}`,
  z.object({ orderCapture: z.object({ userErrors }) }).transform((data) => data.orderCapture),
);

/** Shopify lets an app choose the amount in shops on its Plus plan only, and denies the whole operation in the others. */
export const createManualPayment = optionalOperation(
  "OrderCreateManualPayment",
  `mutation OrderCreateManualPayment($id: ID!, $amount: MoneyInput!, $paymentMethodName: String!) {
  orderCreateManualPayment(id: $id, amount: $amount, paymentMethodName: $paymentMethodName) {
    order { id }
    userErrors { field message code }
  }
}`,
  z.object({ orderCreateManualPayment: z.object({ userErrors }) }).transform((data) => data.orderCreateManualPayment),
);

export const markOrderAsPaid = adminOperation(
  "OrderMarkAsPaid",
  `mutation OrderMarkAsPaid($input: OrderMarkAsPaidInput!) {
  orderMarkAsPaid(input: $input) {
    order { id }
    userErrors { field message }
  }
}`,
  z.object({ orderMarkAsPaid: z.object({ userErrors }) }).transform((data) => data.orderMarkAsPaid),
);

export const tagOrder = adminOperation(
  "OrderTag",
  `mutation OrderTag($id: ID!, $tags: [String!]!) {
  tagsAdd(id: $id, tags: $tags) {
    node { id }
    userErrors { field message }
  }
}`,
  z.object({ tagsAdd: z.object({ userErrors }) }).transform((data) => data.tagsAdd),
);
