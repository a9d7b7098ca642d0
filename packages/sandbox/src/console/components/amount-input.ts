import type { Currency, Exponents } from "../../domain/currencies.ts";
import { FormProblem, type PageContext } from "./section.ts";

/**
 * Reads an amount that a person typed, such as `39.90`, into the integer of the API.
 * @throws FormProblem
 */
export function parseAmount({ service, texts: { problems } }: PageContext, text: string, currency: Currency): number {
  const decimals = service.settings.amountExponents[currency];
  const [, units = "", fraction = ""] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.replace(/\s/g, "")) ?? [];
  if (units === "" || fraction.length > decimals) {
    const example = decimals === 0 ? "5000" : `50.${"0".repeat(decimals)}`;
    throw new FormProblem(problems.amount(currency, example));
  }
  return Number(units + fraction.padEnd(decimals, "0"));
}

/** The integer of the API as the number that a person types. */
export function amountInputValue(amount: number, currency: Currency, exponents: Exponents): string {
  const decimals = exponents[currency];
  const digits = String(amount).padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
