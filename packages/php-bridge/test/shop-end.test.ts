import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const hasPhp = spawnSync("php", ["--version"]).status === 0;
const tests = fileURLToPath(new URL("php/run.php", import.meta.url));

type Result = { readonly title: string; readonly problem: string | null };

const results: readonly Result[] = hasPhp
  ? execFileSync("php", [tests], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];

describe.skipIf(!hasPhp)(`the shop's end of the bridge${hasPhp ? "" : " (skipped: no php on this machine)"}`, () => {
  it("the PHP tests of the bridge run", () => {
    expect(results.length).toBeGreaterThan(30);
  });

  it.each(results.map(({ title, problem }) => [title, problem]))("%s", (_, problem) => {
    expect(problem).toBeNull();
  });
});
