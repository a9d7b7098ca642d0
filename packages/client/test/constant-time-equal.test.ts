import { constantTimeEqual } from "@tillkit/client/webhooks";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const anyString = fc.string({ unit: "binary", maxLength: 40 });

describe("constantTimeEqual", () => {
  test("constantTimeEqual agrees with === for any two strings", () => {
    fc.assert(fc.property(anyString, anyString, (left, right) => constantTimeEqual(left, right) === (left === right)));
    fc.assert(fc.property(anyString, (text) => constantTimeEqual(text, `${text.slice(0, 1)}${text.slice(1)}`)));
  });

  test.each([
    ["the empty string and a string", "", "a"],
    ["a string and its beginning", "whsec_1234", "whsec_123"],
    ["strings that differ in case", "ABC", "abc"],
    ["two lone surrogates", "\ud800", "\ud801"],
    ["a lone surrogate and the replacement character", "\ud800", "\ufffd"],
    ["composed and decomposed letters", "é", "e\u0301"],
  ])("constantTimeEqual tells %s apart", (_, left, right) => {
    expect(constantTimeEqual(left, right)).toBe(false);
    expect(constantTimeEqual(left, left)).toBe(true);
  });
});
