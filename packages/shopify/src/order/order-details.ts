import { type Customer, codeOf, type Order } from "@tillkit/core";
import { plainText } from "@tillkit/runtime";
import { readOrderCustomer, readOrderItems } from "../operations/order-detail-operations.ts";
import { AccessDenied } from "../shopify-api/access-denied.ts";
import type { Operation } from "../shopify-api/operation.ts";
import { orderGid } from "./order-number.ts";
import type { OrderStore } from "./order-store.ts";

/** What the hosted page shows of an order beside its amount. */
export type OrderDetails = Pick<Order, "description" | "customer">;

/**
 * Returns the function that reads the items and the customer of an order, for the hosted page. An order is paid without them: what
 * Shopify denies is not asked for again by this process, and what cannot be read is left out.
 */
export function createOrderDetails({ graphql, shop, log }: OrderStore): (orderId: string) => Promise<OrderDetails> {
  const denied = new Set<string>();

  async function read<Data>(operation: Operation<Data>, orderId: string): Promise<Data | null> {
    if (denied.has(operation.name)) return null;
    try {
      return await graphql.call(shop, operation, { id: orderGid(orderId) });
    } catch (error) {
      if (error instanceof AccessDenied) denied.add(operation.name);
      log.info("shopify.order_details_not_read", { storeId: shop, operation: operation.name, code: codeOf(error) });
      return null;
    }
  }

  return async function detailsOf(orderId) {
    const [items, buyer] = await Promise.all([read(readOrderItems, orderId), read(readOrderCustomer, orderId)]);
    const description = (items ?? []).map(({ title, quantity }) => `${quantity} × ${plainText(title)}`).join(", ");
    return {
      ...(description === "" ? {} : { description }),
      ...(buyer ? { customer: customerOf(buyer) } : {}),
    };
  };
}

type Buyer = NonNullable<ReturnType<(typeof readOrderCustomer)["schema"]["parse"]>>;

function customerOf({ email, phone, billingAddress }: Buyer): Customer {
  return {
    name: billingAddress?.name ?? undefined,
    email: email ?? undefined,
    phone: phone ?? billingAddress?.phone ?? undefined,
  };
}
