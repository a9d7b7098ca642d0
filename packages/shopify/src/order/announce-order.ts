import { codeOf } from "@tillkit/core";
import type { Desk } from "../app/desk.ts";
import { type AdminOrder, keepOnOrder, NAMESPACE, readOrder } from "../graphql/admin-operations.ts";
import { firstError } from "../graphql/operation.ts";
import { NO_GATEWAYS } from "../shop/shops.ts";
import { orderGid, orderNumber, orderOf } from "./order-view.ts";

/**
 * An order that waits for us gets its pay link, which an extension in the shop's pages can show: the metafield `pay_url`. No
 * page of the service is opened before somebody follows it.
 */
export async function announceOrder(desk: Desk, shop: string, orderId: string): Promise<void> {
  const found = await desk.graphql.call(shop, readOrder, { id: orderGid(orderId) });
  if (found) await announceFound(desk, shop, found);
}

export async function announceFound(desk: Desk, shop: string, found: AdminOrder): Promise<void> {
  const url = await payUrlOf(desk, shop, found);
  if (url === null || found.payUrl?.value === url) return;
  const metafield = { ownerId: found.id, namespace: NAMESPACE, key: "pay_url", type: "url", value: url };
  const { userErrors } = await desk.graphql.call(shop, keepOnOrder, { metafields: [metafield] });
  if (userErrors.length > 0)
    desk.log.warn("shopify.order_not_announced", { storeId: shop, reason: firstError(userErrors) });
}

/** Where this order is paid; null when it does not wait for us. */
async function payUrlOf(desk: Desk, shop: string, found: AdminOrder): Promise<string | null> {
  const ref = { storeId: shop, orderId: orderNumber(found.id) };
  const gateways = (await desk.shops.find(shop)) ?? NO_GATEWAYS;
  try {
    const { payable, total } = orderOf(found, ref, gateways);
    return payable && desk.config.currencies.includes(total.currency)
      ? desk.checkout.payLink({ ref, attempt: "" })
      : null;
  } catch (error) {
    desk.log.warn("shopify.order_not_payable", { storeId: shop, orderId: ref.orderId, code: codeOf(error) });
    return null;
  }
}
