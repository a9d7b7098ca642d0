/** The number of an order, as in Shopify's webhooks and URLs. */
export function isOrderNumber(text: string): boolean {
  return /^[1-9]\d{0,19}$/.test(text);
}

export function orderGid(orderNumber: string): string {
  return `gid://shopify/Order/${orderNumber}`;
}

/** The number at the end of a global id of Shopify: of an order, a refund or any other resource. */
export function gidNumber(gid: string): string {
  return gid.slice(gid.lastIndexOf("/") + 1);
}
