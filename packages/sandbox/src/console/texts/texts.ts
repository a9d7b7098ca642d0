import type { Language } from "../../pages/language.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";

/** The texts of the console. Names of the API, such as codes of errors and events, are the same in every language. */
export type ConsoleTexts = typeof english;

export const consoleTexts: Readonly<Record<Language, ConsoleTexts>> = { en: english, fr: french };

export type FlashMessage = keyof ConsoleTexts["flashMessages"];
