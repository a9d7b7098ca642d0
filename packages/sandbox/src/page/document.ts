import type { Answer } from "../api/answer.ts";
import { type Html, html, render } from "./html.ts";
import { lockIcon } from "./icons.ts";
import { script } from "./script.ts";
import { type Shop, shopSign, shopStyle } from "./shop.ts";
import { style } from "./style.ts";
import type { Words } from "./words.ts";

export type Document = {
  words: Words;
  nonce: string;
  title: string;
  /** Null on the page that belongs to no shop. */
  shop: Shop | null;
  /** The same page in the other language. */
  switchUrl: string;
  /** `order`: the dark head with the amount. `calm`: everything else. */
  look: "order" | "calm";
  head?: Html;
  main: Html;
  status?: number;
};

/** One request: style, script and icons are in the page. */
export function documentAnswer(document: Document): Answer {
  const { words, nonce, shop } = document;
  const page = html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${document.title}</title>
<meta name="robots" content="noindex">
<meta name="theme-color" content="${document.look === "order" ? (shop?.color ?? "#0e3b31") : "#f2f4f1"}">
<link rel="icon" href="data:,">
${document.head}
<style nonce="${nonce}">${style}${shop && shopStyle(shop)}</style>
</head>
<body class="${document.look}">
<div class="page">
<header>${shop === null ? html`<span></span>` : shopSign(shop)}<a href="${document.switchUrl}" lang="${words.language === "fr" ? "en" : "fr"}" hreflang="${words.language === "fr" ? "en" : "fr"}">${words.otherLanguage}</a></header>
<main>${document.main}</main>
<footer>${lockIcon}${words.secure}</footer>
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
