import { describe, expect, it } from "vitest";
import { parsePhoneNumber } from "../src/hosted-page/form/form-values.ts";
import { formatAmount } from "../src/pages/format-amount.ts";
import { pickLanguage } from "../src/pages/language.ts";

const exponents = { XOF: 0, USD: 2, EUR: 2 };
const plain = (text: string) => text.replace(/\s/g, " ");

describe("amounts as people write them", () => {
  it.each([
    [5000, "XOF", "fr", "5 000 F CFA"],
    [5000, "XOF", "en", "5 000 F CFA"],
    [1_250_000, "XOF", "fr", "1 250 000 F CFA"],
    [100, "XOF", "fr", "100 F CFA"],
    [1999, "USD", "fr", "19,99 $US"],
    [1999, "USD", "en", "$19.99"],
    [123_456_789, "USD", "en", "$1,234,567.89"],
    [5, "EUR", "fr", "0,05 €"],
    [100_000, "EUR", "en", "€1,000.00"],
  ] as const)("%d %s in %s is %s", (amount, currency, language, text) => {
    expect(plain(formatAmount(amount, currency, language, exponents))).toBe(text);
  });

  it("an amount has as many decimals as the exponent of its currency is set to", () => {
    expect(plain(formatAmount(20, "EUR", "fr", { ...exponents, EUR: 0 }))).toBe("20 €");
  });

  it("an amount contains no breaking space", () => {
    expect(formatAmount(5000, "XOF", "fr", exponents)).not.toContain(" ");
  });
});

describe("the language", () => {
  it.each([
    [null, "fr-FR,fr;q=0.9,en;q=0.8", "fr"],
    [null, "en-US,en;q=0.9", "en"],
    [null, "de-DE,fr;q=0.5,en;q=0.7", "en"],
    [null, "de-DE", "en"],
    [null, undefined, "en"],
    [null, "fr;q=0,en", "en"],
    ["fr", "en", "fr"],
    ["de", "fr", "fr"],
  ] as const)("the chosen language %s with Accept-Language %s results in %s", (chosen, accepted, language) => {
    expect(pickLanguage(chosen, accepted)).toBe(language);
  });
});

describe("a telephone number", () => {
  it.each([
    ["+225 07 12 34 56 78", "+2250712345678"],
    ["00225-07.12.34.56.78", "+2250712345678"],
    ["+33 (6) 12 34 56 78", "+33612345678"],
    ["07 12 34 56 78", null],
    ["+0712345678", null],
    ["+2250712345678901", null],
    ["+225 abc", null],
  ])("the phone number %s is normalised to %s", (typed, number) => {
    expect(parsePhoneNumber(typed)).toBe(number);
  });
});
