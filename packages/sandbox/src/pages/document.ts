import type { HttpResponse } from "../http/http-response.ts";
import { type Html, html, render } from "./html.ts";
import { lockIcon } from "./icons.ts";
import type { Language } from "./language.ts";
import { brandHeader, brandStyle, type PageBrand } from "./page-brand.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

/** The texts in the frame of a page. */
type DocumentTexts = { language: Language; otherLanguage: string; secure: string };

export type Document = {
  texts: DocumentTexts;
  nonce: string;
  title: string;
  /** Null on the page that belongs to no shop. */
  brand: PageBrand | null;
  /** The same page in the other language. */
  switchUrl: string;
  /** `order`: the dark head with the amount. `calm`: everything else. */
  theme: "order" | "calm";
  head?: Html;
  main: Html;
  status?: number;
};

/** One request: style, script and icons are in the page. */
export function documentResponse(document: Document): HttpResponse {
  const { texts, nonce, brand } = document;
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
<header>${brand === null ? html`<span></span>` : brandHeader(brand)}<a href="${document.switchUrl}" lang="${texts.language === "fr" ? "en" : "fr"}" hreflang="${texts.language === "fr" ? "en" : "fr"}">${texts.otherLanguage}</a></header>
<main>${document.main}</main>
<footer>${lockIcon}${texts.secure}</footer>
</div>
<script nonce="${nonce}">${script}</script>
</body>
</html>`;
  return { status: document.status ?? 200, headers: { ...pageHeaders(nonce) }, body: render(page) };
}

/** Headers of every page: nothing from elsewhere runs or loads, nobody frames it, no cache keeps it. */
export function pageHeaders(nonce: string): Record<string, string> {
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      `script-src 'nonce-${nonce}'`,
      "connect-src 'self'",
      "img-src data:",
      // Browsers hold the whole chain of redirects against form-action, and the shop's addresses are not ours to know.
      "form-action 'self' http: https:",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join("; "),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
}
