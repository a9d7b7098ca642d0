import { privateHeaders } from "@tillkit/server";
import type { Request, RequestHandler, Response } from "express";
import type { AppContext } from "../app-context.ts";
import { PATHS, publicPath } from "../config/paths.ts";
import type { Shop } from "../records/shops.ts";
import { unsupportedApiVersion } from "../shops/api-version.ts";
import { listDeadJobs } from "../shops/dead-jobs.ts";
import { ownerTextsOf } from "../texts/owner-texts-of.ts";
import { sendAdminPage } from "./admin-page.ts";
import { ownerCookie, readTicket, signedInShop } from "./owner-session.ts";
import { sendProblemPage } from "./problem-page.ts";
import { languageOf, otherLanguageUrl } from "./request-language.ts";
import { type DoneCode, type FormResult, settingsBody } from "./settings-page.ts";

/** `GET /shopify/settings` */
export function showSettings(context: AppContext): RequestHandler {
  return async function settings(request, response) {
    const { ticket, done } = request.query;
    if (typeof ticket === "string") return redeemTicket(context, ticket, request, response);
    const shop = await findOwnShop(context, request);
    if (!shop) return sendProblemPage(request, response, "not_signed_in", 403);
    const result = isDoneCode(done) ? { status: done } : null;
    await sendSettingsPage(context, shop, result, request, response);
  };
}

/** Whether the text in the address is one of the codes of `DoneCode`, which are the same in every language. */
function isDoneCode(code: unknown): code is DoneCode {
  return typeof code === "string" && Object.hasOwn(ownerTextsOf("en").done, code);
}

/** The installed shop whose owner is signed in, else null. */
export async function findOwnShop(context: AppContext, request: Request): Promise<Shop | null> {
  const domain = signedInShop(context, request);
  const shop = domain === null ? null : await context.shops.find(domain);
  return shop?.uninstalledAt === null ? shop : null;
}

export async function sendSettingsPage(
  context: AppContext,
  shop: Shop,
  result: FormResult,
  request: Request,
  response: Response,
): Promise<void> {
  const language = languageOf(request);
  const [deadJobs, unsupportedVersion] = await Promise.all([
    listDeadJobs(context, shop.domain),
    unsupportedApiVersion(context),
  ]);
  sendAdminPage(response, {
    status: result?.status === "problem" ? 422 : 200,
    title: ownerTextsOf(language).title,
    body: await settingsBody(context, language, { shop, deadJobs, unsupportedVersion, result }),
    language,
    otherLanguageUrl: otherLanguageUrl(request, language),
    // The form that makes the shop ready is answered with a redirect to the shop's admin, which the page's policy must allow.
    formOrigins: [new URL(context.oauth.shopUrl(shop.domain)).origin],
  });
}

function redeemTicket(context: AppContext, ticket: string, request: Request, response: Response): void {
  const shop = readTicket(context, ticket);
  if (shop === null) {
    sendProblemPage(request, response, "too_old", 403);
  } else {
    const headers = { ...privateHeaders, "Set-Cookie": ownerCookie(context, shop) };
    response.writeHead(303, { ...headers, Location: publicPath(context.config, PATHS.settings) }).end();
  }
}
