import type { Clock } from "@tillkit/core";
import type { WritableShopRecord } from "../shop-record.ts";
import { type OrderContext, orderObject } from "./order-objects.ts";
import type { OrderRefund, ShopOrder, ShopOrders } from "./shop-orders.ts";
import type { WebhookSubscriptions } from "./webhook-subscriptions.ts";

export type ShopPlan = "development" | "basic" | "plus";

/** The shop whose data the resolvers of the Admin API read and change. */
export type AdminContext = {
  readonly clock: Clock;
  /** `acme.myshopify.com` */
  readonly domain: string;
  readonly origin: string;
  readonly currency: string;
  readonly plan: ShopPlan;
  /** The name under which shoppers know the shop. */
  readonly name: string;
  readonly orders: ShopOrders;
  readonly subscriptions: WebhookSubscriptions;
  readonly record: WritableShopRecord;
  /** The scopes with which the app is installed. */
  scopes(): readonly string[];
  orderContext(order: ShopOrder): OrderContext;
  /** Sends the webhook of the topic. */
  onOrderChange(order: ShopOrder, topic: "orders/updated" | "orders/cancelled"): void;
  /** Sends the webhook `refunds/create`. */
  onRefund(order: ShopOrder, refund: OrderRefund): void;
};

/** The `input` argument of a mutation. */
export type InputArgument<Input> = { readonly input: Input };

/** The order as the Admin API returns it. */
export function orderResult(context: AdminContext, order: ShopOrder) {
  return orderObject(order, context.orderContext(order));
}

/** @param fieldPath the path of the refused argument, such as `["input", "id"]` */
export function userError(fieldPath: readonly string[], message: string) {
  return { field: fieldPath, message };
}
