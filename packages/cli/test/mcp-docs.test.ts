import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { docsTools } from "../src/commands/mcp/docs-tools.ts";
import type { Tool } from "../src/commands/mcp/tool.ts";
import { writeAnswer } from "../src/commands/mcp/write-answer.ts";
import { findDocs } from "../src/options/find-docs.ts";

/** Some of the pages of which the documentation inside the package is made. */
const SOURCES = {
  "index.md": "packages/docs/README.md",
  "handbook.md": "HANDBOOK.md",
  "concepts/writes.md": "packages/docs/site/concepts/writes.md",
  "guides/tunnels.md": "packages/docs/site/guides/tunnels.md",
};
const sourceOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

describe("the documentation as tools of tillkit mcp", () => {
  const folder = mkdtempSync(join(tmpdir(), "tillkit-docs-"));
  beforeAll(() => {
    for (const [page, source] of Object.entries(SOURCES)) {
      mkdirSync(dirname(join(folder, "docs", page)), { recursive: true });
      writeFileSync(join(folder, "docs", page), sourceOf(source));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const [search, read] = docsTools(join(folder, "docs"));
  const ask = async (tool: Tool | undefined, input: Record<string, unknown>) =>
    JSON.parse(writeAnswer((await tool?.run(input)) ?? {}));

  it("a finding, an option and an idea are found where they are explained", async () => {
    const pagesFor = async (words: string) =>
      (await ask(search, { words })).rows.slice(0, 3).map((part: { page: string }) => part.page);
    expect(await pagesFor("amount_differs")).toContain("handbook.md");
    expect(await pagesFor("read-then-write settleAfterMs")).toContain("concepts/writes.md");
    expect(await pagesFor("tillkit listen webhook secret laptop")).toContain("guides/tunnels.md");
    expect((await ask(search, { words: "zzzzqqqq" })).rows).toEqual([]);
  });

  it("a long page is read in parts that each fit into an answer, without a line lost", async () => {
    const parts: string[] = [];
    for (let line: number | null = 1; line !== null; ) {
      const answer: { document: string; next: number | null } = await ask(read, { page: "handbook.md", line });
      parts.push(answer.document);
      line = answer.next;
    }
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join("\n")).toBe(sourceOf(SOURCES["handbook.md"]));
  });

  it("a page outside the documentation is not read", async () => {
    writeFileSync(join(folder, "secret.md"), "svc_sk_live_1");
    expect(read?.input.safeParse({ page: "../secret.md" }).success).toBe(false);
    await expect(read?.run({ page: "secret.md", line: 1 })).rejects.toThrow("There is no page");
  });

  it("the folder of the documentation is found from a built program and from its sources", () => {
    writeFileSync(join(folder, "package.json"), "{}");
    expect(findDocs(join(folder, "dist"))).toBe(join(folder, "docs"));
    expect(findDocs(join(folder, "src", "commands", "mcp"))).toBe(join(folder, "docs"));
  });
});
