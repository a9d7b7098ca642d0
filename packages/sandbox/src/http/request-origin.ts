import type { IncomingHttpHeaders } from "node:http";
import { isOwnHost } from "./own-host.ts";

/**
 * What sent a request. `own`: a page of the sandbox. `other`: a page of another origin, which any site can be that the developer
 * visits, or another program's page on this machine. `none`: no page, but a program, or an address that a person opened.
 *
 * This is an allow-list: a browser that names anything but the sandbox's own origin, `null` included, is another origin.
 */
export function requestOrigin(
  { host = "", origin, "sec-fetch-site": site }: IncomingHttpHeaders,
  baseUrl: string,
): "own" | "other" | "none" {
  if (!isOwnHost(host, baseUrl)) return "other";
  if (site === "same-origin") return "own";
  if (site !== undefined && site !== "none") return "other";
  if (origin === undefined) return "none";
  return origin === `http://${host}` || origin === `https://${host}` ? "own" : "other";
}
