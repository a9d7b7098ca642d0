import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a form was sent by one of our own pages. A site that the developer happens to visit can send a form here too,
 * and with a name that leads to this machine it can even be of the same origin: so the name must be a loopback one.
 */
export function isSameOriginForm({ host = "", origin, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host)) return false;
  if (site !== undefined) return site === "same-origin";
  return origin === `http://${host}` || origin === `https://${host}`;
}
