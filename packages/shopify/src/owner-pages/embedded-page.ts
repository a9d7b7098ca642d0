import { html, pageLanguage } from "@tillkit/server";
import type { Request, Response } from "express";
import type { AppContext } from "../app-context.ts";
import { PATHS } from "../config/paths.ts";
import { ownerTextsOf } from "../texts/owner-texts-of.ts";
import { sendAdminPage } from "./admin-page.ts";
import { createTicket } from "./owner-session.ts";
import { otherLanguageUrl } from "./request-language.ts";

/** The only page that may be framed, and only by the admin of this shop. It links to the settings outside of the frame. */
export function sendEmbeddedPage(context: AppContext, shop: string, request: Request, response: Response): void {
  const language = pageLanguage(request.query.lang ?? adminLocale(request), request.headers["accept-language"]);
  const texts = ownerTextsOf(language);
  const url = `${context.config.publicUrl}${PATHS.settings}?ticket=${createTicket(context, shop)}`;
  sendAdminPage(response, {
    status: 200,
    title: texts.title,
    body: html`<s-section class="polaris"><p>${texts.lead}</p><p><a class="button" href="${url}" target="_top">${texts.open}</a></p></s-section>`,
    language,
    otherLanguageUrl: otherLanguageUrl(request, language),
    appKey: context.oauth.clientId,
    frameAncestors: [`https://${shop}`, "https://admin.shopify.com"],
  });
}

/** The language of Shopify's admin, from the `locale` parameter that Shopify adds. */
function adminLocale({ query }: Request): string | undefined {
  return typeof query.locale === "string" ? query.locale.slice(0, 2) : undefined;
}
