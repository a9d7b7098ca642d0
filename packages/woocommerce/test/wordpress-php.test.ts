import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readTranslations } from "../wordpress-plugin/compile-translations.ts";
import { pluginFiles } from "../wordpress-plugin/plugin-files.ts";
import { php, phpSkipReason } from "./php.ts";

const skipReason = phpSkipReason();
const title = `plugin PHP${skipReason === null ? "" : ` (skipped: ${skipReason})`}`;
const sources = new Map(
  pluginFiles().map(({ path, bytes }) => [
    path.replace(/^tillkit-checkout\//, ""),
    Buffer.from(bytes).toString("utf8"),
  ]),
);
const files = [...sources.keys()].filter((path) => path.endsWith(".php"));

describe.skipIf(skipReason !== null)(title, () => {
  const folder = mkdtempSync(join(tmpdir(), "tillkit-plugin-"));

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(files)("the plugin file %s has no PHP syntax error", async (file) => {
    const copy = join(folder, file.replaceAll("/", "-"));
    writeFileSync(copy, sources.get(file) ?? "");
    expect(await php("-l", copy)).toContain("No syntax errors");
  });
});

describe("plugin translations", () => {
  const sourceOf = (paths: readonly string[]) => paths.map((path) => sources.get(path)).join("\n");
  const source = sourceOf(files.filter((file) => !file.startsWith("bridge/")));
  const french = readTranslations(sources.get("languages/tillkit-checkout-fr_FR.po") ?? "");
  const functionName = String.raw`\b(?:__|_e|_x|_n|esc_html_\w+|esc_attr_\w+)\(`;
  const textAndDomain = String.raw` '((?:[^'\\]|\\.)+)', 'tillkit-checkout' \)`;
  const translated = source.matchAll(new RegExp(functionName + textAndDomain, "g"));
  const ofBridge = sourceOf(files).matchAll(/\btillkit_text\( '((?:[^'\\]|\\.)+)' \)/g);
  const sentences = new Set([...translated, ...ofBridge].map(([, sentence]) => sentence ?? ""));

  it("every call of a translation function has a literal text and the text domain of the plugin", () => {
    const otherCalls = source.matchAll(new RegExp(`${functionName}(?!${textAndDomain}).*`, "g"));
    expect([...otherCalls].map(([call]) => call)).toEqual([]);
  });

  it("the French translation contains exactly the texts of the plugin", () => {
    expect([...french.keys()].filter((sentence) => sentence !== "").sort()).toEqual([...sentences].sort());
    expect([...french.values()]).not.toContain("");
  });

  it.each([...sentences].filter((sentence) => sentence.includes("%")))(
    "the French translation has the same placeholders: %s",
    (sentence) => {
      const placeholders = (text = "") =>
        [...text.matchAll(/%(?:\d\$)?[sd]/g)].map(([placeholder]) => placeholder).sort();
      expect(placeholders(french.get(sentence))).toEqual(placeholders(sentence));
    },
  );
});

describe("plugin PHP 7.4", () => {
  it.each(files)("PHP 7.4 can parse %s", (file) => {
    expect(featuresAfter74(sources.get(file) ?? "")).toEqual([]);
  });
});

/** The syntax that PHP 7.4 cannot parse, and the functions that neither PHP 7.4 nor WordPress 6.2 has. */
const FEATURES_AFTER_74: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["a match expression", /\bmatch\s*\(/],
  ["the nullsafe operator", /\?->/],
  ["an attribute", /#\[/],
  ["an enum or a readonly property", /\b(?:enum|readonly)\s+\w/],
  ["a catch without a variable", /\bcatch\s*\(\s*\w+\s*\)/],
  ["throw as an expression", /(?:=>|\?\?|\?:|=|return)\s*throw\b/],
  ["a union as the return type", /\)\s*:\s*\??\w+\s*\|/],
  ["a union as a parameter's type", /[(,]\s*\??\w+\s*\|\s*\w+\s+\$/],
  ["a newer return type", /\)\s*:\s*(?:mixed|static|never|true|false|null)\s*\{/],
  ["a parameter of the type mixed", /[(,]\s*mixed\s+\$/],
  ["a named argument", /[(,]\s*\w+\s*:\s*[\w$'"[]/],
  ["a comma after the last parameter", /function\s*\w*\s*\([^()]*,\s*\)/],
  ["a property declared in the constructor", /__construct\s*\([^)]*\b(?:public|private|protected)\b/],
  ["a newer function", /\b(?:array_is_list|array_any|array_all|array_find|json_validate|get_debug_type|fdiv)\s*\(/],
  ["a callable made with (...)", /\w\(\s*\.\.\.\s*\)/],
];

/** The features of PHP 8 in this source, each with the text in which it was found. */
function featuresAfter74(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, " ");
  return FEATURES_AFTER_74.flatMap(([name, pattern]) => {
    const found = pattern.exec(code);
    return found === null ? [] : `${name}: ${found[0]}`;
  });
}
