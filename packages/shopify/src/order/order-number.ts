/** The number of an order, as in Shopify's webhooks and URLs. */
export function isOrderNumber(text: string): boolean {
  return /^[1-9]\d{0,19}$/.test(text);
}

export function orderGid(orderNumber: string): string {
  return `gid://shopify/Order/${orderNumber}`;
}

export function orderNumberOf(gid: string): string {
  return gid.slice(gid.lastIndexOf("/") + 1);
}
