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
  /** A script that the platform requires of a page in its frame, with the `meta` element that the script reads. */
  readonly platformScript?: {
    readonly src: string;
    readonly meta: { readonly name: string; readonly content: string };
  };
};

/** Sends one HTML document without a script of ours, in the style of the operators' pages. */
export function sendOwnerPage(response: ServerResponse, page: OwnerPage): void {
  const { status, formOrigins = [], frameAncestors = [], cookies = [], language, platformScript } = page;
  const scriptOrigins = platformScript ? [new URL(platformScript.src).origin] : [];
  response.writeHead(status, {
    ...createPageHeaders({ style: adminStyle, formTargets: ["'self'", ...formOrigins], frameAncestors, scriptOrigins }),
    "Content-Language": language,
    ...(cookies.length > 0 ? { "Set-Cookie": [...cookies] } : {}),
  });
  response.end(render(renderOwnerPage(page)));
}

function renderOwnerPage({ title, body, language, otherLanguageUrl, platformScript }: OwnerPage): Html {
  const [other, name] = language === "fr" ? ["en", "English"] : ["fr", "Français"];
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
${platformScript && html`<meta name="${platformScript.meta.name}" content="${platformScript.meta.content}"><script src="${platformScript.src}"></script>`}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${verbatim(adminStyle)}</style>
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
