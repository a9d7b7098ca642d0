import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import type { ShopifyConfig } from "../config/config-schema.ts";
import { createProxyCheck } from "../config/trusted-proxies.ts";

/**
 * Who verifies the client certificate of a session request. Mutual TLS is the only authentication of these requests.
 * `server`: this server requests the certificate and verifies it. `proxy`: a proxy verifies it and reports the result in a
 * header, which is accepted from the proxy's address only. `none`: for a simulator on this machine.
 */
export type ClientCertificates = ShopifyConfig["clientCertificates"];

type ProxyCertificates = Extract<ClientCertificates, { verifiedBy: "proxy" }>;

export type IsFromShopify = (request: IncomingMessage) => boolean;

export function createCertificateCheck(certificates: ClientCertificates): IsFromShopify {
  switch (certificates.verifiedBy) {
    case "server":
      // Node.js reports a resumed TLS 1.3 connection as authorized even when no certificate was ever sent, so one is required too.
      return ({ socket }) =>
        socket instanceof TLSSocket && socket.authorized && socket.getPeerX509Certificate() !== undefined;
    case "proxy":
      return createHeaderCheck(certificates);
    case "none":
      return () => true;
  }
}

function createHeaderCheck({ header, value, trustedProxies }: ProxyCertificates): IsFromShopify {
  const isTrusted = createProxyCheck(trustedProxies);
  const name = header.toLowerCase();
  return function isVerifiedByProxy({ socket, headersDistinct }) {
    // When the header occurs twice, the client may have set one of them, so the request is rejected.
    const values = headersDistinct[name] ?? [];
    return values.length === 1 && values[0] === value && isTrusted(socket.remoteAddress);
  };
}
