import type { ServerResponse } from "node:http";
import type { Request, Response } from "express";
import { pageLanguage } from "../pages/language.ts";
import { renderPage } from "../pages/page.ts";
import { pageHeaders, privateHeaders } from "../pages/page-headers.ts";
import type { PageReply, Reply } from "./reply.ts";

export function sendReply(request: Request, response: Response, reply: Reply): void {
  if (reply.say === "page") {
    sendPage(request, response, reply);
  } else if (reply.say === "go") {
    write(response, 303, { ...privateHeaders, Location: reply.url }, "");
  } else {
    const headers = { ...privateHeaders, "Content-Type": "application/json; charset=utf-8" };
    write(response, reply.status, headers, `${JSON.stringify(reply.data)}\n`);
  }
}

/** `?since=`: when this shopper began to wait, milliseconds since 1970; null on the first look. */
export function waitingSince({ query }: Request): number | null {
  const text = typeof query.since === "string" ? query.since : "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function sendPage(request: Request, response: Response, { status, page }: PageReply): void {
  const language = pageLanguage(request.query.lang, request.headers["accept-language"]);
  // Everything else that the address says, a host's own signed link for one, stays as it is.
  const inOther = new URLSearchParams({ lang: language === "fr" ? "en" : "fr" });
  for (const [name, value] of new URLSearchParams(request.originalUrl.split("?")[1])) {
    if (name !== "lang") inOther.append(name, value);
  }
  const headers = {
    ...pageHeaders,
    "Content-Language": language,
    ...(status === 405 ? { Allow: "GET, HEAD" } : {}),
    ...(status === 503 ? { "Retry-After": "60" } : {}),
  };
  write(response, status, headers, renderPage(page, language, `?${inOther}`));
}

// Not Express's own send: it adds an ETag, and a page that must not be kept must not be compared either.
function write(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, headers);
  response.end(body);
}
