import { CheckoutError, decimalsOf, type Money, money } from "@tillkit/core";

/**
 * Converts an amount of Medusa to money. Medusa passes amounts as a number in major units (22.8), a text,
 * `{ value: "2.8", precision: 20 }`, or a BigNumber that carries one of these as `raw`. Taxes may leave fractions of a cent;
 * like Medusa's own comparison, this rounds them half up to the currency's decimals.
 * @throws CheckoutError `amount_invalid`, `currency_not_supported`
 */
export function toMoney(amount: unknown, currencyCode: string): Money {
  const currency = currencyCode.toUpperCase();
  const decimals = decimalsOf(currency);
  const match = /^(\d{1,15})(?:\.(\d{1,40}))?$/.exec(decimalOf(amount));
  if (!match) throw new CheckoutError("amount_invalid", `Medusa's amount is no exact amount of ${currency}.`);
  const [, whole = "", fraction = ""] = match;
  const truncated = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  const roundsUp = (fraction[decimals] ?? "0") >= "5";
  return money(Number(roundsUp ? truncated + 1n : truncated), currency);
}

function decimalOf(amount: unknown): string {
  if (typeof amount === "number" || typeof amount === "string") return String(amount);
  if (typeof amount !== "object" || amount === null) return "";
  if ("raw" in amount && amount.raw !== undefined) return decimalOf(amount.raw);
  if ("value" in amount) return decimalOf(amount.value);
  return "numeric" in amount ? decimalOf(amount.numeric) : "";
}
