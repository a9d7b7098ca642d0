import { randomBytes } from "node:crypto";
import { isoTime } from "../../domain/clock.ts";
import type { HttpResponse } from "../../http/http-response.ts";
import { pageHeaders } from "../../pages/document.ts";
import { type Html, html, render } from "../../pages/html.ts";
import type { ConsoleTexts } from "../texts/texts.ts";
import { pageUrl } from "./page-url.ts";
import { script } from "./script.ts";
import type { ConsoleView, PageContext } from "./section.ts";
import { style } from "./style.ts";
import { menu, type Tab } from "./tabs.ts";

/** `secret`: the new secret of an endpoint, which no other page shows. */
export type PageMessages = { flashMessage: string | null; problem: Html | string | null; secret: string | null };

/** The page with inline style and script. `url` is the URL that the script fetches to update the page. */
export function consoleDocument(
  { service, texts }: PageContext,
  view: ConsoleView,
  url: string,
  { flashMessage, problem, secret }: PageMessages,
): HttpResponse {
  const { frame } = texts;
  const nonce = randomBytes(16).toString("base64url");
  const page = html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${view.title} – ${frame.sandbox}</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body data-url="${url}" data-texts="${JSON.stringify(texts.script)}">
<a class="skip" href="#main">${frame.toContent}</a>
<header>
<button class="open-menu" popovertarget="menu">${view.tab === null ? frame.menu : texts.tabs[view.tab]}</button>
<p class="brand">${frame.sandbox}</p>
${searchForm(texts, url)}
<p class="now"><a href="${pageUrl("clock")}"><span class="hidden">${frame.clockSays} </span>${clock(service)}</a></p>
<button id="refresh" hidden></button>
</header>
<nav id="menu" popover aria-label="${frame.console}">${menu.map(
    (group) =>
      html`${group.title !== null && html`<h2>${texts.menuGroups[group.title]}</h2>`}<ul>${group.tabs.map((tab) => menuItem(texts, tab, view.tab))}</ul>`,
  )}${languageLink(texts, url)}</nav>
<main id="main">
${problem !== null && html`<p class="said problem" role="alert">${problem}</p>`}
${flashMessage !== null && html`<p class="said" role="status">${flashMessage}</p>`}
${secret !== null && html`<div class="said secret"><h2>${frame.secretTitle}</h2><pre id="secret">${secret}</pre><p>${frame.secretHint}</p></div>`}
<div id="shown" data-refreshed>${view.main}</div>
</main>
<script nonce="${nonce}">${script}</script>
</body>
</html>`;
  const status = view.status ?? 200;
  return { status, headers: consoleHeaders(nonce), body: render(page) };
}

function clock(service: PageContext["service"]): Html {
  const now = isoTime(service.clock.now());
  return html`<time id="now" data-refreshed datetime="${now}"><span class="day">${now.slice(0, 10)} </span>${now.slice(11, 19)}<span class="zone"> UTC</span></time>`;
}

/** The search field of every page. The script focuses it when `/` is pressed. */
function searchForm({ frame }: ConsoleTexts, url: string): Html {
  // `url` has no host, but URL needs one.
  const { pathname, searchParams } = new URL(url, "http://console");
  const text = pathname === pageUrl("search") ? searchParams.get("q") : "";
  return html`<form class="search" role="search" action="${pageUrl("search")}"><label><span class="hidden">${frame.search}</span><input id="search" type="search" name="q" value="${text}" maxlength="100" placeholder="${frame.searchHint}" autocomplete="off" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd></label></form>`;
}

function menuItem({ tabs }: ConsoleTexts, tab: Tab, current: Tab | null): Html {
  const href = tab === "" ? pageUrl() : pageUrl(tab);
  return tab === current
    ? html`<li><a href="${href}" aria-current="page">${tabs[tab]}</a></li>`
    : html`<li><a href="${href}">${tabs[tab]}</a></li>`;
}

/** The link to the same page in the other language. */
function languageLink({ language, otherLanguage }: ConsoleTexts, url: string): Html {
  const other = language === "fr" ? "en" : "fr";
  const { pathname, searchParams } = new URL(url, "http://console");
  searchParams.set("lang", other);
  return html`<ul><li><a href="${pathname}?${searchParams.toString()}" lang="${other}" hreflang="${other}">${otherLanguage}</a></li></ul>`;
}

/** The headers of the hosted page, except that forms may post only to the console and send their `Origin`. */
function consoleHeaders(nonce: string): Record<string, string> {
  const { "Content-Security-Policy": policy = "", ...headers } = pageHeaders(nonce);
  return {
    ...headers,
    "Content-Security-Policy": policy.replace("form-action 'self' http: https:", "form-action 'self'"),
    // With `no-referrer` browsers send `Origin: null`, and the same-origin check would reject the form.
    "Referrer-Policy": "same-origin",
  };
}
