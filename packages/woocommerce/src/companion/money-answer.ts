import { formatMoney, type Language, type Money } from "@tillkit/core";

/** An amount as it goes to the plugin; `text` for people. */
export type MoneyAnswer = Money & { readonly text: string };

export function moneyAnswer({ minor, currency }: Money, language: Language): MoneyAnswer {
  return { minor, currency, text: formatMoney({ minor, currency }, language) };
}
