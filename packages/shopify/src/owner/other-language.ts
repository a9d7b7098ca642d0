import type { Language } from "@tillkit/core";
import type { Request } from "express";

/** The same page in the other language; relative, so that it works under whatever address this one was opened. */
export function otherLanguageUrl({ originalUrl }: Request, language: Language): string {
  const query = new URLSearchParams({ lang: language === "fr" ? "en" : "fr" });
  for (const [name, value] of new URL(originalUrl, "http://app").searchParams) {
    if (name !== "lang") query.append(name, value);
  }
  return `?${query}`;
}
