import type { Language } from "@tillkit/core";
import { pageLanguage } from "@tillkit/server";
import type { Request } from "express";

/** The language of a page: its `lang` parameter, else the language of the browser. */
export function languageOf({ query, headers }: Request): Language {
  return pageLanguage(query.lang, headers["accept-language"]);
}

/** The link to the same page in the other language. It is relative, so that it works behind every path. */
export function otherLanguageUrl({ originalUrl }: Request, language: Language): string {
  const query = new URLSearchParams({ lang: language === "fr" ? "en" : "fr" });
  for (const [name, value] of new URL(originalUrl, "http://app").searchParams) {
    if (name !== "lang") query.append(name, value);
  }
  return `?${query}`;
}
