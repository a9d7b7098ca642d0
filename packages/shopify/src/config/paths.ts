/** The app's own routes, relative to its public URL. */
export const PATHS = {
  app: "/shopify",
  callback: "/shopify/callback",
  settings: "/shopify/settings",
  customerData: "/shopify/settings/customer-data",
  payment: "/shopify/payment",
  refund: "/shopify/refund",
  capture: "/shopify/capture",
  void: "/shopify/void",
  webhooks: "/shopify/webhooks",
  orderPay: "/shopify/order-pay",
} as const;

/** The path as a browser sees it: with the path of the public URL in front. */
export function publicPath({ publicUrl }: { readonly publicUrl: string }, path: string): string {
  return `${new URL(publicUrl).pathname.replace(/\/$/, "")}${path}`;
}
