import type { Language } from "@tillkit/core";

/** A date with its time in UTC: operators of one shop may be in several countries. `at` in milliseconds since 1970. */
export function timeText(at: number, language: Language): string {
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(language === "fr" ? "fr-FR" : "en-GB", format).format(at)} UTC`;
}
