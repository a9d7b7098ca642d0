import { expect, test } from "vitest";
import { pageLanguage } from "../src/pages/language.ts";

test.each([
  ["fr", "en", "fr"],
  ["en", "fr", "en"],
  [undefined, "en-GB,en;q=0.9", "en"],
  [undefined, "fr-SN", "fr"],
  [undefined, "de, en;q=0.5, fr;q=0.8", "fr"],
  [undefined, "wo, en;q=0.7", "en"],
  [undefined, "fr;q=0, en;q=0.1", "en"],
  [undefined, "de", "fr"],
  [undefined, undefined, "fr"],
  ["xx", "en", "en"],
  [["fr", "en"], "en", "en"],
  [undefined, ";;q=,,x;q=abc", "fr"],
])("a link with the language %j and a browser that prefers %j get %s", (named, accepted, expected) => {
  expect(pageLanguage(named, accepted)).toBe(expected);
});
