import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { makeFolder } from "../temporary-folder.ts";
import type { NamedTest } from "./mutant.ts";

type ListedTest = { readonly name: string; readonly file: string };

/** The tests that their files do not have, each as `file: title`. Titles are without the titles of their groups. */
export async function findMissingTests(root: string, tests: readonly NamedTest[]): Promise<readonly string[]> {
  // Loading a file takes seconds: only a title that is made of a template, or by a function of another file, needs it.
  const unwritten = tests.filter(({ file, title }) => !hasWritten(readFileSync(join(root, file), "utf8"), title));
  if (unwritten.length === 0) return [];
  const listed = await listTests(root, [...new Set(unwritten.map(({ file }) => file))]);
  return unwritten.map(({ file, title }) => `${file}: ${title}`).filter((test) => !listed.has(test));
}

/** Whether a line of this text begins a test with this very title. */
function hasWritten(text: string, title: string): boolean {
  const before = text.split(JSON.stringify(title)).slice(0, -1);
  return before.some((part) => /(?:^|\n) *(?:it|test)\(\s*$/.test(part));
}

/** Lists the tests of these files without running them, each as `file: title`, without the titles of its groups. */
async function listTests(root: string, files: readonly string[]): Promise<ReadonlySet<string>> {
  const folder = await makeFolder("listed-tests");
  try {
    const listFile = join(folder.path, "tests.json");
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    await promisify(execFile)(process.execPath, [vitest, "list", `--json=${listFile}`, "--project=unit", ...files], {
      cwd: root,
    });
    const tests = JSON.parse(await readFile(listFile, "utf8")) as readonly ListedTest[];
    return new Set(tests.map(({ file, name }) => `${relative(root, file)}: ${name.split(" > ").at(-1)}`));
  } finally {
    await folder.remove();
  }
}
