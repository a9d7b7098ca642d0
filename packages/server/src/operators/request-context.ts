import type { Request, RequestHandler } from "express";
import { pageLanguage } from "../pages/language.ts";
import type { Session } from "./login/sessions.ts";
import type { PageContext } from "./pages/page-context.ts";
import { operatorTexts } from "./texts/texts-of.ts";

export function contextOf(request: Request, base: string, session: Session | null): PageContext {
  const chosen = /(?:^|; ?)tillkit_language=(fr|en)(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
  const language = pageLanguage(chosen, request.headers["accept-language"]);
  return { base, language, texts: operatorTexts(language), formToken: session?.formToken ?? "" };
}

/** Stores the language of `?lang=` in a cookie, so that no link needs to carry it. */
export function createLanguageCookie(base: string): RequestHandler {
  return function storeLanguage(request, response, next) {
    const { lang, ...rest } = stringFields(request.query);
    if (request.method !== "GET" || (lang !== "fr" && lang !== "en")) return next();
    const query = new URLSearchParams(rest);
    const url = `${base}${request.path === "/" ? "" : request.path}${query.size > 0 ? `?${query}` : ""}`;
    const cookie = `tillkit_language=${lang}; Path=${base}; Max-Age=31536000; HttpOnly; SameSite=Strict`;
    response.writeHead(303, { Location: url, "Set-Cookie": cookie, "Cache-Control": "no-store" }).end();
  };
}

/** The fields of a query or a form whose value is one string. */
export function stringFields(values: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(typeof values === "object" && values !== null ? values : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
