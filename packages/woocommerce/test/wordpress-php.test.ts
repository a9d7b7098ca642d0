import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readWords } from "../wordpress-plugin/compile-words.ts";
import { pluginFiles, pluginFolder } from "../wordpress-plugin/plugin-files.ts";
import { php, whyNoPhp } from "./php.ts";

const missing = whyNoPhp();
const title = `PHP of the plugin${missing === null ? "" : ` (skipped: ${missing})`}`;
const files = pluginFiles()
  .map(({ path }) => path.replace(/^tillkit-checkout\//, ""))
  .filter((path) => path.endsWith(".php"));

describe.skipIf(missing !== null)(title, () => {
  it.each(files)("%s is PHP", async (file) => {
    expect(await php("-l", join(pluginFolder, file))).toContain("No syntax errors");
  });
});

describe("The plugin's words", () => {
  const source = files.map((file) => readFileSync(join(pluginFolder, file), "utf8")).join("\n");
  const french = readWords(readFileSync(join(pluginFolder, "languages/tillkit-checkout-fr_FR.po"), "utf8"));
  const spoken = [...source.matchAll(/\b(?:__|esc_html__|esc_attr__)\( '((?:[^'\\]|\\.)+)', 'tillkit-checkout' \)/g)];
  const sentences = new Set(spoken.map(([, sentence]) => sentence ?? ""));

  it("are all in the text domain of the plugin", () => {
    expect(spoken).toHaveLength(source.match(/\b(?:__|_e|_x|_n|esc_html_\w+|esc_attr_\w+)\(/g)?.length ?? 0);
  });

  it("are all there in French, and no others", () => {
    expect([...french.keys()].filter((sentence) => sentence !== "").sort()).toEqual([...sentences].sort());
    expect([...french.values()]).not.toContain("");
  });

  it.each([...sentences].filter((sentence) => sentence.includes("%")))(
    "have the same gaps in French: %s",
    (sentence) => {
      const gaps = (text = "") => [...text.matchAll(/%(?:\d\$)?[sd]/g)].map(([gap]) => gap).sort();
      expect(gaps(french.get(sentence))).toEqual(gaps(sentence));
    },
  );

  it.each(files)("PHP 7.4 can read %s", (file) => {
    expect(newerThan74(readFileSync(join(pluginFolder, file), "utf8"))).toEqual([]);
  });
});

/** What came with PHP 8: syntax that 7.4 cannot parse, and functions that neither it nor WordPress 6.2 has. */
function newerThan74(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, " ");
  const newer = [
    /\bmatch\s*\(/,
    /\?->/,
    /#\[/,
    /\b(?:enum|readonly)\s+\w/,
    /\bcatch\s*\(\s*\w+\s*\)/,
    /(?:=>|\?\?|\?:|=|return)\s*throw\b/,
    /\)\s*:\s*\??\w+\s*\|/,
    /[(,]\s*\??\w+\s*\|\s*\w+\s+\$/,
    /\)\s*:\s*(?:mixed|static|never|true|false|null)\s*\{/,
    /[(,]\s*mixed\s+\$/,
    /[(,]\s*\w+\s*:\s*[\w$'"[]/,
    /function\s*\w*\s*\([^()]*,\s*\)/,
    /__construct\s*\([^)]*\b(?:public|private|protected)\b/,
    /\b(?:array_is_list|array_any|array_all|array_find|json_validate|get_debug_type|str_contains|fdiv)\s*\(/,
    /\w\(\s*\.\.\.\s*\)/,
  ];
  return newer.flatMap((form) => form.exec(code)?.[0] ?? []);
}
