import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../src/folders.ts";
import { writtenPages } from "./read-site.ts";

/** `packages/core/decisions`, `test/journeys/signals.test.ts`: names of the repository's files in a page's text. */
const NAMED_FILE = /`((?:packages|examples|docs|test)\/[\w./-]+)`/g;

function namedFiles(text: string): readonly string[] {
  return [...text.matchAll(NAMED_FILE)].map(([, file = ""]) => file);
}

describe("files that a page names", () => {
  it("every file and folder that a page names exists", () => {
    const named = [...writtenPages()].flatMap(([page, text]) => namedFiles(text).map((file) => ({ page, file })));
    expect(named.length).toBeGreaterThan(40);
    // Pages also name files of the project that `create-tillkit` generates from examples/new-adapter.
    const missing = named.filter(
      ({ file }) => !existsSync(join(repository, file)) && !existsSync(join(repository, "examples/new-adapter", file)),
    );
    expect(missing.map(({ page, file }) => `${page} names ${file}, which does not exist.`)).toEqual([]);
  });

  it("every threat on the page about security names a file with tests, or says that there is no test", () => {
    const page = writtenPages().get("guides/security.md") ?? "";
    const [, ...afterTableHeads] = page.split("| threat | what stops it | test |\n|---|---|---|\n");
    const threats = afterTableHeads.flatMap(leadingTableRows);
    expect(threats.length).toBeGreaterThan(25);
    const untested = threats.filter((row) => !namedFiles(row).some(hasTests) && !row.includes("no test"));
    expect(untested).toEqual([]);
  });
});

/** The lines before the first line that is no row of a table. */
function leadingTableRows(text: string): readonly string[] {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return end === -1 ? lines : lines.slice(0, end);
}

function hasTests(file: string): boolean {
  return file.endsWith(".test.ts") && /\b(?:it|test)\b[.(]/.test(readFileSync(join(repository, file), "utf8"));
}
