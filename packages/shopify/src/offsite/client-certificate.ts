import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { createProxyCheck } from "../app/trusted-proxies.ts";

/**
 * How a session request shows that Shopify sent it (mutual TLS is its only authentication). `server`: this server asks for
 * the certificate and checks it. `proxy`: the one in front does, and says so in a header that counts from its own address
 * only. `nobody`: for a simulator on this machine.
 */
export type ClientCertificates =
  | { readonly by: "server" }
  | {
      readonly by: "proxy";
      readonly header: string;
      readonly value: string;
      readonly trustedProxies: readonly string[];
    }
  | { readonly by: "nobody" };

export type IsFromShopify = (request: IncomingMessage) => boolean;

export function createCertificateCheck(certificates: ClientCertificates): IsFromShopify {
  switch (certificates.by) {
    case "server":
      return ({ socket }) => socket instanceof TLSSocket && socket.authorized;
    case "proxy":
      return behindProxy(certificates);
    case "nobody":
      return () => true;
  }
}

function behindProxy({ header, value, trustedProxies }: Extract<ClientCertificates, { by: "proxy" }>): IsFromShopify {
  const isTrusted = createProxyCheck(trustedProxies);
  const name = header.toLowerCase();
  return function isFromTrustedProxy({ socket, headersDistinct }) {
    // A header that was sent twice was sent by two: the proxy, and somebody before it.
    const said = headersDistinct[name] ?? [];
    return said.length === 1 && said[0] === value && isTrusted(socket.remoteAddress);
  };
}
