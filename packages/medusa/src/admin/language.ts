import { useTranslation } from "react-i18next";
import { ADMIN_TEXTS, type AdminLanguage, type AdminTexts } from "./texts.ts";

/** The texts in the language chosen in Medusa's admin: French, or English for every other language. */
export function useTexts(): { readonly language: AdminLanguage; readonly texts: AdminTexts } {
  const { i18n } = useTranslation();
  const language = i18n.language?.startsWith("fr") ? "fr" : "en";
  return { language, texts: ADMIN_TEXTS[language] };
}

export function formatTime(at: number, language: AdminLanguage): string {
  return new Date(at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}
