import { decimalText, type Money, money, parseMoney } from "@tillkit/core";

/** A Decimal of the Admin API: "12.5", "5000.0". */
export function decimal(amount: Money): string {
  const text = decimalText(amount);
  return text.includes(".") ? text.replace(/0$/, "") : `${text}.0`;
}

/** Returns null for text that is not an exact amount of the currency. */
export function parseAmount(text: string, currency: string): Money | null {
  try {
    return parseMoney(text, currency);
  } catch {
    return null;
  }
}

/** The amount in a session request to the app, which always has two decimals: "12.50", "5000.00". */
export function postedAmount(amount: Money): string {
  const text = decimalText(amount);
  return text.includes(".") ? text : `${text}.00`;
}

/** The currency of the shop, the currency of the shopper, and the rate between them. */
export type Exchange = {
  readonly shopCurrency: string;
  readonly presentmentCurrency: string;
  /** Minor units of the shop's currency for one minor unit of the shopper's currency. */
  readonly rate: number;
};

/** A MoneyBag of the Admin API: the amount in both currencies. */
export function moneyBag(amount: Money, { shopCurrency, rate }: Exchange) {
  const shop = shopCurrency === amount.currency ? amount : money(Math.round(amount.minor * rate), shopCurrency);
  return { presentmentMoney: moneyV2(amount), shopMoney: moneyV2(shop) };
}

export function moneyV2(amount: Money) {
  return { __typename: "MoneyV2", amount: decimal(amount), currencyCode: amount.currency };
}
