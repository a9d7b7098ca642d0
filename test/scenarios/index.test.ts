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

/** Returns the titles in it(), test() and it.each(). A placeholder in brackets, which differs for each case, is left out. */
function titlesIn(source: string): readonly string[] {
  const titles = source.matchAll(/\b(?:it|test)(?:\.each\([\s\S]*?\)|)\(\s*"((?:[^"\\]|\\.)*)"/g);
  return [...titles].map(([, title = ""]) => title.replace(/ \([^()]*%[^()]*\)$/, ""));
}
