import type { Language } from "@tillkit/core";

/**
 * The language of a page: the language that its link names (`?lang=`, chosen by the order or the shopper), else the language of the
 * browser, else French.
 */
export function pageLanguage(requested: unknown, acceptLanguage: string | undefined): Language {
  if (requested === "fr" || requested === "en") return requested;
  const preferences = (acceptLanguage ?? "")
    .split(",")
    .slice(0, 20)
    .map(readPreference)
    .filter((preference) => preference.weight > 0)
    .sort((left, right) => right.weight - left.weight);
  return preferences.find(({ tag }) => tag === "en" || tag === "fr")?.tag === "en" ? "en" : "fr";
}

function readPreference(part: string): { tag: string; weight: number } {
  const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  const weight = quality === undefined ? 1 : Number(quality.slice(2));
  return { tag: name.split("-")[0] ?? "", weight: Number.isFinite(weight) ? weight : 0 };
}
