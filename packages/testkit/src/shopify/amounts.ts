import { decimalText, type Money, money } from "@tillkit/core";

/** As the Admin API writes a Decimal: "12.5", "5000.0". */
export function decimal(amount: Money): string {
  const text = decimalText(amount);
  return text.includes(".") ? text.replace(/0$/, "") : `${text}.0`;
}

/** As the payment requests write an amount: "12.50", "5000.00". */
export function postedAmount(amount: Money): string {
  const text = decimalText(amount);
  return text.includes(".") ? text : `${text}.00`;
}

/** What a shopper pays, and what the shop books of it in its own currency. */
export type Exchange = { readonly shopCurrency: string; readonly presentmentCurrency: string; readonly rate: number };

/** MoneyBag of the Admin API. `rate`: shop money for one minor unit of presentment money, in minor units. */
export function moneyBag(amount: Money, { shopCurrency, rate }: Exchange) {
  const shop = shopCurrency === amount.currency ? amount : money(Math.round(amount.minor * rate), shopCurrency);
  return { presentmentMoney: moneyV2(amount), shopMoney: moneyV2(shop) };
}

export function moneyV2(amount: Money) {
  return { __typename: "MoneyV2", amount: decimal(amount), currencyCode: amount.currency };
}
