import type { Currency, Exponents } from "../domain/currencies.ts";
import type { Language } from "./language.ts";

const symbols: Record<Currency, Record<Language, string>> = {
  XOF: { fr: "F CFA", en: "F CFA" },
  USD: { fr: "$US", en: "$" },
  EUR: { fr: "€", en: "€" },
};

/** Non-breaking spaces keep an amount on one line. */
const space = "\u00a0";
const thinSpace = "\u202f";

/** Formats an amount for people, as shops do: `5 000 F CFA` in both languages, `1 999,50 $US` in French and `$1,999.50` in English. */
export function formatAmount(amount: number, currency: Currency, language: Language, exponents: Exponents): string {
  const decimals = exponents[currency];
  const digits = String(amount).padStart(decimals + 1, "0");
  const units = digits
    .slice(0, digits.length - decimals)
    .replace(/\B(?=(\d{3})+$)/g, language === "fr" || currency === "XOF" ? thinSpace : ",");
  const fraction = decimals === 0 ? "" : `${language === "fr" ? "," : "."}${digits.slice(-decimals)}`;
  const symbol = symbols[currency][language].replace(" ", space);
  const symbolGoesFirst = language === "en" && currency !== "XOF";
  return symbolGoesFirst ? `${symbol}${units}${fraction}` : `${units}${fraction}${space}${symbol}`;
}
