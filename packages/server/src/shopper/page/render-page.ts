import { formatMoney, type Language, type Payment } from "@tillkit/core";
import { type Html, html, render, verbatim } from "../../pages/html.ts";
import { createPageHeaders } from "../../pages/page-headers.ts";
import { receiptNumber } from "../../pages/receipt-number.ts";
import { type Branding, brandStyle, logoUrl } from "./brand.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { type Icon, icon } from "./icon.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";
import type { PageName, ShopperTexts } from "./texts.ts";

/** What a page shows a shopper. URLs are relative to the shopper's routes, or absolute addresses of the shop. */
export type PageContent = {
  readonly name: PageName;
  readonly payment: Payment | null;
  readonly shopUrl: string | null;
  /** The shop's public name; the page shows the host of `shopUrl` when there is none. */
  readonly shopName: string | null;
  readonly branding: Branding;
  /** Where the main button leads when it does not lead to the shop. */
  readonly actionUrl: string | null;
  readonly watch: Watch | null;
};

/** A page that updates itself: `status` is what it shows now, `nextUrl` loads its next state. */
export type Watch = {
  readonly status: string;
  readonly statusUrl: string;
  readonly nextUrl: string;
  /** Without JavaScript the page reloads itself after this many seconds. */
  readonly refreshSeconds: number;
};

/** The headers of a page in a shop's look. */
export function shopperPageHeaders(branding: Branding = {}): Readonly<Record<string, string>> {
  const logo = logoUrl(branding);
  const imageOrigins = logo === null ? [] : [new URL(logo).origin];
  return createPageHeaders({ style: style + brandStyle(branding), script, imageOrigins });
}

/** Renders one HTML document, which loads no font, script or style sheet, and at most one image: the shop's logo. */
export function renderPage(page: PageContent, language: Language, otherLanguageUrl: string): string {
  const texts = language === "fr" ? french : english;
  const other = language === "fr" ? "en" : "fr";
  const { heading } = texts.pages[page.name];
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${spaced(heading)}</title>
<link rel="icon" href="data:,">
<style>${verbatim(style + brandStyle(page.branding))}</style>
${page.watch && html`<noscript><meta http-equiv="refresh" content="${page.watch.refreshSeconds};url=${page.watch.nextUrl}"></noscript>`}
</head>
<body>
${mainPart(page, language, texts)}
<footer><a href="${otherLanguageUrl}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a></footer>
${page.watch && html`<script>${verbatim(script)}</script>`}
</body>
</html>
`;
  return render(document);
}

function mainPart(page: PageContent, language: Language, texts: ShopperTexts): Html {
  const { payment, watch } = page;
  const text = texts.pages[page.name];
  const logo = logoUrl(page.branding);
  return html`<main${watch && watchData(watch, texts)}>
${logo && html`<img class="logo" src="${logo}" alt="${page.shopName ?? ""}" referrerpolicy="no-referrer">`}
${payment?.environment === "test" && html`<p class="badge">${spaced(texts.testMode)}</p>`}
${icon(ICONS[page.name])}
${orderLine(page, texts)}
<h1>${spaced(text.heading)}</h1>
${payment && html`<p class="amount">${formatMoney(payment.amountDue, language)}</p>`}
${text.lines.map((line) => html`<p>${spaced(line)}</p>\n`)}
${watch && html`<p class="live" id="live" role="status">${spaced(liveTexts(watch, texts).first)}</p>`}
${actions(page, texts)}
${payment && html`<dl><div><dt>${texts.receiptNumber}</dt><dd class="number">${receiptNumber(payment.id)}</dd></div></dl>`}
</main>`;
}

/** Ids of platforms without order numbers are long, and the shopper never saw them. */
const MAX_ORDER_NUMBER_LENGTH = 24;

// What the shopper recognises: the order's number and the shop.
function orderLine({ payment, shopName, shopUrl }: PageContent, texts: ShopperTexts): Html | null {
  const number = payment && payment.orderNumber.length <= MAX_ORDER_NUMBER_LENGTH ? payment.orderNumber : null;
  const shop = shopName ?? (shopUrl && new URL(shopUrl).host);
  const parts = [number && `${texts.order} ${number}`, shop].filter((part) => part);
  return parts.length === 0 ? null : html`<p class="order">${parts.join(" · ")}</p>`;
}

function watchData(watch: Watch, texts: ShopperTexts): Html {
  const { first, later } = liveTexts(watch, texts);
  const { weakConnection, statusChanged } = texts.live;
  return html` data-shown-status="${watch.status}" data-status-url="${watch.statusUrl}" data-next-url="${watch.nextUrl}" data-first-text="${spaced(first)}" data-later-text="${spaced(later)}" data-weak-text="${spaced(weakConnection)}" data-changed-text="${spaced(statusChanged)}"`;
}

// The script shows `later` after 40 seconds. Only a shopper whose payment is not confirmed yet reads that it may take minutes.
function liveTexts({ status }: Watch, { live }: ShopperTexts): { first: string; later: string } {
  if (status === "recording") return { first: live.recording, later: live.recording };
  return { first: live.updating, later: status === "waiting" ? live.stillWaiting : live.updating };
}

function actions(page: PageContent, texts: ShopperTexts): Html {
  const { action } = texts.pages[page.name];
  const { question, answer, link } = texts.notPaidYet;
  if (page.name === "waiting") {
    return html`${page.actionUrl && html`<details><summary>${spaced(question)}</summary><p>${spaced(answer)}</p><a class="second" href="${page.actionUrl}">${link}</a></details>`}${shopLink(page, texts)}`;
  }
  if (action === null) return shopLink(page, texts);
  if (page.actionUrl === null)
    return html`${page.shopUrl && html`<a class="button" href="${page.shopUrl}">${action}</a>`}`;
  return html`<a class="button" href="${page.actionUrl}">${action}</a>${shopLink(page, texts)}`;
}

function shopLink(page: PageContent, texts: ShopperTexts): Html {
  return html`${page.shopUrl && html`<a class="second" href="${page.shopUrl}">${texts.backToShop}</a>`}`;
}

const ICONS: Readonly<Record<PageName, Icon>> = {
  waiting: "spinner",
  paid: "success",
  alreadyPaid: "success",
  declined: "warning",
  duplicate: "warning",
  held: "clock",
  expired: "clock",
  refunded: "clock",
  resume: "clock",
  linkBroken: "warning",
  linkForged: "warning",
  linkExpired: "clock",
  orderGone: "warning",
  orderClosed: "warning",
  orderNotPayable: "clock",
  otherMethod: "clock",
  orderChanged: "clock",
  tryLater: "clock",
  shopMustAct: "clock",
  wrongMethod: "warning",
};

// French puts a space before these signs, and the line must not break there.
function spaced(text: string): string {
  return text.replace(/ (?=[:;!?»])/g, "\u00a0");
}
