import { html, pageLanguage, sendOwnerPage } from "@tillkit/server";
import type { Request, Response } from "express";
import type { Desk } from "../app/desk.ts";
import { PATHS } from "../app/paths.ts";
import { otherLanguageUrl } from "./other-language.ts";
import { ticketFor } from "./owner-session.ts";
import { ownerWords } from "./words.ts";

/** The one page that may stand in a frame, and only in that of this shop's admin: it opens our settings outside of it. */
export function showFramed(desk: Desk, shop: string, request: Request, response: Response): void {
  const language = pageLanguage(request.query.lang ?? localeOf(request), request.headers["accept-language"]);
  const words = ownerWords(language);
  const url = `${desk.config.publicUrl}${PATHS.settings}?ticket=${ticketFor(desk, shop)}`;
  sendOwnerPage(response, {
    status: 200,
    title: words.title,
    body: html`<p>${words.lead}</p><p><a class="button" href="${url}" target="_top">${words.open}</a></p>`,
    language,
    otherLanguageUrl: otherLanguageUrl(request, language),
    frameAncestors: [`https://${shop}`, "https://admin.shopify.com"],
  });
}

/** Shopify says in which language its admin is. */
function localeOf({ query }: Request): string | undefined {
  return typeof query.locale === "string" ? query.locale.slice(0, 2) : undefined;
}
