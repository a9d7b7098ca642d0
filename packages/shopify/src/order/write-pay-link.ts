import { codeOf } from "@tillkit/core";
import type { AppContext } from "../app-context.ts";
import { deleteOrderMetafields, setOrderMetafields } from "../operations/order-mutations.ts";
import { type AdminOrder, PAY_URL, readOrder } from "../operations/order-queries.ts";
import { NO_ORDER_SETTINGS } from "../records/shops.ts";
import { describeUserErrors } from "../shopify-api/operation.ts";
import { gidNumber, orderGid } from "./order-number.ts";
import { toOrder } from "./to-order.ts";

/** Reads an order from Shopify, writes its pay link as `writePayLink` does, and returns the order as it was read. */
export async function writePayLinkOf(context: AppContext, shop: string, orderId: string): Promise<AdminOrder | null> {
  const adminOrder = await context.graphql.call(shop, readOrder, { id: orderGid(orderId) });
  if (adminOrder) await writePayLink(context, shop, adminOrder);
  return adminOrder;
}

/**
 * Writes the pay link of an order that waits for our payment into its metafield `pay_url`, which the extension in the shop's pages
 * shows, and removes it from an order that waits no more. The service is called only when a shopper follows the link.
 */
export async function writePayLink(context: AppContext, shop: string, adminOrder: AdminOrder): Promise<void> {
  const url = await payLinkOf(context, shop, adminOrder);
  if ((adminOrder.payUrl?.value ?? null) === url) return;
  const metafield = { ownerId: adminOrder.id, ...PAY_URL };
  const { userErrors } =
    url === null
      ? await context.graphql.call(shop, deleteOrderMetafields, { metafields: [metafield] })
      : await context.graphql.call(shop, setOrderMetafields, {
          metafields: [{ ...metafield, type: "url", value: url }],
        });
  if (userErrors.length === 0) return;
  context.log.warn("shopify.pay_link_not_written", { storeId: shop, reason: describeUserErrors(userErrors) });
}

/** Null where the order does not wait for our payment. */
async function payLinkOf(context: AppContext, shop: string, adminOrder: AdminOrder): Promise<string | null> {
  const ref = { storeId: shop, orderId: gidNumber(adminOrder.id) };
  const settings = (await context.shops.find(shop)) ?? NO_ORDER_SETTINGS;
  try {
    const { payable, total } = toOrder(adminOrder, ref, settings);
    const isPayable = payable && context.config.currencies.includes(total.currency);
    return isPayable ? context.checkout.payLink({ ref, attempt: "" }) : null;
  } catch (error) {
    context.log.warn("shopify.order_not_payable", { storeId: shop, orderId: ref.orderId, code: codeOf(error) });
    return null;
  }
}
