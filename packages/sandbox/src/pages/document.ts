import type { HttpResponse } from "../http/http-response.ts";
import { type Html, html, render } from "./html.ts";
import { lockIcon } from "./icons.ts";
import type { Language } from "./language.ts";
import { brandHeader, brandStyle, type PageBrand } from "./page-brand.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

/** The texts in header and footer of a page. */
type DocumentTexts = {
  language: Language;
  /** The name of the other language, in that language. */
  otherLanguage: string;
  /** The sentence in the footer. */
  secure: string;
};

export type Document = {
  texts: DocumentTexts;
  nonce: string;
  title: string;
  /** Null on a page without a merchant. */
  brand: PageBrand | null;
  /** The URL of the same page in the other language. */
  switchUrl: string;
  /** `order` has a dark header with the amount. `calm` is for every other page. */
  theme: "order" | "calm";
  head?: Html;
  main: Html;
  status?: number;
};

/** A complete page. Style, script and icons are inline, so the page needs one request. */
export function documentResponse(document: Document): HttpResponse {
  const { texts, nonce, brand } = document;
  const otherLanguage = texts.language === "fr" ? "en" : "fr";
  const page = html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${document.title}</title>
<meta name="robots" content="noindex">
<meta name="theme-color" content="${document.theme === "order" ? (brand?.color ?? "#0e3b31") : "#f2f4f1"}">
<link rel="icon" href="data:,">
${document.head}
<style nonce="${nonce}">${style}${brand && brandStyle(brand)}</style>
</head>
<body class="${document.theme}">
<div class="page">
<header>${brand === null ? html`<span></span>` : brandHeader(brand)}<a href="${document.switchUrl}" lang="${otherLanguage}" hreflang="${otherLanguage}">${texts.otherLanguage}</a></header>
<main>${document.main}</main>
<footer>${lockIcon}${texts.secure}</footer>
</div>
<script nonce="${nonce}">${script}</script>
</body>
</html>`;
  return { status: document.status ?? 200, headers: pageHeaders(nonce), body: render(page) };
}

/** The headers of every page: no foreign scripts or resources, no framing, no caching. */
export function pageHeaders(nonce: string): Record<string, string> {
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      "connect-src 'self'",
      "img-src data:",
      // Browsers check form-action on every redirect after a form, and the return URLs of shops are arbitrary.
      "form-action 'self' http: https:",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join("; "),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
}
