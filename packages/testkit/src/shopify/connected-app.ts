import type { SenderIdentity } from "./session-sender.ts";

/** Where the app is reached: what its toml files tell Shopify. Addresses are absolute or begin with a slash. */
export type ConnectedApp = {
  /** The app's address, without a slash at the end. */
  readonly url: string;
  /** Where Shopify opens it, `/` unless set. */
  readonly entry?: string;
  readonly paymentUrl?: string;
  readonly refundUrl?: string;
  readonly captureUrl?: string;
  readonly voidUrl?: string;
  /** Subscriptions of the toml file: one address for these topics. They are never deleted. */
  readonly webhooks?: { readonly url: string; readonly topics: readonly string[] };
  /** How Shopify shows that it is Shopify at the session addresses. */
  readonly identity?: SenderIdentity;
  /** Where a shopper pays an order; `{shop}` and `{token}` stand for the shop and its checkout token. */
  readonly orderPayUrl?: string;
};

export function addressOf(app: ConnectedApp, path: string): string {
  return path.startsWith("/") ? `${app.url}${path}` : path;
}
