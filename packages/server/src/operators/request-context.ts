import type { Engine, Environment } from "@tillkit/core";
import type { Request, RequestHandler } from "express";
import type { LedgerCounts } from "../observability/ledger-counts.ts";
import type { SelfService } from "../options/operator-options.ts";
import { pageLanguage } from "../pages/language.ts";
import type { Session } from "./login/sessions.ts";
import type { PageContext } from "./pages/page-context.ts";
import { english } from "./texts/english.ts";
import { french } from "./texts/french.ts";

const TEXTS = { en: english, fr: french } as const;

/** The server that shows the pages. */
export type PagesHost = {
  readonly base: string;
  readonly engine: Engine;
  readonly publicUrl: string;
  readonly selfService: SelfService | null;
};

/** `named`: the mode that the address names. */
export function contextOf(
  request: Request,
  { base: root, engine, publicUrl, selfService }: PagesHost,
  session: Session | null,
  named: Environment | null,
): PageContext {
  const languageCookie = /(?:^|; ?)tillkit_language=(fr|en)(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
  const zoneCookie = /(?:^|; ?)tillkit_zone=([\w%+-]{1,120})(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
  const zone = readZone(zoneCookie?.replaceAll("%2F", "/")) ?? "UTC";
  const language = pageLanguage(languageCookie, request.headers["accept-language"]);
  const operator = session?.operator ?? { name: null, tokenLabel: "", canDecide: false, storeId: null };
  const ownTexts = TEXTS[language];
  const hostJobs = Object.entries(engine.hostJobs).map(([kind, { names }]) => [kind, names[language]]);
  const texts = { ...ownTexts, jobs: { ...ownTexts.jobs, ...Object.fromEntries(hostJobs) } };
  return {
    base: named === null ? root : `${root}/${named}`,
    root,
    mode: named ?? "live",
    name: new URL(publicUrl).hostname,
    language,
    texts,
    formToken: session?.formToken ?? "",
    operator,
    zone,
    hasShortcuts: !/(?:^|; ?)tillkit_keys=off(?:;|$)/.test(request.headers.cookie ?? ""),
    hasShops: selfService !== null,
    now: engine.clock.now(),
    counts: null,
  };
}

/** The context of a page in its mode. */
export function inMode(context: PageContext, mode: Environment, counts: LedgerCounts | null): PageContext {
  return { ...context, base: `${context.root}/${mode}`, mode, counts };
}

/** The zone of a cookie or a form; null for a text that is no zone. */
function readZone(text: string | undefined): string | null {
  return text === "UTC" || (text !== undefined && ZONES.has(text)) ? text : null;
}

const ZONES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("timeZone"));

const ONE_YEAR_SECONDS = 31_536_000;

/** Stores the language of `?lang=`, the time zone of `?zone=` and `?keys=` in a cookie each, so that no link needs to carry them. */
export function createChoiceCookies(base: string): RequestHandler {
  const cookie = (name: string, value: string) =>
    `${name}=${value}; Path=${base}; Max-Age=${ONE_YEAR_SECONDS}; HttpOnly; SameSite=Strict`;

  const cookiesOf = ({ lang, zone, keys }: Readonly<Record<string, string>>): readonly string[] => {
    const knownZone = readZone(zone);
    return [
      ...(lang === "fr" || lang === "en" ? [cookie("tillkit_language", lang)] : []),
      ...(knownZone === null ? [] : [cookie("tillkit_zone", encodeURIComponent(knownZone))]),
      ...(keys === "on" || keys === "off" ? [cookie("tillkit_keys", keys)] : []),
    ];
  };

  return function storeChoice(request, response, next) {
    const fields = stringFields(request.query);
    const cookies = cookiesOf(fields);
    if (request.method !== "GET" || cookies.length === 0) return next();
    const path = request.path === "/" ? "" : request.path;
    const { lang, zone, keys, ...rest } = fields;
    const query = new URLSearchParams(rest);
    const url = query.size > 0 ? `${base}${path}?${query}` : `${base}${path}`;
    response.writeHead(303, { Location: url, "Set-Cookie": [...cookies], "Cache-Control": "no-store" }).end();
  };
}

/** The fields of a query or a form whose value is one string. */
export function stringFields(values: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(typeof values === "object" && values !== null ? values : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
