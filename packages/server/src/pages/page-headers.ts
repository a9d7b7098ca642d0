import { createHash } from "node:crypto";
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
export const pageHeaders: Readonly<Record<string, string>> = {
  ...privateHeaders,
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src '${sha256(style)}'`,
    `script-src '${sha256(script)}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "X-Frame-Options": "DENY",
  Vary: "Accept-Language",
};

function sha256(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
