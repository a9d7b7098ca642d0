import type { Language } from "../domain/money.ts";

/** How a shopper paid, as shoppers know it: "Wave". `provider` as the service calls it; one that is new there is written as a name. */
export function providerName(provider: string, language: Language): string {
  return NAMES.get(provider)?.[language] ?? provider.split("_").map(capitalized).join(" ");
}

function capitalized(word: string): string {
  return word.slice(0, 1) + word.slice(1).toLowerCase();
}

const NAMES: ReadonlyMap<string, Readonly<Record<Language, string>>> = new Map([
  ["CARD", { en: "Card", fr: "Carte" }],
  ["WAVE", { en: "Wave", fr: "Wave" }],
  ["MTN", { en: "MTN MoMo", fr: "MTN MoMo" }],
  ["SPI", { en: "SPI", fr: "SPI" }],
]);

/** The ways to pay that have a name, as the service calls them. */
export const PROVIDERS: readonly string[] = [...NAMES.keys()];
