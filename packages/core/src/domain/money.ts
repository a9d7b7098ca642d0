import { CheckoutError } from "./checkout-error.ts";

/** An exact amount. `minor` is a safe integer in the currency's minor unit (XOF 5000 = 5000 francs, USD 1999 = 19.99). */
export type Money = { readonly minor: number; readonly currency: string };

/** Decimals of each currency that the service accepts (`packages/client/API.md#amounts`). */
export const CURRENCY_DECIMALS: Readonly<Record<string, number>> = { XOF: 0, USD: 2, EUR: 2 };

/**
 * The unit of the integers that go to the service. `minor` (the default) sends cents. `major` sends whole units and rejects an
 * amount with cents. The service's documentation is ambiguous for USD and EUR (`packages/client/API.md#amounts`), so the unit is
 * a setting.
 */
export type AmountUnit = "minor" | "major";

/** @throws CheckoutError `amount_invalid`, `currency_not_supported` */
export function money(minor: number, currency: string): Money {
  const code = currency.toUpperCase();
  decimalsOf(code);
  if (!Number.isSafeInteger(minor) || minor < 0) {
    throw new CheckoutError("amount_invalid", `An amount must be a whole number of minor units, not ${minor}.`);
  }
  return { minor, currency: code };
}

export function decimalsOf(currency: string): number {
  const decimals = Object.hasOwn(CURRENCY_DECIMALS, currency) ? CURRENCY_DECIMALS[currency] : undefined;
  if (decimals === undefined) {
    const known = Object.keys(CURRENCY_DECIMALS).join(", ");
    throw new CheckoutError(
      "currency_not_supported",
      `The service takes ${known}, not "${currency}". Choose one of them.`,
    );
  }
  return decimals;
}

/** The one place where two amounts are compared. */
export function sameMoney(left: Money, right: Money): boolean {
  return left.minor === right.minor && left.currency === right.currency;
}

/** Fifteen digits are always a safe integer. `money` refuses an amount whose decimals make it larger. */
const DECIMAL_NUMBER = /^(\d{1,15})(?:\.(\d{1,20}))?$/;

/**
 * Parses a store's decimal text such as `"10.50"` or `"5000.00"`. The result is exact; nothing is rounded.
 * @throws CheckoutError `amount_invalid` when the text is not a decimal number or has more decimals than the currency;
 * `currency_not_supported`
 */
export function parseMoney(text: string, currency: string): Money {
  const code = currency.toUpperCase();
  const decimals = decimalsOf(code);
  const match = DECIMAL_NUMBER.exec(text);
  const fraction = (match?.[2] ?? "").replace(/0+$/, "");
  if (!match || fraction.length > decimals) {
    throw new CheckoutError("amount_invalid", `"${text}" is not an exact amount of ${code} (${decimals} decimals).`);
  }
  return money(Number(`${match[1]}${fraction.padEnd(decimals, "0")}`), code);
}

/**
 * An amount as people type it: `5 000` or `12,50`. Spaces are ignored, and a comma is read as the decimal point.
 * @throws CheckoutError `amount_invalid`, also for `5,000` and `5.000`, which mean five thousand to some people and five to others;
 * `currency_not_supported`
 */
export function parseTypedAmount(text: string, currency: string): Money {
  const amount = text.replace(/[\s\u00a0\u202f]/g, "").replace(",", ".");
  if (/\.\d{3}$/.test(amount)) {
    throw new CheckoutError("amount_invalid", `"${text}" may have a separator of thousands or of decimals.`);
  }
  return parseMoney(amount, currency);
}

/** The reverse of `parseMoney`: `"10.50"`, `"5000"`. Use `formatMoney` for text that people read. */
export function decimalText({ minor, currency }: Money): string {
  const decimals = decimalsOf(currency);
  if (decimals === 0) return String(minor);
  const digits = String(minor).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * The integer that is sent to the service. The result is exact; nothing is rounded.
 * @throws CheckoutError `amount_invalid` when the amount is zero, or has cents while the unit is `major`;
 * `currency_not_supported`
 */
export function toWire(amount: Money, unit: AmountUnit): number {
  if (amount.minor === 0) throw new CheckoutError("amount_invalid", "The amount is zero: there is nothing to pay.");
  const minorPerUnit = minorUnitsPerWireUnit(amount.currency, unit);
  // The remainder of safe integers is exact, and without a remainder the quotient is exact too.
  if (amount.minor % minorPerUnit !== 0) {
    throw new CheckoutError(
      "amount_invalid",
      `The service accepts whole ${amount.currency} only, but the amount ${decimalText(amount)} has cents.`,
    );
  }
  return amount.minor / minorPerUnit;
}

/** The reverse of `toWire`; null when the integer is not an exact amount of a supported currency. */
export function fromWire(wireAmount: number, currency: string, unit: AmountUnit): Money | null {
  if (!Number.isSafeInteger(wireAmount) || wireAmount < 0 || !Object.hasOwn(CURRENCY_DECIMALS, currency)) return null;
  const minor = wireAmount * minorUnitsPerWireUnit(currency, unit);
  return Number.isSafeInteger(minor) ? { minor, currency } : null;
}

/** How many minor units one unit of the service is. @throws CheckoutError `currency_not_supported` */
export function minorUnitsPerWireUnit(currency: string, unit: AmountUnit): number {
  return unit === "minor" ? 1 : 10 ** decimalsOf(currency);
}

export type Language = "fr" | "en";

const NARROW_NO_BREAK_SPACE = "\u202f";
const MINUS = "\u2212";
const NO_BREAK_SPACE = "\u00a0";

/** Every place within a number that is followed by whole groups of three digits. */
const THOUSANDS_PLACES = /\B(?=(\d{3})+$)/g;

/** The amount as people write it: `5 000 F CFA`, `19,99 $US`, `$19.99`, `12,50 €`. A shortfall is negative: `−813 F CFA`. */
export function formatMoney(amount: Money, language: Language): string {
  if (amount.minor < 0) return `${MINUS}${formatMoney({ ...amount, minor: -amount.minor }, language)}`;
  const [whole = "0", cents] = decimalText(amount).split(".");
  const isFrench = language === "fr";
  const separator = isFrench || amount.currency === "XOF" ? NARROW_NO_BREAK_SPACE : ",";
  const grouped = whole.replace(THOUSANDS_PLACES, separator);
  const number = cents === undefined ? grouped : `${grouped}${isFrench ? "," : "."}${cents}`;
  if (amount.currency === "XOF") return `${number}${NO_BREAK_SPACE}F${NO_BREAK_SPACE}CFA`;
  if (amount.currency === "EUR") return isFrench ? `${number}${NO_BREAK_SPACE}€` : `€${number}`;
  if (amount.currency === "USD") return isFrench ? `${number}${NO_BREAK_SPACE}$US` : `$${number}`;
  return `${number}${NO_BREAK_SPACE}${amount.currency}`;
}
