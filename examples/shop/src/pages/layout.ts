import { type CartLine, countItems } from "../cart.ts";
import { type Html, html } from "../html.ts";
import { wovenBand } from "../illustrations.ts";
import type { Visit } from "../visit.ts";

export type Page = {
  readonly title: string;
  readonly body: Html;
  /** Makes the browser reload the page, for shoppers without JavaScript. */
  readonly refreshSeconds?: number;
};

/** The frame of every page. Readable without styles and scripts. */
export function layout(visit: Visit, page: Page): Html {
  const { messages, language } = visit;
  return html`<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="theme-color" content="#1f3a34">
  <title>${page.title} · ${messages.shop}</title>
  <link rel="stylesheet" href="/style.css">
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  ${page.refreshSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${page.refreshSeconds}"></noscript>`}
</head>
<body>
  <a class="skip" href="#content">${messages.skip}</a>
  <header>
  <p class="notice">${messages.demo}</p>
  <div class="top">
    <a class="brand" href="/"><span class="brand-name">${messages.shop}</span><span class="brand-line">${messages.tagline}</span></a>
    ${languageSwitch(visit)}
    ${cartLink(visit)}
  </div>
  ${wovenBand()}
  </header>
  <main id="content" tabindex="-1">${page.body}</main>
  <footer class="bottom"><p>${messages.promise}</p><p>${messages.address}</p></footer>
</body>
</html>`;
}

export function formToken(visit: Visit): Html {
  return html`<input type="hidden" name="token" value="${visit.formToken}">`;
}

export function lineName(visit: Visit, { product, quantity }: CartLine): string {
  return `${quantity} × ${product.name[visit.language]}`;
}

function languageSwitch({ language, address: pageUrl }: Visit): Html {
  const other = language === "fr" ? "en" : "fr";
  return html`<a class="language" href="${pageUrl}${pageUrl.includes("?") ? "&" : "?"}language=${other}" lang="${other}" hreflang="${other}">${LANGUAGE_NAMES[other]}</a>`;
}

const LANGUAGE_NAMES = { fr: "Français", en: "English" } as const;

function cartLink({ messages, cart }: Visit): Html {
  const count = countItems(cart);
  return html`<a class="cart-link" href="/cart" aria-label="${messages.cartOf(count)}">
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false"><path d="M4 10h16l-2 10H6zM8 10l4-7 4 7" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"/></svg>
    <span class="cart-word">${messages.cart}</span>${count > 0 && html` <span class="count">${count}</span>`}</a>`;
}
