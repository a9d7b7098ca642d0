import type { Engine } from "@tillkit/core";
import type { Request, RequestHandler } from "express";
import { pageLanguage } from "../pages/language.ts";
import type { Session } from "./login/sessions.ts";
import type { PageContext } from "./pages/page-context.ts";
import { operatorTexts } from "./texts/texts-of.ts";

export function contextOf(
  request: Request,
  { base, engine }: { readonly base: string; readonly engine: Engine },
  session: Session | null,
): PageContext {
  const languageCookie = /(?:^|; ?)tillkit_language=(fr|en)(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
  const zoneCookie = /(?:^|; ?)tillkit_zone=([\w%+-]{1,120})(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
  const zone = readZone(zoneCookie?.replaceAll("%2F", "/")) ?? "UTC";
  const language = pageLanguage(languageCookie, request.headers["accept-language"]);
  const operator = session?.operator ?? { name: null, tokenLabel: "", canDecide: false };
  const ownTexts = operatorTexts(language);
  const hostJobs = Object.entries(engine.hostJobs).map(([kind, { names }]) => [kind, names[language]]);
  const texts = { ...ownTexts, jobs: { ...ownTexts.jobs, ...Object.fromEntries(hostJobs) } };
  return { base, language, texts, formToken: session?.formToken ?? "", operator, zone };
}

/** The zone of a cookie or a form; null for a text that is no zone. */
function readZone(text: string | undefined): string | null {
  return text === "UTC" || (text !== undefined && ZONES.has(text)) ? text : null;
}

const ZONES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("timeZone"));

const ONE_YEAR_SECONDS = 31_536_000;

/** Stores the language of `?lang=` and the time zone of `?zone=` in a cookie each, so that no link needs to carry them. */
export function createChoiceCookies(base: string): RequestHandler {
  const cookie = (name: string, value: string) =>
    `${name}=${value}; Path=${base}; Max-Age=${ONE_YEAR_SECONDS}; HttpOnly; SameSite=Strict`;

  return function storeChoice(request, response, next) {
    const { lang, zone, ...rest } = stringFields(request.query);
    const language = lang === "fr" || lang === "en" ? lang : null;
    const knownZone = readZone(zone);
    if (request.method !== "GET" || (language === null && knownZone === null)) return next();
    const path = request.path === "/" ? "" : request.path;
    const query = new URLSearchParams(rest);
    const url = query.size > 0 ? `${base}${path}?${query}` : `${base}${path}`;
    const cookies: string[] = [];
    if (language !== null) cookies.push(cookie("tillkit_language", language));
    if (knownZone !== null) cookies.push(cookie("tillkit_zone", encodeURIComponent(knownZone)));
    response.writeHead(303, { Location: url, "Set-Cookie": cookies, "Cache-Control": "no-store" }).end();
  };
}

/** The fields of a query or a form whose value is one string. */
export function stringFields(values: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(typeof values === "object" && values !== null ? values : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
