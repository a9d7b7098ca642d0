import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { php, phpSkipReason, pluginTests } from "./php.ts";

const skipReason = phpSkipReason();
const title = `gateway plugin${skipReason === null ? "" : ` (skipped: ${skipReason})`}`;

type Result = { readonly title: string; readonly problem: string | null };

const results: readonly Result[] = skipReason === null ? await runInPhp() : [];

describe.skipIf(skipReason !== null)(title, () => {
  it("the PHP tests of the gateway plugin run", () => {
    expect(results.length).toBeGreaterThan(150);
  });

  // Vitest truncates a title in the form `$title` after forty characters.
  it.each(results.map(({ title, problem }) => [title, problem]))("%s", (_, problem) => {
    expect(problem).toBeNull();
  });
});

// TILLKIT_PHP_TITLE=<words> runs only the tests with these words in the title.
async function runInPhp(): Promise<readonly Result[]> {
  const { TILLKIT_PHP_TITLE: words = "" } = process.env;
  const lines = (await php(join(pluginTests, "run.php"), ...(words === "" ? [] : [words]))).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}
