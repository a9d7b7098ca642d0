import { describe, expect, it } from "vitest";
import { inclusionProblem, inclusionsOf } from "./inclusions.ts";
import { typedBlocks, writtenPages } from "./read-site.ts";
import { isTested } from "./tested-files.ts";

const inclusions = [...writtenPages()].flatMap(([page, text]) => inclusionsOf(page, text));

/** Languages that may be typed on a page, each with what checks it. The test of types checks ts, tsx and js. */
const typedLanguages = new Set(["sh", "text", "json", "ts", "tsx", "js", "nginx"]);

describe("samples of the documentation", () => {
  it("every region that a page shows exists once in its file", () => {
    expect(inclusions.length).toBeGreaterThan(20);
    expect(inclusions.map(inclusionProblem).filter((problem) => problem !== null)).toEqual([]);
  });

  it("a region that does not exist is found, though the site would build", () => {
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

/** A line of nginx's configuration that neither ends a directive nor opens or closes a block, or blocks that are left open. */
function nginxProblem(code: string): string | null {
  const lines = code.split("\n").map((line) => line.replace(/#.*/, "").trim());
  const odd = lines.find((line) => line !== "" && !/[;{}]$/.test(line));
  if (odd !== undefined) return `This line has no end: ${odd}`;
  return code.split("{").length === code.split("}").length ? null : "A block is not closed.";
}
