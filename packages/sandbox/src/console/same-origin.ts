import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a page of the console sent the form. Any site that the developer visits can post a form to this address, and
 * with DNS rebinding its host name can even resolve to this machine. Therefore the host must be a loopback name.
 */
export function isSameOriginForm({ host = "", origin, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host)) return false;
  if (site !== undefined) return site === "same-origin";
  return origin === `http://${host}` || origin === `https://${host}`;
}
