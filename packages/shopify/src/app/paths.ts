/** Where the app's own routes are found below its public address. */
export const PATHS = {
  app: "/shopify",
  callback: "/shopify/callback",
  settings: "/shopify/settings",
  payment: "/shopify/payment",
  refund: "/shopify/refund",
  capture: "/shopify/capture",
  void: "/shopify/void",
  webhooks: "/shopify/webhooks",
  orderPay: "/shopify/order-pay",
} as const;

/** The same as a browser sees it. */
export function publicPath({ publicUrl }: { readonly publicUrl: string }, path: string): string {
  return `${new URL(publicUrl).pathname.replace(/\/$/, "")}${path}`;
}
