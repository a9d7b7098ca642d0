import { formatMoney, type Language, type Payment } from "@tillkit/core";
import { type Html, html, htmlText, trusted } from "./html.ts";
import { script } from "./script.ts";
import { type Mood, sign } from "./sign.ts";
import { style } from "./style.ts";
import { type PageName, type Words, wordsOf } from "./words.ts";

/** What a buyer page shows. URLs are relative to the buyer routes, or the shop's own absolute ones. */
export type Page = {
  readonly name: PageName;
  readonly payment: Payment | null;
  readonly shopUrl: string | null;
  /** As its shoppers know it; the host of `shopUrl` stands for a shop without a name. */
  readonly shopName: string | null;
  /** Where the one big button leads when it does not lead to the shop. */
  readonly actionUrl: string | null;
  readonly watch: Watch | null;
};

/** A page that resolves by itself: `say` is what it shows now, `nextUrl` opens it anew. */
export type Watch = {
  readonly say: string;
  readonly statusUrl: string;
  readonly nextUrl: string;
  /** Without JavaScript the page opens itself anew after so many seconds. */
  readonly refreshSeconds: number;
};

/** One HTML document in one answer: no image, font or file is fetched for it. */
export function renderPage(page: Page, language: Language, otherLanguageUrl: string): string {
  const words = wordsOf(language);
  const other = language === "fr" ? "en" : "fr";
  const { heading } = words.pages[page.name];
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${spaced(heading)}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
${page.watch && html`<noscript><meta http-equiv="refresh" content="${page.watch.refreshSeconds};url=${page.watch.nextUrl}"></noscript>`}
</head>
<body>
${mainPart(page, language, words)}
<footer><a href="${otherLanguageUrl}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a></footer>
${page.watch && html`<script>${trusted(script)}</script>`}
</body>
</html>
`;
  return htmlText(document);
}

function mainPart(page: Page, language: Language, words: Words): Html {
  const { payment, watch } = page;
  const text = words.pages[page.name];
  return html`<main${watch && watchData(watch, words)}>
${payment?.environment === "test" && html`<p class="badge">${spaced(words.testMode)}</p>`}
${sign(MOODS[page.name])}
<h1>${spaced(text.heading)}</h1>
${payment && html`<p class="amount">${formatMoney(payment.amountDue, language)}</p>`}
${text.lines.map((line) => html`<p>${spaced(line)}</p>\n`)}
${watch && html`<p class="live" id="live" role="status">${spaced(liveTexts(watch, words).now)}</p>`}
${actions(page, words)}
${payment && facts(page, payment, words)}
</main>`;
}

function watchData(watch: Watch, words: Words): Html {
  const { now, long } = liveTexts(watch, words);
  const { weak, found } = words.live;
  return html` data-say="${watch.say}" data-status="${watch.statusUrl}" data-next="${watch.nextUrl}" data-now="${spaced(now)}" data-long="${spaced(long)}" data-weak="${spaced(weak)}" data-found="${spaced(found)}"`;
}

// Only who waits for money is told that it may take minutes.
function liveTexts({ say }: Watch, { live }: Words): { now: string; long: string } {
  if (say === "recording") return { now: live.recording, long: live.recording };
  return { now: live.looking, long: say === "waiting" ? live.long : live.looking };
}

function actions(page: Page, words: Words): Html {
  const { action } = words.pages[page.name];
  const { question, answer, link } = words.notPaidYet;
  if (page.name === "waiting") {
    return html`${page.actionUrl && html`<details><summary>${spaced(question)}</summary><p>${spaced(answer)}</p><a class="second" href="${page.actionUrl}">${link}</a></details>`}${shopLink(page, words)}`;
  }
  if (action === null) return shopLink(page, words);
  if (page.actionUrl === null)
    return html`${page.shopUrl && html`<a class="button" href="${page.shopUrl}">${action}</a>`}`;
  return html`<a class="button" href="${page.actionUrl}">${action}</a>${shopLink(page, words)}`;
}

function shopLink(page: Page, words: Words): Html {
  return html`${page.shopUrl && html`<a class="second" href="${page.shopUrl}">${words.backToShop}</a>`}`;
}

function facts(page: Page, payment: Payment, words: Words): Html {
  const shop = page.shopName ?? (page.shopUrl && new URL(page.shopUrl).host);
  return html`<dl>
${shop && html`<div><dt>${words.shop}</dt><dd>${shop}</dd></div>`}
<div><dt>${words.paymentNumber}</dt><dd class="number">${payment.id}</dd></div>
</dl>`;
}

const MOODS: Readonly<Record<PageName, Mood>> = {
  waiting: "turning",
  paid: "good",
  alreadyPaid: "good",
  declined: "care",
  duplicate: "care",
  held: "calm",
  expired: "calm",
  refunded: "calm",
  resume: "calm",
  linkBroken: "care",
  linkForged: "care",
  linkExpired: "calm",
  orderGone: "care",
  orderClosed: "care",
  orderChanged: "calm",
  tryLater: "calm",
  shopMustAct: "calm",
  wrongMethod: "care",
};

// French puts a space before these signs; the line must not break there.
function spaced(text: string): string {
  return text.replace(/ (?=[:;!?»])/g, "\u00a0");
}
