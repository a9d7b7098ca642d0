import type { Language, StoreAnswer } from "@tillkit/core";
import type { BridgedPlatform, PlatformWords, PluginPlace } from "@tillkit/php-bridge";

/** Where the module answers, with and without friendly URLs. */
const MODULE_PLACE: PluginPlace = {
  pathOf: (purpose) => `index.php?fc=module&module=tillkit&controller=call&purpose=${purpose}`,
  name: "/index.php?fc=module&module=tillkit",
  noRoute: null,
};

const english: PlatformWords = {
  name: "PrestaShop",
  aPlugin: "a module",
  paidStatus: "Payment accepted",
  unpaidStatus: "the waiting status of Tillkit",
  backOffice: "PrestaShop",
  settings: "Modules, Module Manager, Tillkit, Configure",
  currencySettings: "International, Localization, Currencies",
  activate: "install and enable it",
};

const french: PlatformWords = {
  name: "PrestaShop",
  aPlugin: "un module",
  paidStatus: "« Paiement accepté »",
  unpaidStatus: "statut d’attente de Tillkit",
  backOffice: "PrestaShop",
  settings: "Modules, Gestionnaire de modules, Tillkit, Configurer",
  currencySettings: "International, Localisation, Devises",
  activate: "installez et activez le module",
};

export const PRESTASHOP: BridgedPlatform = {
  prefix: "prestashop",
  place: MODULE_PLACE,
  words: (language: Language) => (language === "fr" ? french : english),
};

/** What the module calls the statuses that can be paid: its own two. */
const PAYABLE: ReadonlySet<string> = new Set(["waiting", "review"]);

/** Whether an order in this status may still be paid, or may have got money although it was closed. */
export function isUnsettled(status: string): boolean {
  return PAYABLE.has(status) || status === "cancelled" || status === "error";
}

export function notPayable(status: string | null): StoreAnswer {
  const isOpen = status === null || PAYABLE.has(status);
  return { outcome: "not-payable", why: isOpen ? { kind: "total_changed" } : { kind: "order_state", state: status } };
}
