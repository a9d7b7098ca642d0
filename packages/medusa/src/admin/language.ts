import { useTranslation } from "react-i18next";
import { type AdminLanguage, type AdminWords, WORDS } from "./words.ts";

/** The language that this admin was switched to: French, or English for all others. */
export function useWords(): { readonly language: AdminLanguage; readonly words: AdminWords } {
  const { i18n } = useTranslation();
  const language = i18n.language?.startsWith("fr") ? "fr" : "en";
  return { language, words: WORDS[language] };
}

export function timeText(at: number, language: AdminLanguage): string {
  return new Date(at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}
