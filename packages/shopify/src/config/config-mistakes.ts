import { isLoopback } from "@tillkit/server/config";
import { readShopDomain } from "../shop/shop-domain.ts";
import type { ShopifyConfig } from "./config.ts";

const SHOPIFY = "https://{shop}";

/** `https://{shop}`, or an address of this machine with `{shop}` in its path: tokens go to nobody else. */
export function isShopTemplate(template: string): boolean {
  if (template === SHOPIFY) return true;
  if (template.split("{shop}").length !== 2 || template.endsWith("/")) return false;
  const filled = template.replace("{shop}", "acme.myshopify.com");
  if (!URL.canParse(filled)) return false;
  const { protocol, hostname, pathname, search, hash, username } = new URL(filled);
  const isBare = search === "" && hash === "" && username === "" && pathname.includes("acme.myshopify.com");
  return isBare && (protocol === "http:" || protocol === "https:") && isLoopback(hostname);
}

/** Where one shop is reached. @throws Error for what is no shop: nothing unchecked becomes an address */
export function originOfShop(template: string): (shop: string) => string {
  return function originOf(shop) {
    if (readShopDomain(shop) !== shop) throw new Error("That is no shop of Shopify.");
    return template.replace("{shop}", shop);
  };
}

/** What is wrong between keys that are each right. One sentence a mistake. */
export function betweenKeys({ app, listen, clientCertificates, publicUrl }: ShopifyConfig): string[] {
  const isLocal = isLoopback(new URL(publicUrl).hostname);
  const mistakes: string[] = [];
  if (app.mode === "offsite" && clientCertificates.by === "nobody" && !isLocal) {
    mistakes.push(
      'clientCertificates by "nobody" lets anybody post payments: on a public address it must be "server" or "proxy".',
    );
  }
  if (app.mode === "offsite" && app.embedded) {
    mistakes.push("app.embedded is for order mode: Shopify opens a payments app in a page of its own.");
  }
  if (app.mode === "offsite" && app.registerWebhooks) {
    mistakes.push("app.registerWebhooks is for order mode: the webhooks of a payments app stand in its toml file.");
  }
  if (app.mode === "offsite" && clientCertificates.by === "server" && listen.tls === undefined) {
    const instead = isLocal ? 'For a simulator on this machine set {"by":"nobody"}.' : 'Behind a proxy set "proxy".';
    mistakes.push(
      `clientCertificates by "server" needs listen.tls with clientCa: without TLS of its own this server sees no certificate. ${instead}`,
    );
  }
  return mistakes;
}
