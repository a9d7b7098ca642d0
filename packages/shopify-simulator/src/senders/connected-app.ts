import type { SenderIdentity } from "./session-sender.ts";

/** The URLs of an app, as its toml files declare them. A URL is absolute or begins with a slash. */
export type ConnectedApp = {
  /** The base URL of the app, without a slash at the end. */
  readonly url: string;
  /** The page that Shopify opens; `/` by default. */
  readonly entry?: string;
  readonly paymentUrl?: string;
  readonly refundUrl?: string;
  readonly captureUrl?: string;
  readonly voidUrl?: string;
  /** The webhook subscriptions of the toml file. Shopify never deletes them. */
  readonly webhooks?: { readonly url: string; readonly topics: readonly string[] };
  /** How Shopify authenticates its session requests. */
  readonly identity?: SenderIdentity;
  /** The page where a shopper pays an order. `{shop}` and `{token}` stand for the shop and the checkout token. */
  readonly orderPayUrl?: string;
};

/** @param urlOrPath an absolute URL, or a path that begins with a slash */
export function urlOf(app: ConnectedApp, urlOrPath: string): string {
  return urlOrPath.startsWith("/") ? `${app.url}${urlOrPath}` : urlOrPath;
}
