import { isLoopbackHost } from "@tillkit/client";

/** `https://`, or `http://` to a loopback address. */
export function isSecureUrl(text: unknown): text is string {
  if (typeof text !== "string" || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}

/** Whether the URL has no query, no fragment and no user name. */
export function isPlainUrl(text: string): boolean {
  const { search, hash, username, password } = new URL(text);
  return [search, hash, username, password].every((part) => part === "");
}

/** A secure URL without a query, a fragment or a user name. */
export function isConfigAddress(text: string): boolean {
  return isSecureUrl(text) && isPlainUrl(text);
}
