import type { Language } from "../domain/money.ts";

/** A time in milliseconds since 1970. The text names UTC, because the time zone of the reader is unknown. */
export function dateText(at: number, language: Language): string {
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(language === "fr" ? "fr-FR" : "en-GB", format).format(at)} UTC`;
}
