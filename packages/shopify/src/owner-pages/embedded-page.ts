import { html, pageLanguage, sendOwnerPage } from "@tillkit/server";
import type { Request, Response } from "express";
import type { AppContext } from "../app-context.ts";
import { PATHS } from "../config/paths.ts";
import { ownerTextsOf } from "../texts/owner-texts-of.ts";
import { createTicket } from "./owner-session.ts";
import { otherLanguageUrl } from "./request-language.ts";

/** Shopify requires App Bridge in the head of every page that its admin shows in a frame. It reads the app's client ID. */
const APP_BRIDGE = "https://cdn.shopify.com/shopifycloud/app-bridge.js";

/** The only page that may be framed, and only by the admin of this shop. It links to the settings outside of the frame. */
export function sendEmbeddedPage(context: AppContext, shop: string, request: Request, response: Response): void {
  const language = pageLanguage(request.query.lang ?? adminLocale(request), request.headers["accept-language"]);
  const texts = ownerTextsOf(language);
  const url = `${context.config.publicUrl}${PATHS.settings}?ticket=${createTicket(context, shop)}`;
  sendOwnerPage(response, {
    status: 200,
    title: texts.title,
    body: html`<p>${texts.lead}</p><p><a class="button" href="${url}" target="_top">${texts.open}</a></p>`,
    language,
    otherLanguageUrl: otherLanguageUrl(request, language),
    platformScript: { src: APP_BRIDGE, meta: { name: "shopify-api-key", content: context.oauth.clientId } },
    frameAncestors: [`https://${shop}`, "https://admin.shopify.com"],
  });
}

/** The language of Shopify's admin, from the `locale` parameter that Shopify adds. */
function adminLocale({ query }: Request): string | undefined {
  return typeof query.locale === "string" ? query.locale.slice(0, 2) : undefined;
}
