import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { php, pluginTests, whyNoPhp } from "./php.ts";

const missing = whyNoPhp();
const title = `The gateway plugin${missing === null ? "" : ` (skipped: ${missing})`}`;

type Result = { readonly title: string; readonly problem: string | null };

const results: readonly Result[] = missing === null ? await runInPhp() : [];

describe.skipIf(missing !== null)(title, () => {
  it("is tested in PHP", () => {
    expect(results.length).toBeGreaterThan(150);
  });

  // A title in the form `$title` would be cut after forty characters.
  it.each(results.map(({ title, problem }) => [title, problem]))("%s", (_, problem) => {
    expect(problem).toBeNull();
  });
});

// TILLKIT_PHP_TITLE=<words>: only those with these words in the title.
async function runInPhp(): Promise<readonly Result[]> {
  const { TILLKIT_PHP_TITLE: words = "" } = process.env;
  const lines = (await php(join(pluginTests, "run.php"), ...(words === "" ? [] : [words]))).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}
