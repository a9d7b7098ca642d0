import { type Html, html } from "../../pages/html.ts";
import { MODES } from "../mode.ts";
import { frameTexts } from "../texts/frame-texts.ts";
import { paymentTexts } from "../texts/payment-texts.ts";
import { countText } from "./count-text.ts";
import { formTokenField } from "./form-fields.ts";
import { type IconName, icon } from "./icons.ts";
import type { OperatorPage } from "./layout.ts";
import type { MenuItem, PageContext } from "./page-context.ts";

const PATHS: Readonly<Record<MenuItem, string>> = {
  overview: "",
  payments: "/payments",
  refunds: "/refunds",
  disputes: "/disputes",
  export: "/export",
  technical: "/technical",
};

/** What concerns the machine is for the operators of the server, not for the owner of one shop. */
function sectionsOf({ operator }: PageContext): readonly MenuItem[] {
  const sections = Object.keys(PATHS) as readonly MenuItem[];
  return operator.storeId === null ? sections : sections.filter((item) => item !== "technical");
}

/** The two sections that a phone's bar shows beside "Find" and "More"; the others are on the page "More". */
const ON_PHONES: ReadonlySet<MenuItem> = new Set(["overview", "payments"]);

/**
 * The same on every page: on a large screen a column on the left, on a phone a bar above with the switch between the modes and a bar
 * below with the sections. `path` is the page's own address.
 */
export function header(current: OperatorPage["menuItem"], path: string, context: PageContext): Html {
  const { base, name, texts, language } = context;
  const frame = frameTexts[language];
  // The section of a payment's page is current, and its list is another page.
  const currentMark = (url: string) => html` aria-current="${isAt(path, url) ? "page" : "true"}"`;
  const link = (item: MenuItem) =>
    html`<a href="${base}${PATHS[item]}"${!ON_PHONES.has(item) && html` class="wide"`}${item === current && currentMark(`${base}${PATHS[item]}`)}>${icon(item)}<span>${sectionName(item, context)}</span>${badge(item, context)}</a>\n`;
  const narrow = (to: string, shown: IconName, text: string) =>
    html`<a class="narrow" href="${base}${to}"${isAt(path, `${base}${to}`) && html` aria-current="page"`}>${icon(shown)}<span>${text}</span></a>\n`;
  return html`<header>
<a class="skip" href="#content">${frame.skip}</a>
<a class="brand" href="${base}"><span class="logo" aria-hidden="true">${name.slice(0, 1).toUpperCase()}</span><span>${name}</span></a>
${modeSwitch(path, context)}
<form class="search" role="search" action="${base}/find" method="get"><label for="q">${texts.search.label}</label>${icon("find")}<input id="q" name="q" type="search" required maxlength="120" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="${frame.find}" aria-keyshortcuts="/">${context.hasShortcuts && html`<kbd aria-hidden="true">/</kbd>`}</form>
<nav class="sections" aria-label="${texts.menu.label}">${sectionsOf(context).map(link)}${narrow("/find", "find", frame.find)}${narrow("/menu", "more", frame.more)}</nav>
<div class="settings">${settings(path, context)}</div>
</header>`;
}

function modeSwitch(path: string, context: PageContext): Html {
  const { root, base, mode, language } = context;
  const { modes, mode: label } = frameTexts[language];
  // The same list in the other mode, from its first page. A payment is in one mode only, so its page leads to the other overview.
  const place = path.slice(base.length);
  const query = new URLSearchParams(place.split("?")[1] ?? "");
  query.delete("after");
  const [pathname = ""] = place.split("?");
  const same = `${pathname}${query.size > 0 ? `?${query}` : ""}`;
  const rest = /^\/(?:payments|deliveries|endpoints)\//.test(pathname) ? "" : same;
  const link = (choice: (typeof MODES)[number]) =>
    html`<a href="${root}/${choice}${choice === mode ? same : rest}"${choice === mode && html` aria-current="true"`}>${modes[choice]}</a>`;
  return html`<nav class="modes" aria-label="${label}">${MODES.map(link)}</nav>`;
}

/** The links of the page "More", which stand in the column on a large screen. */
export function sectionLinks(context: PageContext): Html {
  const shown = sectionsOf(context).filter((item) => !ON_PHONES.has(item));
  const link = (item: MenuItem) =>
    html`<li><a href="${context.base}${PATHS[item]}">${icon(item)}<span>${sectionName(item, context)}</span>${badge(item, context)}</a></li>\n`;
  return html`<ul class="menu">${shown.map(link)}</ul>`;
}

/** The language, the time zone, the shortcuts, and the way out. */
export function settings(path: string, context: PageContext): Html {
  const { base, language, zone, hasShortcuts, texts } = context;
  const frame = frameTexts[language];
  const keysUrl = `${path}${path.includes("?") ? "&" : "?"}keys=${hasShortcuts ? "off" : "on"}`;
  return html`${languageLink(path, context)}
<a href="${base}/time-zone">${paymentTexts[language].zone} ${zone}</a>
<a class="keys" href="${keysUrl}" title="${frame.shortcutsHint}">${frame.shortcuts(hasShortcuts)}</a>
<form action="${base}/logout" method="post">${formTokenField(context)}<button class="plain">${texts.login.out}</button></form>`;
}

function sectionName(item: MenuItem, { texts, language }: PageContext): string {
  return item === "technical" ? frameTexts[language].technical : texts.menu[item];
}

/** How many things wait for a person in a section. */
function badge(item: MenuItem, context: PageContext): Html | null {
  const { counts, language } = context;
  if (counts === null) return null;
  const frame = frameTexts[language];
  const shown = (count: number, name: (count: string) => string) => {
    const text = countText(count, context);
    return count === 0 ? null : html`<b class="count" title="${name(text)}">${text}</b>`;
  };
  switch (item) {
    case "payments":
      return shown(counts.payments.review + counts.payments.duplicate, frame.held);
    case "disputes":
      return shown(counts.disputes.open, frame.openDisputes);
    case "technical":
      return shown(counts.jobs.dead + counts.deliveries.orphan, frame.stopped);
    default:
      return null;
  }
}

function isAt(path: string, url: string): boolean {
  return path === url || path.startsWith(`${url}?`);
}

/** The same page in the other language. */
export function languageLink(path: string, { language, texts }: PageContext): Html {
  const other = language === "fr" ? "en" : "fr";
  const url = `${path}${path.includes("?") ? "&" : "?"}lang=${other}`;
  return html`<a href="${url}" lang="${other}" hreflang="${other}">${texts.otherLanguage}</a>`;
}
