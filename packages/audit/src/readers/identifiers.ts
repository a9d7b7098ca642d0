const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SERVICE_CODE = /(?:^|\/)((?:txn|cs|pi)_[0-9a-z]{10,})$/;

/**
 * The id of a movement that a text on an order is, in lower case: a transaction, a session, the address of a hosted page, or one of our
 * own references, whose first part is the id of the payment. Null for everything else. No list of field names is needed: an id of the
 * service on an order is no coincidence.
 */
export function movementName(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 400) return null;
  const text = value.trim().toLowerCase();
  if (UUID.test(text)) return text;
  const [, code] = SERVICE_CODE.exec(text) ?? [];
  if (code !== undefined) return code;
  const [, payment] = /^([0-9a-z_-]{8,64})\.[0-9a-f]{32}$/.exec(text) ?? [];
  return payment ?? null;
}

/** Fields that renewals and copies take over from another order: they name that order's payment. */
export const COPIED_FIELDS: ReadonlySet<string> = new Set([
  "_original_transaction_id",
  "_parent_transaction_id",
  "_subscription_renewal_transaction_id",
  "_copied_transaction_id",
]);

/** What plug-ins call the order in the metadata of a session, in the order in which they are believed. */
export const ORDER_FIELDS: readonly string[] = [
  "order_id",
  "orderId",
  "order_number",
  "orderNumber",
  "order_no",
  "order_reference",
  "order_ref",
  "order_key",
  "order",
  "wc_order_id",
  "woocommerce_order_id",
  "shopify_order_id",
  "shopify_order_name",
  "prestashop_order_id",
  "id_order",
  "ps_order_id",
  "magento_order_id",
  "increment_id",
  "cart_id",
  "id_cart",
  "payment_reference",
  "reference",
  "merchant_reference",
  "external_id",
  "external_reference",
  "client_reference_id",
  "invoice_id",
];

/** What plug-ins call the shop there. */
export const SITE_FIELDS: readonly string[] = [
  "site_url",
  "site",
  "shop_url",
  "shop_domain",
  "shop",
  "store_url",
  "store_domain",
  "home_url",
  "domain",
  "source_url",
];

/** The host name of an address or of a bare domain, without `www.`; null for anything else. */
export function siteOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const [, host] =
    /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+|localhost)(?::\d+)?(?:\/.*)?$/i.exec(value.trim()) ?? [];
  return host?.toLowerCase() ?? null;
}
