import type { Language } from "@tillkit/core";
import { english } from "./english.ts";
import { french } from "./french.ts";
import type { OperatorTexts } from "./operator-texts.ts";

export function operatorTexts(language: Language): OperatorTexts {
  return language === "fr" ? french : english;
}
