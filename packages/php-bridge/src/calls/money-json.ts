import { formatMoney, type Language, type Money } from "@tillkit/core";

/** An amount in responses to the plugin. `text`: the formatted amount for people. */
type MoneyJson = Money & { readonly text: string };

export function moneyJson({ minor, currency }: Money, language: Language): MoneyJson {
  return { minor, currency, text: formatMoney({ minor, currency }, language) };
}
