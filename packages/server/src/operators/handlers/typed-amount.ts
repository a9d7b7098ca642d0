import { CheckoutError, type Money, parseMoney } from "@tillkit/core";

/**
 * An amount as people type it: `5 000` or `12,50`. Spaces are ignored, and a comma is read as the decimal point.
 * @throws CheckoutError `amount_invalid`, also for `5,000` and `5.000`, which mean five thousand to some people and five to others
 */
export function parseTypedAmount(text: string, currency: string): Money {
  const amount = text.replace(/[\s\u00a0\u202f]/g, "").replace(",", ".");
  if (/\.\d{3}$/.test(amount)) {
    throw new CheckoutError("amount_invalid", `"${text}" may have a separator of thousands or of decimals.`);
  }
  return parseMoney(amount, currency);
}
