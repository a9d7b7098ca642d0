import type { ServerResponse } from "node:http";
import type { Request, Response } from "express";
import { pageLanguage } from "../pages/language.ts";
import { privateHeaders } from "../pages/page-headers.ts";
import { renderPage, shopperPageHeaders } from "./page/render-page.ts";
import type { PageResponse, ShopperResponse } from "./shopper-response.ts";

export function sendResponse(request: Request, response: Response, answer: ShopperResponse): void {
  if (answer.kind === "page") {
    sendPage(request, response, answer);
  } else if (answer.kind === "redirect") {
    write(response, 303, { ...privateHeaders, Location: answer.url }, "");
  } else {
    const headers = { ...privateHeaders, "Content-Type": "application/json; charset=utf-8" };
    write(response, answer.status, headers, `${JSON.stringify(answer.data)}\n`);
  }
}

/** `?since=`: when this shopper began to wait, milliseconds since 1970; null on the first request. */
export function readWaitingSince({ query }: Request): number | null {
  const text = typeof query.since === "string" ? query.since : "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** `?shown=`: the status that the asking page shows. */
export function readShownStatus({ query }: Request): string | null {
  return typeof query.shown === "string" ? query.shown : null;
}

function sendPage(request: Request, response: Response, { status, page }: PageResponse): void {
  const language = pageLanguage(request.query.lang, request.headers["accept-language"]);
  // The other parameters stay: a host's own signed link may need them.
  const otherLanguageQuery = new URLSearchParams({ lang: language === "fr" ? "en" : "fr" });
  for (const [name, value] of new URLSearchParams(request.originalUrl.split("?")[1])) {
    if (name !== "lang") otherLanguageQuery.append(name, value);
  }
  const headers = {
    ...shopperPageHeaders(page.branding),
    "Content-Language": language,
    ...(status === 405 ? { Allow: "GET, HEAD" } : {}),
    // The page says: try again in a minute.
    ...(status === 503 ? { "Retry-After": "60" } : {}),
  };
  write(response, status, headers, renderPage(page, language, `?${otherLanguageQuery}`));
}

// Express's own send adds an ETag, and a page that must not be stored must not be revalidated.
function write(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, headers);
  response.end(body);
}
