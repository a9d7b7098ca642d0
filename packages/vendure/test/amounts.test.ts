import { describe, expect, it } from "vitest";
import { fromMoney, toMoney } from "../src/order/amounts.ts";

describe("an amount of Vendure", () => {
  it.each([
    ["francs, which have no hundredths", 1_250_000, "XOF", 2, 12_500],
    ["dollars", 1_999, "USD", 2, 1_999],
    ["one cent", 1, "USD", 2, 1],
    ["one franc", 100, "XOF", 2, 1],
    ["dollars in a shop that counts in thousandths", 19_990, "USD", 3, 1_999],
    ["francs in a shop that counts whole units", 12_500, "XOF", 0, 12_500],
  ])("%s are converted exactly in both directions", (_what, value, currency, decimals, minor) => {
    expect(toMoney(value, currency, decimals)).toEqual({ minor, currency });
    expect(fromMoney({ minor, currency }, decimals)).toBe(value);
  });

  it.each([
    ["hundredths of a franc", 1_250_001, "XOF", "amount_invalid"],
    ["a currency that the service does not take", 1_000, "KWD", "currency_not_supported"],
  ])("%s are refused instead of rounded", (_what, value, currency, code) => {
    expect(() => toMoney(value, currency, 2)).toThrow(expect.objectContaining({ code }));
  });
});
