import { BigNumber } from "@medusajs/framework/utils";
import { describe, expect, it } from "vitest";
import { toMoney } from "../src/store/amounts.ts";

describe("an amount of Medusa", () => {
  it.each<[string, unknown, string, number]>([
    ["a number in major units", 22.8, "usd", 2_280],
    ["a number without decimals", 10_500, "xof", 10_500],
    ["a text", "19.99", "eur", 1_999],
    ["a raw value, as refunds get it", { value: "2.8", precision: 20 }, "usd", 280],
    ["the smallest raw value", { value: "1", precision: 20 }, "xof", 1],
    ["Medusa's own BigNumber", new BigNumber(22.8), "usd", 2_280],
    ["a BigNumber of a decimal fraction", new BigNumber("0.1"), "usd", 10],
    ["part of a cent below the half", "4.784", "usd", 478],
    ["half a cent", "4.785", "usd", 479],
    ["part of a franc", "5000.5", "xof", 5_001],
    ["the largest amount of a store", "90071992547.40991", "usd", 9_007_199_254_741],
  ])("an amount of Medusa becomes whole minor units, the half rounded up: %s", (_form, amount, currency, minor) => {
    expect(toMoney(amount, currency)).toEqual({ minor, currency: currency.toUpperCase() });
  });

  it.each([[null], [undefined], [{}], ["-1"], ["1e3"], [Number.NaN], ["1,5"], [Number.MAX_VALUE]])(
    "a value that is no amount is rejected: %s",
    (amount) => {
      expect(() => toMoney(amount, "usd")).toThrow(expect.objectContaining({ code: "amount_invalid" }));
    },
  );

  it("an amount in an unsupported currency is rejected", () => {
    expect(() => toMoney(6.635, "kwd")).toThrow(expect.objectContaining({ code: "currency_not_supported" }));
  });
});
