import type { IncomingHttpHeaders } from "node:http";
import { isOwnHost } from "../http/own-host.ts";

/**
 * Whether a page of the console sent the form. Any site that the developer visits can post a form to the console, so the
 * origin of the form must be the sandbox itself.
 */
export function isSameOriginForm(
  { host = "", origin, "sec-fetch-site": site }: IncomingHttpHeaders,
  baseUrl: string,
): boolean {
  if (!isOwnHost(host, baseUrl)) return false;
  if (site !== undefined) return site === "same-origin";
  return origin === `http://${host}` || origin === `https://${host}`;
}
