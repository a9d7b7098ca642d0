import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const rows = readRows(readFileSync(new URL("README.md", import.meta.url), "utf8"));

describe("the index of scenarios and faults", () => {
  it("the index has all eighteen scenarios, each with a test that has its number", () => {
    const numbers = rows.flatMap(({ topic, title }) => (title.startsWith(`${topic} · `) ? [Number(topic)] : []));
    expect(numbers).toEqual(Array.from({ length: 18 }, (_, index) => index + 1));
  });

  it.each(rows)("the index names an existing test for: $topic", ({ file, title }) => {
    expect(existsSync(`${root}/${file}`), `${file} exists`).toBe(true);
    expect(titlesIn(readFileSync(`${root}/${file}`, "utf8"))).toContain(title);
  });
});

type Row = { readonly topic: string; readonly file: string; readonly title: string };

function readRows(markdown: string): readonly Row[] {
  return markdown.split("\n").flatMap((line) => {
    const [topic, file, title, ...more] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (topic === undefined || file === undefined || title === undefined || more.length > 0) return [];
    return file.endsWith(".test.ts") ? [{ topic, file, title }] : [];
  });
}

/** `it("title"`, `test("title"` or `it.each(cases)("title"`. */
const TITLED_TEST = /\b(?:it|test)(?:\.each\([\s\S]*?\)|)\(\s*"((?:[^"\\]|\\.)*)"/g;
/** A title's ending such as ` (after %i s)`, which differs for each case. */
const PLACEHOLDER_AT_END = / \([^()]*%[^()]*\)$/;

/** Returns the titles of all tests, without placeholders at their end. */
function titlesIn(source: string): readonly string[] {
  return [...source.matchAll(TITLED_TEST)].map(([, title = ""]) => title.replace(PLACEHOLDER_AT_END, ""));
}
