import { createHash } from "node:crypto";

/** Headers of every answer to a shopper or an operator: no cache stores it, and no referrer shows its address. */
export const privateHeaders: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
};

export type PageSecurity = {
  /** The inline style sheet of the page. */
  readonly style: string;
  /** The inline script of the page; no inline script runs unless given. */
  readonly script?: string;
  /** Whether that script may fetch from this server; it may unless this is false. */
  readonly fetches?: boolean;
  /**
   * The folder, such as `https://cdn.example/scripts/`, from which the page may load scripts; none unless given. These draw with fonts
   * and images of its origin, and with styles that no hash of ours can name, so the page accepts every style in its text.
   */
  readonly scriptFolder?: string;
  /** The origins from which the page may load images, besides the images in its own text. */
  readonly imageOrigins?: readonly string[];
  /** Where forms may be sent, such as `'self'`; nowhere unless named. */
  readonly formTargets?: readonly string[];
  /** Sites whose pages may show this page in a frame; none unless named. */
  readonly frameAncestors?: readonly string[];
};

/** Headers of an HTML page: only the given style and script run, and other sites cannot frame the page. */
export function createPageHeaders({
  style,
  script,
  fetches = true,
  scriptFolder,
  imageOrigins = [],
  formTargets = [],
  frameAncestors = [],
}: PageSecurity): Readonly<Record<string, string>> {
  const drawnFrom = scriptFolder ? [new URL(scriptFolder).origin] : [];
  return {
    ...privateHeaders,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": [
      "default-src 'none'",
      scriptFolder ? "style-src 'unsafe-inline'" : `style-src '${sha256(style)}'`,
      ...(script === undefined ? [] : [`script-src '${sha256(script)}'`]),
      ...(script !== undefined && fetches ? ["connect-src 'self'"] : []),
      ...(scriptFolder ? [`script-src ${scriptFolder}`, `font-src ${drawnFrom.join(" ")}`] : []),
      `form-action ${formTargets.length > 0 ? formTargets.join(" ") : "'none'"}`,
      `img-src ${["data:", ...imageOrigins, ...drawnFrom].join(" ")}`,
      "base-uri 'none'",
      `frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(" ") : "'none'"}`,
    ].join("; "),
    // The older header cannot list origins, so a page that may be framed does not send it.
    ...(frameAncestors.length > 0 ? {} : { "X-Frame-Options": "DENY" }),
    Vary: "Accept-Language",
  };
}

function sha256(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
