import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const rows = readRows(readFileSync(new URL("README.md", import.meta.url), "utf8"));

describe("the index of scenarios and faults", () => {
  it("has all eighteen scenarios, each told by a test with its number", () => {
    const numbers = rows.flatMap(({ about, title }) => (title.startsWith(`${about} · `) ? [Number(about)] : []));
    expect(numbers).toEqual(Array.from({ length: 18 }, (_, index) => index + 1));
  });

  it.each(rows)("names a test that exists: $about", ({ file, title }) => {
    expect(existsSync(`${root}/${file}`), `${file} exists`).toBe(true);
    expect(titlesIn(readFileSync(`${root}/${file}`, "utf8"))).toContain(title);
  });
});

type Row = { readonly about: string; readonly file: string; readonly title: string };

function readRows(markdown: string): readonly Row[] {
  return markdown.split("\n").flatMap((line) => {
    const [about, file, title, ...more] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (about === undefined || file === undefined || title === undefined || more.length > 0) return [];
    return file.endsWith(".test.ts") ? [{ about, file, title }] : [];
  });
}

/** First arguments of it(), test() and it.each()(), without what stands in brackets for each case. */
function titlesIn(source: string): readonly string[] {
  const titles = source.matchAll(/\b(?:it|test)(?:\.each\([\s\S]*?\)|)\(\s*"((?:[^"\\]|\\.)*)"/g);
  return [...titles].map(([, title = ""]) => title.replace(/ \([^()]*%[^()]*\)$/, ""));
}
