export const languages = ["fr", "en"] as const;
export type Language = (typeof languages)[number];

/** The language that the visitor chose, else the preferred language of the browser, else English. */
export function pickLanguage(chosen: string | null, acceptLanguage: string | undefined): Language {
  if (isLanguage(chosen)) return chosen;
  const preferred = (acceptLanguage ?? "")
    .split(",")
    .map((entry) => {
      const [tag = "", ...parameters] = entry.trim().split(";");
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean);
      return { language: tag.slice(0, 2).toLowerCase(), quality: Number(quality ?? 1) };
    })
    .filter(({ language, quality }) => isLanguage(language) && quality > 0)
    .sort((a, b) => b.quality - a.quality)[0]?.language;
  return isLanguage(preferred) ? preferred : "en";
}

function isLanguage(text: string | null | undefined): text is Language {
  return text === "fr" || text === "en";
}
