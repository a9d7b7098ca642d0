import { frenchSpaces } from "../../pages/french-spaces.ts";
import { type Html, html, htmlText, trusted } from "../../pages/html.ts";
import type { Look, MenuItem } from "./look.ts";
import { operatorStyle } from "./style.ts";

export type OperatorPage = {
  readonly title: string;
  readonly body: Html;
  /** The entry of the menu that this page is; null for those that are none, `login` for whoever is not let in yet. */
  readonly here: MenuItem | "login" | null;
  /** For a page that opens another one by itself. */
  readonly refreshUrl?: string;
};

/** One HTML document in one answer, without a script. `path`: where the other language is shown. */
export function renderOperatorPage(page: OperatorPage, look: Look, path: string): string {
  const { language, words } = look;
  const other = language === "fr" ? "en" : "fr";
  const otherUrl = `${path}${path.includes("?") ? "&" : "?"}lang=${other}`;
  return htmlText(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title} · ${words.title}</title>
<link rel="icon" href="data:,">
<style>${trusted(operatorStyle)}</style>
${page.refreshUrl && html`<meta http-equiv="refresh" content="0;url=${page.refreshUrl}">`}
</head>
<body>
${page.here !== "login" && header(page.here, look)}
<main>
${language === "fr" ? frenchSpaces(page.body) : page.body}
</main>
<footer>
<a href="${otherUrl}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a>
${page.here !== "login" && logoutForm(look)}
</footer>
</body>
</html>
`);
}

export function formToken({ formToken: token }: Look): Html {
  return html`<input type="hidden" name="form" value="${token}">`;
}

function header(here: OperatorPage["here"], { base, words }: Look): Html {
  const paths: Readonly<Record<MenuItem, string>> = {
    overview: "",
    payments: "/payments",
    disputes: "/disputes",
    deliveries: "/deliveries",
    dead: "/dead",
    export: "/export",
  };
  const links = (Object.keys(paths) as MenuItem[]).map(
    (item) =>
      html`<a href="${base}${paths[item]}"${item === here && html` aria-current="page"`}>${words.menu[item]}</a>\n`,
  );
  return html`<header>
<nav aria-label="${words.menu.label}">${links}</nav>
<form class="search" role="search" action="${base}/find" method="get">
<label for="q">${words.search.label}</label>
<div><input id="q" name="q" type="search" required maxlength="120" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="q-hint"><button>${words.search.button}</button></div>
<p class="hint" id="q-hint">${words.search.hint}</p>
</form>
</header>`;
}

function logoutForm(look: Look): Html {
  return html`<form action="${look.base}/logout" method="post">${formToken(look)}<button class="plain">${look.words.login.out}</button></form>`;
}
