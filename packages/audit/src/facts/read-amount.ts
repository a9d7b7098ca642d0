import { CURRENCY_DECIMALS, formatMoney, type Language, type Money } from "@tillkit/core";

export type ReadAmount = { readonly amount: Money; readonly isRounded: boolean };

/**
 * A shop's decimal text as an amount of any currency; `isRounded` when it has more decimals than the currency. Shops also sell in
 * currencies that the service does not take, and those orders have to be counted too. Null for what is no number.
 */
export function readAmount(text: unknown, currency: string): ReadAmount | null {
  const code = currency.trim().toUpperCase();
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,30}))?$/.exec(String(text ?? "").trim());
  if (!match || !/^[A-Z]{3}$/.test(code)) return null;
  const decimals = decimalsOfAny(code);
  const [, sign, whole = "0", fraction = ""] = match;
  const kept = fraction.slice(0, decimals).padEnd(decimals, "0");
  const rest = fraction.slice(decimals);
  const up = /^[5-9]/.test(rest) ? 1 : 0;
  const minor = (Number(`${whole}${kept}`) + up) * (sign === "-" ? -1 : 1);
  return Number.isSafeInteger(minor) ? { amount: { minor, currency: code }, isRounded: /[1-9]/.test(rest) } : null;
}

const decimals = new Map(Object.entries(CURRENCY_DECIMALS));

export function decimalsOfAny(currency: string): number {
  const known = decimals.get(currency);
  if (known !== undefined) return known;
  const found =
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
  decimals.set(currency, found);
  return found;
}

/** For people: `5 000 F CFA`, and `12.50 MAD` for a currency that the service does not take. */
export function amountText({ minor, currency }: Money, language: Language): string {
  if (Object.hasOwn(CURRENCY_DECIMALS, currency)) return formatMoney({ minor, currency }, language);
  const number = (minor / 10 ** decimalsOfAny(currency)).toFixed(decimalsOfAny(currency));
  return `${language === "fr" ? number.replace(".", ",") : number}\u00a0${currency}`;
}

/** For programs: `5000`, `12.50`. */
export function plainAmount({ minor, currency }: Money): string {
  const places = decimalsOfAny(currency);
  if (places === 0) return String(minor);
  const digits = String(Math.abs(minor)).padStart(places + 1, "0");
  return `${minor < 0 ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
