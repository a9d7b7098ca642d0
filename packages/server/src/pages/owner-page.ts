import type { ServerResponse } from "node:http";
import type { Language } from "@tillkit/core";
import { adminStyle } from "./admin-style.ts";
import { withFrenchSpaces } from "./french-spaces.ts";
import { type Html, html, render, verbatim } from "./html.ts";
import { createPageHeaders } from "./page-headers.ts";

/** A page on which the owner of one shop sets up its payments. */
export type OwnerPage = {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  readonly language: Language;
  /** The same page in the other language. Null for the answer to a form, because a link would lose what the form sent. */
  readonly otherLanguageUrl: string | null;
  /** Origins to which a form's response may redirect, such as `https://acme.example`. */
  readonly formOrigins?: readonly string[];
  /** Sites whose pages may show this page in a frame; none unless named. */
  readonly frameAncestors?: readonly string[];
  readonly cookies?: readonly string[];
  /** The look of the platform in whose administration the owner works. */
  readonly platform?: {
    /** The address of the script that draws the platform's elements; its folder is all that the page may load scripts from. */
    readonly script: string;
    /** Added to the style of the operators' pages. */
    readonly style: string;
    /** The script that the platform requires before any other of a page in its frame, and the `meta` element that it reads. */
    readonly first?: string;
    readonly meta?: { readonly name: string; readonly content: string };
  };
};

/** Sends one HTML document without a script of ours, in the style of the operators' pages. */
export function sendOwnerPage(response: ServerResponse, page: OwnerPage): void {
  const { status, formOrigins = [], frameAncestors = [], cookies = [], language, platform } = page;
  const formTargets = ["'self'", ...formOrigins];
  const scriptFolder = platform && new URL(".", platform.script).href;
  response.writeHead(status, {
    ...createPageHeaders({ style: styleOf(page), formTargets, frameAncestors, ...(scriptFolder && { scriptFolder }) }),
    "Content-Language": language,
    ...(cookies.length > 0 ? { "Set-Cookie": [...cookies] } : {}),
  });
  response.end(render(renderOwnerPage(page)));
}

function styleOf({ platform }: OwnerPage): string {
  return platform ? `${adminStyle}\n${platform.style}` : adminStyle;
}

function renderOwnerPage(page: OwnerPage): Html {
  const { title, body, language, otherLanguageUrl, platform } = page;
  const [other, name] = language === "fr" ? ["en", "English"] : ["fr", "Français"];
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
${platform?.meta && html`<meta name="${platform.meta.name}" content="${platform.meta.content}">`}${platform?.first && html`<script src="${platform.first}"></script>`}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${verbatim(styleOf(page))}</style>
${platform && html`<script src="${platform.script}" defer></script>`}
</head>
<body>
<main><h1>${title}</h1>
${language === "fr" ? withFrenchSpaces(body) : body}
</main>
${otherLanguageUrl !== null && html`<footer><a href="${otherLanguageUrl}" lang="${other}" hreflang="${other}">${name}</a></footer>`}
</body>
</html>
`;
}
