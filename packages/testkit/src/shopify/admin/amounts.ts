import { decimalText, type Money, money } from "@tillkit/core";

/** A Decimal of the Admin API: "12.5", "5000.0". */
export function decimal(amount: Money): string {
  const text = decimalText(amount);
  return text.includes(".") ? text.replace(/0$/, "") : `${text}.0`;
}

/** An amount of a session request: "12.50", "5000.00". */
export function postedAmount(amount: Money): string {
  const text = decimalText(amount);
  return text.includes(".") ? text : `${text}.00`;
}

/** The currency of the shopper, the currency of the shop, and the rate between them. */
export type Exchange = { readonly shopCurrency: string; readonly presentmentCurrency: string; readonly rate: number };

/** A MoneyBag of the Admin API. `rate`: minor units of shop money for one minor unit of presentment money. */
export function moneyBag(amount: Money, { shopCurrency, rate }: Exchange) {
  const shop = shopCurrency === amount.currency ? amount : money(Math.round(amount.minor * rate), shopCurrency);
  return { presentmentMoney: moneyV2(amount), shopMoney: moneyV2(shop) };
}

export function moneyV2(amount: Money) {
  return { __typename: "MoneyV2", amount: decimal(amount), currencyCode: amount.currency };
}
