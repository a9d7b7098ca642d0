import { z } from "zod";
import { optionalOperation } from "./admin-operation.ts";

/** The titles and quantities of an order's items. */
export const readOrderItems = optionalOperation(
  "OrderItemsRead",
  `query OrderItemsRead($id: ID!) {
  order(id: $id) { lineItems(first: 20) { nodes { title quantity } } }
}`,
  z
    .object({
      order: z
        .object({ lineItems: z.object({ nodes: z.array(z.object({ title: z.string(), quantity: z.number() })) }) })
        .nullish(),
    })
    .transform(({ order }) => order?.lineItems.nodes ?? []),
);

/** The customer of an order. Shopify denies the query to an app without access to the name, e-mail and phone of customers. */
export const readOrderCustomer = optionalOperation(
  "OrderCustomerRead",
  `query OrderCustomerRead($id: ID!) {
  order(id: $id) { email phone billingAddress { name phone } }
}`,
  z
    .object({
      order: z
        .object({
          email: z.string().nullish(),
          phone: z.string().nullish(),
          billingAddress: z.object({ name: z.string().nullish(), phone: z.string().nullish() }).nullish(),
        })
        .nullish(),
    })
    .transform(({ order }) => order ?? null),
);
