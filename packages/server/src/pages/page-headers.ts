import { createHash } from "node:crypto";
import { operatorStyle } from "../operators/pages/style.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

/** Every answer of a buyer route carries these: it is nobody else's, is kept by nobody, and its address is told to nobody. */
export const privateHeaders: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
};

/** For the pages: only our own style and script run, and no other site can frame them. */
export const pageHeaders = headersFor([
  `style-src '${sha256(style)}'`,
  `script-src '${sha256(script)}'`,
  "connect-src 'self'",
  "form-action 'none'",
]);

/** For the operators' pages: no script runs there at all, and their forms lead nowhere else. */
export const operatorPageHeaders = headersFor([`style-src '${sha256(operatorStyle)}'`, "form-action 'self'"]);

/** For pages of a shop's owner: their forms may lead on to the named origins, and only the named ones frame them. */
export function ownerPageHeaders(
  formOrigins: readonly string[],
  frameAncestors: readonly string[],
): Readonly<Record<string, string>> {
  const form = ["'self'", ...formOrigins].join(" ");
  return headersFor([`style-src '${sha256(operatorStyle)}'`, `form-action ${form}`], frameAncestors);
}

function headersFor(
  allowed: readonly string[],
  frameAncestors: readonly string[] = [],
): Readonly<Record<string, string>> {
  const framed = frameAncestors.length > 0;
  return {
    ...privateHeaders,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": [
      "default-src 'none'",
      ...allowed,
      "img-src data:",
      "base-uri 'none'",
      `frame-ancestors ${framed ? frameAncestors.join(" ") : "'none'"}`,
    ].join("; "),
    // The older header knows no list: where a frame is allowed it has to stay away.
    ...(framed ? {} : { "X-Frame-Options": "DENY" }),
    Vary: "Accept-Language",
  };
}

function sha256(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
