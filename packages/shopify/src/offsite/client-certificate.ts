import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { TLSSocket } from "node:tls";

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
  const trusted = new BlockList();
  for (const proxy of trustedProxies) {
    const [address = "", bits] = proxy.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const name = header.toLowerCase();
  return function isFromTrustedProxy({ socket, headersDistinct }) {
    // A header that was sent twice was sent by two: the proxy, and somebody before it.
    const said = headersDistinct[name] ?? [];
    const address = (socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "");
    const family = isIP(address);
    if (said.length !== 1 || said[0] !== value || family === 0) return false;
    return trusted.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}

/** An address, or a network in CIDR form. */
export function isProxyAddress(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}
