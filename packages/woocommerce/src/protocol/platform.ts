import type { Language } from "@tillkit/core";
import type { BridgedPlatform, PlatformWords } from "@tillkit/php-bridge";
import { PLUGIN_PLACE } from "./names.ts";

const english: PlatformWords = {
  name: "WooCommerce",
  aPlugin: "a plugin",
  paidStatus: "Processing or Completed",
  unpaidStatus: "Pending",
  backOffice: "WordPress",
  settings: "WooCommerce, Settings, Payments, Tillkit",
  currencySettings: "WooCommerce, Settings, General",
  activate: "activate it, choose permalinks other than “Plain”",
};

const french: PlatformWords = {
  name: "WooCommerce",
  aPlugin: "une extension",
  paidStatus: "« En cours » ou « Terminée »",
  unpaidStatus: "« Attente de paiement »",
  backOffice: "WordPress",
  settings: "WooCommerce, Réglages, Paiements, Tillkit",
  currencySettings: "WooCommerce, Réglages, Général",
  activate: "activez-la, choisissez des permaliens autres que « Simple »",
};

export function wooWords(language: Language): PlatformWords {
  return language === "fr" ? french : english;
}

export const WOOCOMMERCE: BridgedPlatform = { prefix: "woo", place: PLUGIN_PLACE, words: wooWords };
