import { withFrenchSpaces } from "../../pages/french-spaces.ts";
import { type Html, html, render, verbatim } from "../../pages/html.ts";
import { header, languageLink } from "./header.ts";
import { operatorScript } from "./operator-script.ts";
import { operatorStyle } from "./operator-style.ts";
import type { MenuItem, PageContext } from "./page-context.ts";

export type OperatorPage = {
  readonly title: string;
  readonly body: Html;
  /** The section to which the page belongs; null for a page of no section, `login` for pages before the login. */
  readonly menuItem: MenuItem | "login" | null;
  /** The browser loads this address at once, without a click. */
  readonly refreshUrl?: string;
};

/** Renders one HTML document, which works without its script. `path` is this page's own address; the link to the other language adds to it. */
export function renderOperatorPage(page: OperatorPage, context: PageContext, path: string): string {
  const { language, texts } = context;
  const { menuItem } = page;
  return render(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title} · ${texts.title}</title>
<link rel="icon" href="data:,">
<style>${verbatim(operatorStyle)}</style>
${page.refreshUrl && html`<meta http-equiv="refresh" content="0;url=${page.refreshUrl}">`}
</head>
<body${menuItem !== "login" && html` class="app ${context.mode}"`}>
${menuItem !== "login" && header(menuItem, path, context)}
<main id="content">
${language === "fr" ? withFrenchSpaces(page.body) : page.body}
</main>
${menuItem === "login" && html`<footer>${languageLink(path, context)}</footer>`}
${menuItem !== "login" && context.hasShortcuts && html`<script>${verbatim(operatorScript)}</script>`}
</body>
</html>
`);
}
