import { parseUrl } from "./parse-url.ts";

/**
 * What an address is for:
 * - `base`: other addresses begin with it, so it has neither a query nor a fragment;
 * - `page`: a whole address; placeholders such as `{code}` may stand in it;
 * - `picture`: browsers load it on our own pages, which are encrypted, so plain http is refused even on this machine;
 * - `link`: a browser or a program only follows it, so plain http to another machine is accepted.
 */
export type AddressUse = "base" | "page" | "picture" | "link";

/** Why an address is refused. It never holds the address, which may contain a secret. */
export type AddressFault =
  | { readonly kind: "not_https"; readonly use: AddressUse }
  | { readonly kind: "not_absolute" | "has_user" | "has_query" | "has_fragment" };

/** The one rule about addresses: null for one that may be used. */
export function addressFault(address: unknown, use: AddressUse): AddressFault | null {
  // A placeholder is not valid in a host name.
  const text = use === "page" && typeof address === "string" ? address.replaceAll(/\{\w+\}/g, "x") : address;
  const url = typeof text === "string" ? parseAddress(text) : null;
  if (url === null) return { kind: "not_absolute" };
  const { protocol, hostname, username, password, search, hash } = url;
  if (username !== "" || password !== "") return { kind: "has_user" };
  if (use === "base" && search !== "") return { kind: "has_query" };
  if (use === "base" && hash !== "") return { kind: "has_fragment" };
  const mayBePlain = use === "link" || (use !== "picture" && isLoopback(hostname));
  return protocol === "https:" || (protocol === "http:" && mayBePlain) ? null : { kind: "not_https", use };
}

/** What a DNS name or an IP address is made of. `URL` accepts more, such as the semicolon that ends a directive of a page's policy. */
const HOST = /^(?:[\w.-]*|\[[\da-f:]+\])$/;

function parseAddress(text: string): URL | null {
  const url = parseUrl(text);
  return url !== null && HOST.test(url.hostname) ? url : null;
}

/** Whether the address is one of a page on this origin; false for an address with a user name, which hides where it leads. */
export function isPageOf(address: string, origin: string): boolean {
  return addressFault(address, "link") === null && new URL(address).origin === new URL(origin).origin;
}

/** A valid `base` in its one form: a host name in its ASCII form, no slash at the end. */
export function normalBase(base: string): string {
  const { origin, pathname } = new URL(base);
  return origin + pathname.replace(/\/+$/, "");
}

/** Whether the address is one of this machine: then the service at it is a sandbox. */
export function isLoopbackUrl(address: string): boolean {
  const url = parseUrl(address);
  return url !== null && isLoopback(url.hostname);
}

// Without names like `shop.localhost`: some resolvers look them up elsewhere, and plain http would send secrets unencrypted.
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}
