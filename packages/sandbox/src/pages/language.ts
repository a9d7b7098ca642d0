export const languages = ["fr", "en"] as const;
export type Language = (typeof languages)[number];

/** The language that the visitor chose, else the preferred language of the browser, else English. */
export function pickLanguage(chosen: string | null, acceptLanguage: string | undefined): Language {
  if (isLanguage(chosen)) return chosen;
  const offered = (acceptLanguage ?? "")
    .split(",")
    .map(parsePreference)
    .filter(({ language, quality }) => isLanguage(language) && quality > 0);
  const [preferred] = offered.sort((one, other) => other.quality - one.quality);
  return isLanguage(preferred?.language) ? preferred.language : "en";
}

/** One entry of `Accept-Language`, such as `fr-FR;q=0.8`. Without `q` the quality is 1, the highest. */
function parsePreference(entry: string): { language: string; quality: number } {
  const [tag = "", ...parameters] = entry.trim().split(";");
  const quality = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean);
  return { language: tag.slice(0, 2).toLowerCase(), quality: Number(quality ?? 1) };
}

function isLanguage(text: string | null | undefined): text is Language {
  return text === "fr" || text === "en";
}
