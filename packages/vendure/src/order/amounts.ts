import { decimalText, type Money, parseMoney } from "@tillkit/core";

/**
 * Converts an amount of Vendure, which has the same number of decimals in every currency: with two decimals, 1250000 is 12,500 francs
 * (XOF) or 12,500.00 dollars. The result is exact, never rounded.
 * @throws CheckoutError `amount_invalid` when the currency has fewer decimals than the amount uses; `currency_not_supported`
 */
export function toMoney(value: number, currency: string, decimals: number): Money {
  if (decimals === 0) return parseMoney(String(value), currency);
  const digits = String(value).padStart(decimals + 1, "0");
  return parseMoney(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`, currency);
}

/** The reverse of `toMoney`. */
export function fromMoney(amount: Money, decimals: number): number {
  const [whole = "0", fraction = ""] = decimalText(amount).split(".");
  return Number(`${whole}${fraction.padEnd(decimals, "0")}`);
}
