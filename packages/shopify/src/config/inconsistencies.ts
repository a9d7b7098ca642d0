import { isLoopbackUrl } from "@tillkit/client";
import type { ShopifyConfig } from "./config-schema.ts";

/** Values that are valid alone and contradict each other, one sentence for each contradiction. */
export function findInconsistencies({ app, listen, clientCertificates, publicUrl }: ShopifyConfig): string[] {
  if (app.mode === "order") return [];
  const isLocal = isLoopbackUrl(publicUrl);
  const mistakes: string[] = [];
  if (clientCertificates.verifiedBy === "none" && !isLocal) {
    mistakes.push(
      'clientCertificates verifiedBy "none" lets anyone post payments: on a public address it must be "server" or "proxy".',
    );
  }
  if (app.embedded) {
    mistakes.push("app.embedded is for order mode: Shopify opens a payments app in a page of its own.");
  }
  if (app.registerWebhooks) {
    mistakes.push("app.registerWebhooks is for order mode: a payments app declares its webhooks in its toml file.");
  }
  if (clientCertificates.verifiedBy === "server" && listen.tls === undefined) {
    const advice = isLocal
      ? 'For a simulator on this machine set {"verifiedBy":"none"}.'
      : 'Behind a proxy set "proxy".';
    mistakes.push(
      `clientCertificates verifiedBy "server" needs listen.tls with clientCa: a server without TLS receives no certificate. ${advice}`,
    );
  }
  return mistakes;
}
