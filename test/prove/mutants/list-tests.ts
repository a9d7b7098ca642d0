import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { makeFolder } from "../temporary-folder.ts";

type ListedTest = { readonly name: string; readonly file: string };

/** Lists the tests of these files without running them, each as `file: title`, without the titles of its groups. */
export async function listTests(root: string, files: readonly string[]): Promise<ReadonlySet<string>> {
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
