/** What the thank-you page knows about the order, which may not exist in the shop yet. */
export type PlacedOrder = {
  /** `acme.myshopify.com` */
  readonly shop: string;
  readonly orderId: string;
  /** The random number that the shopper sees. It proves to the app server that the link belongs to the order. */
  readonly confirmationNumber: string | undefined;
};

/** The page of the app server on which the shopper pays the order. Null where the page does not know enough. */
export function payUrl(appUrl: string, { shop, orderId, confirmationNumber }: PlacedOrder): string | null {
  const order = orderNumber(orderId);
  if (order === null || !confirmationNumber) return null;
  return `${appUrl}/shopify/order-pay?${new URLSearchParams({ shop, order, confirmation: confirmationNumber })}`;
}

/**
 * The number at the end of an order's id. The types promise `gid://shopify/Order/1`; shops also answer
 * `gid://shopify/OrderIdentity/1`, the bare number, or one of them in base64. The number is the same in all of them.
 */
function orderNumber(id: string): string | null {
  const pattern = /^(?:gid:\/\/shopify\/\w+\/)?(\d{1,20})$/;
  const plain = pattern.exec(id)?.[1];
  if (plain !== undefined) return plain;
  try {
    return pattern.exec(atob(id))?.[1] ?? null;
  } catch {
    return null;
  }
}
