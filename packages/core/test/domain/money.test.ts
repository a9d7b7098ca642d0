import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decimalText,
  formatMoney,
  fromWire,
  money,
  parseMoney,
  parseTypedAmount,
  sameMoney,
  toWire,
} from "../../src/domain/money.ts";
import { reportedMoney } from "../../src/domain/payment.ts";

describe("amounts", () => {
  it("parseMoney reads a store's decimal text exactly", () => {
    expect(parseMoney("10.50", "usd")).toEqual({ minor: 1050, currency: "USD" });
    expect(parseMoney("5000.00", "XOF")).toEqual({ minor: 5000, currency: "XOF" });
    expect(parseMoney("0.1", "EUR").minor + parseMoney("0.2", "EUR").minor).toBe(30);
  });

  it.each([
    ["10.555", "USD"],
    ["5000.50", "XOF"],
    ["-1", "EUR"],
    ["1e3", "EUR"],
    ["1,000", "USD"],
    ["", "USD"],
    [" 5", "USD"],
    ["9007199254740993", "XOF"],
  ])("parseMoney rejects %j %s instead of rounding it", (text, currency) => {
    expect(() => parseMoney(text, currency)).toThrow(expect.objectContaining({ code: "amount_invalid" }));
  });

  it("an amount is read as people type it, and refused where it has two readings", () => {
    expect(parseTypedAmount("5 000", "XOF").minor).toBe(5_000);
    expect(parseTypedAmount("12,50", "EUR").minor).toBe(1_250);
    for (const text of ["5.000", "5,000", "1\u202f005.000"]) {
      expect(() => parseTypedAmount(text, "XOF")).toThrow(expect.objectContaining({ code: "amount_invalid" }));
    }
  });

  it("an unsupported currency is rejected with a list of the supported currencies", () => {
    expect(() => money(100, "GHS")).toThrow("The service takes XOF, USD, EUR");
    expect(() => money(100, "toString")).toThrow(expect.objectContaining({ code: "currency_not_supported" }));
  });

  it("every amount survives decimalText and parseMoney", () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 14 }), fc.constantFrom("XOF", "USD", "EUR"), (minor, currency) => {
        const amount = money(minor, currency);
        expect(sameMoney(parseMoney(decimalText(amount), currency), amount)).toBe(true);
      }),
    );
  });

  it("toWire uses the service's unit and never loses cents", () => {
    expect(toWire(money(1999, "USD"), "minor")).toBe(1999);
    expect(toWire(money(5000, "XOF"), "major")).toBe(5000);
    expect(toWire(money(2000, "USD"), "major")).toBe(20);
    expect(() => toWire(money(1999, "USD"), "major")).toThrow("19.99 has cents");
    expect(() => toWire(money(0, "USD"), "minor")).toThrow("The amount is zero");
  });

  it("fromWire reverses toWire up to the largest safe integer", () => {
    const large = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    const units = fc.constantFrom("minor" as const, "major" as const);
    fc.assert(
      fc.property(large, fc.constantFrom("XOF", "USD", "EUR"), units, (minor, currency, unit) => {
        const whole = unit === "major" && currency !== "XOF" ? minor - (minor % 100) : minor;
        fc.pre(whole > 0);
        const amount = { minor: whole, currency };
        expect(fromWire(toWire(amount, unit), currency, unit)).toEqual(amount);
      }),
    );
    // The square of this amount is no safe integer.
    expect(fromWire(94_906_267, "USD", "minor")).toEqual({ minor: 94_906_267, currency: "USD" });
  });

  it("fromWire returns null for an inexact amount or an unsupported currency", () => {
    for (const wire of [12.5, -1, Number.NaN, 2 ** 53]) expect(fromWire(wire, "USD", "minor")).toBeNull();
    expect(fromWire(Number.MAX_SAFE_INTEGER, "USD", "major")).toBeNull();
    expect(fromWire(100, "GHS", "minor")).toBeNull();
  });

  it("a fee in whole dollars keeps its cents, and a fee of half a cent is no amount", () => {
    const inDollars = { amountDue: money(1000, "USD"), amountReceived: null, wireAmount: 10 };
    expect(reportedMoney(inDollars, 0.57)).toEqual({ minor: 57, currency: "USD" });
    expect(reportedMoney(inDollars, 0.575)).toBeNull();
    const inCents = { ...inDollars, wireAmount: 1000 };
    expect(reportedMoney(inCents, 57)).toEqual({ minor: 57, currency: "USD" });
    for (const unreported of [1.5, null, undefined]) expect(reportedMoney(inCents, unreported)).toBeNull();
    expect(reportedMoney(inCents, 57, "GHS")).toBeNull();
  });

  it("formatMoney writes amounts as people write them", () => {
    const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, " ");
    expect(plain(formatMoney(money(5000, "XOF"), "fr"))).toBe("5 000 F CFA");
    expect(plain(formatMoney(money(1250000, "XOF"), "en"))).toBe("1 250 000 F CFA");
    expect(plain(formatMoney(money(123456, "USD"), "en"))).toBe("$1,234.56");
    expect(plain(formatMoney(money(1999, "USD"), "fr"))).toBe("19,99 $US");
    expect(plain(formatMoney(money(5, "EUR"), "fr"))).toBe("0,05 €");
  });
});
