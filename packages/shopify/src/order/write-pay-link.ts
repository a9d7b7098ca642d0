import { codeOf } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { setOrderMetafields } from "../operations/order-mutations.ts";
import { type AdminOrder, METAFIELD_NAMESPACE, readOrder } from "../operations/order-queries.ts";
import { NO_GATEWAY_NAMES } from "../records/shops.ts";
import { describeUserErrors } from "../shopify-api/operation.ts";
import { orderGid, orderNumberOf } from "./order-number.ts";
import { toOrder } from "./to-order.ts";

/** Writes the pay link of an order, as `writePayLink` does, after reading the order from Shopify. */
export async function writePayLinkOf(context: AppContext, shop: string, orderId: string): Promise<void> {
  const adminOrder = await context.graphql.call(shop, readOrder, { id: orderGid(orderId) });
  if (adminOrder) await writePayLink(context, shop, adminOrder);
}

/**
 * Writes the pay link of an order that waits for our payment into its metafield `pay_url`, which an extension in the shop's
 * pages can show. The service is called only when a shopper follows the link.
 */
export async function writePayLink(context: AppContext, shop: string, adminOrder: AdminOrder): Promise<void> {
  const url = await payLinkOf(context, shop, adminOrder);
  if (url === null || adminOrder.payUrl?.value === url) return;
  const metafield = { ownerId: adminOrder.id, namespace: METAFIELD_NAMESPACE, key: "pay_url", type: "url", value: url };
  const { userErrors } = await context.graphql.call(shop, setOrderMetafields, { metafields: [metafield] });
  if (userErrors.length === 0) return;
  context.log.warn("shopify.pay_link_not_written", { storeId: shop, reason: describeUserErrors(userErrors) });
}

/** Null where the order does not wait for our payment. */
async function payLinkOf(context: AppContext, shop: string, adminOrder: AdminOrder): Promise<string | null> {
  const ref = { storeId: shop, orderId: orderNumberOf(adminOrder.id) };
  const gateways = (await context.shops.find(shop)) ?? NO_GATEWAY_NAMES;
  try {
    const { payable, total } = toOrder(adminOrder, ref, gateways);
    const isPayable = payable && context.config.currencies.includes(total.currency);
    return isPayable ? context.checkout.payLink({ ref, attempt: "" }) : null;
  } catch (error) {
    context.log.warn("shopify.order_not_payable", { storeId: shop, orderId: ref.orderId, code: codeOf(error) });
    return null;
  }
}
