import { describe, expect, it } from "vitest";
import { inclusionProblem, inclusionsOf } from "./inclusions.ts";
import { typedBlocks, writtenPages } from "./read-site.ts";
import { isTested } from "./tested-files.ts";

const inclusions = [...writtenPages()].flatMap(([page, text]) => inclusionsOf(page, text));

/** The languages of code blocks on a page. A test checks each of these languages, except plain text. */
const typedLanguages = new Set(["sh", "text", "json", "ts", "tsx", "js", "nginx"]);

describe("samples of the documentation", () => {
  it("every region that a page shows exists once in its file", () => {
    expect(inclusions.length).toBeGreaterThan(20);
    expect(inclusions.map(inclusionProblem).filter((problem) => problem !== null)).toEqual([]);
  });

  it("a region that does not exist is detected, although VitePress would build the site", () => {
    const file = "examples/new-adapter/src/adapter.ts";
    expect(inclusionProblem({ page: "x.md", file, region: "pay" })).toBeNull();
    expect(inclusionProblem({ page: "x.md", file, region: "pays" })).toMatch(/0 marks/);
    expect(inclusionProblem({ page: "x.md", file: "examples/none.ts", region: null })).toMatch(/does not exist/);
  });

  it("every file that a page shows is run by a test", () => {
    const untested = inclusions.filter(({ file }) => !file.endsWith(".md") && !isTested(file));
    expect(untested.map(({ page, file }) => `${page} shows ${file}, which no test runs.`)).toEqual([]);
    expect(isTested("packages/docs/src/serve.ts")).toBe(false);
  });

  it("every block of code that is typed on a page has a language that a test checks", () => {
    const blocks = [...writtenPages()].flatMap(([page, text]) =>
      typedBlocks(text).map((block) => ({ page, ...block })),
    );
    const unknown = blocks.filter(({ language }) => !typedLanguages.has(language));
    expect(unknown.map(({ page, line, language }) => `${page}:${line} has a block "${language}".`)).toEqual([]);
    for (const { language, code, page, line } of blocks) {
      if (language === "json") expect(() => JSON.parse(code), `${page}:${line}`).not.toThrow();
      if (language === "nginx") expect(nginxProblem(code), `${page}:${line}`).toBeNull();
    }
  });
});

/** One sentence about a line of nginx's configuration without an end or about a block without an end, or null. */
function nginxProblem(code: string): string | null {
  const lines = code.split("\n").map((line) => line.replace(/#.*/, "").trim());
  // Every line ends a directive, or opens or closes a block.
  const unendedLine = lines.find((line) => line !== "" && !/[;{}]$/.test(line));
  if (unendedLine !== undefined) return `This line has no end: ${unendedLine}`;
  return code.split("{").length === code.split("}").length ? null : "A block is not closed.";
}
