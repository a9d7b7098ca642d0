import type { ServerResponse } from "node:http";
import { type OwnerPage, sendOwnerPage } from "@tillkit/server";
import { polarisStyle } from "./polaris-style.ts";

/** Polaris 1 as Shopify serves it to apps: it draws `s-section`, `s-banner` and `s-badge` as the admin draws its own. */
const POLARIS = "https://cdn.shopify.com/shopifycloud/polaris-1.js";

/** Shopify requires App Bridge in the head of every page that its admin shows in a frame, before any other script. */
const APP_BRIDGE = "https://cdn.shopify.com/shopifycloud/app-bridge.js";

/** `appKey`: the app's client ID for App Bridge, which a page outside of the admin's frame must not load. */
export type AdminPage = Omit<OwnerPage, "platform"> & { readonly appKey?: string };

/**
 * Sends a page that looks like Shopify's admin. Fields and buttons are the browser's own in the style of Polaris: so the forms
 * work before Polaris ran and where it does not load, and a button sends its name, which `s-button` does not.
 */
export function sendAdminPage(response: ServerResponse, { appKey, ...page }: AdminPage): void {
  const frame = appKey === undefined ? {} : { first: APP_BRIDGE, meta: { name: "shopify-api-key", content: appKey } };
  sendOwnerPage(response, { ...page, platform: { script: POLARIS, style: polarisStyle, ...frame } });
}
