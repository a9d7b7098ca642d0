import { adminStyle } from "../../pages/admin-style.ts";
import { withFrenchSpaces } from "../../pages/french-spaces.ts";
import { type Html, html, render, verbatim } from "../../pages/html.ts";
import { paymentTexts } from "../texts/payment-texts.ts";
import type { MenuItem, PageContext } from "./page-context.ts";

export type OperatorPage = {
  readonly title: string;
  readonly body: Html;
  /** The page's entry in the menu; null for a page without an entry, `login` for pages before the login. */
  readonly menuItem: MenuItem | "login" | null;
  /** The browser loads this address at once, without a click. */
  readonly refreshUrl?: string;
};

/** Renders one HTML document without a script. `path` is this page's own address; the link to the other language adds to it. */
export function renderOperatorPage(page: OperatorPage, context: PageContext, path: string): string {
  const { language, texts } = context;
  const other = language === "fr" ? "en" : "fr";
  const otherUrl = `${path}${path.includes("?") ? "&" : "?"}lang=${other}`;
  return render(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title} · ${texts.title}</title>
<link rel="icon" href="data:,">
<style>${verbatim(adminStyle)}</style>
${page.refreshUrl && html`<meta http-equiv="refresh" content="0;url=${page.refreshUrl}">`}
</head>
<body>
${page.menuItem !== "login" && header(page.menuItem, context)}
<main>
${language === "fr" ? withFrenchSpaces(page.body) : page.body}
</main>
<footer>
<a href="${otherUrl}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a>
${page.menuItem !== "login" && html`<a href="${context.base}/time-zone">${paymentTexts[language].zone}${language === "fr" && "\u00a0"}: ${context.zone}</a>`}
${page.menuItem !== "login" && logoutForm(context)}
</footer>
</body>
</html>
`);
}

export function formTokenField({ formToken: token }: PageContext): Html {
  return html`<input type="hidden" name="form" value="${token}">`;
}

export function hiddenFields(values: Readonly<Record<string, string>>): Html {
  const fields = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return html`${fields}`;
}

const PATHS: Readonly<Record<MenuItem, string>> = {
  overview: "",
  payments: "/payments",
  refunds: "/refunds",
  disputes: "/disputes",
  export: "/export",
  deliveries: "/deliveries",
  endpoints: "/endpoints",
  dead: "/dead",
  acts: "/acts",
};

/** Pages for when something went wrong. They are folded away, because on a phone the whole menu would push the page down. */
const FOLDED: readonly MenuItem[] = ["deliveries", "endpoints", "dead", "acts"];

function header(current: OperatorPage["menuItem"], { base, texts }: PageContext): Html {
  const link = (item: MenuItem) =>
    html`<a href="${base}${PATHS[item]}"${item === current && html` aria-current="page"`}>${texts.menu[item]}</a>\n`;
  const shown = (Object.keys(PATHS) as MenuItem[]).filter((item) => !FOLDED.includes(item));
  const isOpen = FOLDED.some((item) => item === current);
  return html`<header>
<nav aria-label="${texts.menu.label}">${shown.map(link)}<details${isOpen && html` open`}><summary>${texts.menu.more}</summary><div>${FOLDED.map(link)}</div></details></nav>
<form class="search" role="search" action="${base}/find" method="get">
<label for="q">${texts.search.label}</label>
<div><input id="q" name="q" type="search" required maxlength="120" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="q-hint"><button>${texts.search.button}</button></div>
<p class="hint" id="q-hint">${texts.search.hint}</p>
</form>
</header>`;
}

function logoutForm(context: PageContext): Html {
  return html`<form action="${context.base}/logout" method="post">${formTokenField(context)}<button class="plain">${context.texts.login.out}</button></form>`;
}
