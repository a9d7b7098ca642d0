import type { Language } from "@tillkit/core";
import type { OwnerTexts } from "./owner-texts.ts";
import { ownerTextsEn } from "./owner-texts-en.ts";
import { ownerTextsFr } from "./owner-texts-fr.ts";

export function ownerTextsOf(language: Language): OwnerTexts {
  return language === "fr" ? ownerTextsFr : ownerTextsEn;
}
